#!/usr/bin/env python3
"""PyTorch's and Triton's row ops on this machine's GPU, one JSON line a way.

    bench/peers.py --op softmax --dtype bf16 [--samples 50] [--replay SHAPE]... SHAPE...     SHAPE is 16384x1024

A line holds the median in microseconds, L2 cold before each sample. --replay times a shape by a CUDA graph over rotating
buffers, as tilejit_bench does with short works. The Triton kernel is one for all ops; its warps and rows a program are
swept. A module that is not there is a line {"missing": ...}; without shapes that is all that is printed.
"""
import argparse
import json
import math
import statistics

try:
    import torch
except ImportError as error:
    torch, no_torch = None, str(error)
try:
    import triton
    import triton.language as tl
except ImportError as error:
    triton, no_triton = None, str(error)

OPS = ["softmax", "layernorm", "rmsnorm"]
EPSILON = 1e-5

if triton:

    @triton.jit
    def row_kernel(y, x, rows, columns, OP: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr):
        row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
        column = tl.arange(0, BLOCK)[None, :]
        inside = (row < rows) & (column < columns)
        at = row.to(tl.int64) * columns + column
        if OP == 0:
            value = tl.load(x + at, mask=inside, other=-float("inf")).to(tl.float32)
            powers = tl.exp(value - tl.max(value, 1, keep_dims=True))
            result = powers / tl.sum(powers, 1, keep_dims=True)
        else:
            value = tl.load(x + at, mask=inside, other=0.0).to(tl.float32)
            if OP == 1:
                value = tl.where(inside, value - tl.sum(value, 1, keep_dims=True) / columns, 0.0)
            result = value * tl.rsqrt(tl.sum(value * value, 1, keep_dims=True) / columns + 1e-5)
        tl.store(y + at, result, mask=inside)


def by_torch(op):
    functions = torch.nn.functional
    return {
        "softmax": lambda x, y: torch.softmax(x, 1),
        "layernorm": lambda x, y: functions.layer_norm(x, x.shape[1:], eps=EPSILON),
        "rmsnorm": lambda x, y: functions.rms_norm(x, x.shape[1:], eps=EPSILON),
    }[op]


def by_triton(op, warps, rows_each):
    def run(x, y):
        rows, columns = x.shape
        row_kernel[(triton.cdiv(rows, rows_each),)](
            y, x, rows, columns, OP=OPS.index(op), ROWS=rows_each, BLOCK=triton.next_power_of_2(columns), num_warps=warps
        )
        return y

    return run


def triton_configs(columns):
    if columns <= 1024:
        return [(warps, rows) for rows in (1, 4) for warps in (2, 4, 8)]
    return [(warps, 1) for warps in (4, 8, 16, 32) if warps * 32 * 256 >= columns]


class Clock:
    """Microseconds of what a function enqueues, with L2 cold; the flush is long enough to hide the host's part."""

    def __init__(self):
        l2 = torch.cuda.get_device_properties(0).L2_cache_size
        self.flush = torch.empty(10 * l2, dtype=torch.uint8, device="cuda")

    def median(self, work, samples):
        start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        times = []
        for _ in range(samples):
            self.flush.zero_()
            start.record()
            work()
            stop.record()
            stop.synchronize()
            times.append(start.elapsed_time(stop) * 1e3)
        return statistics.median(times)


def rotation(bytes_moved):
    """Sets of buffers and launches of one graph: tilejit_bench's own rule (bench/rotation.h)."""
    sets = max(math.ceil(120e6 / bytes_moved), 8)
    return sets, math.ceil(64 / sets) * sets


def timed(clock, way, buffers, launches, samples):
    for x, y in buffers:
        way(x, y)  # compiled and warm
    torch.cuda.synchronize()
    if launches == 1:
        return clock.median(lambda: way(*buffers[0]), samples)
    graph, outputs = torch.cuda.CUDAGraph(), []
    with torch.cuda.graph(graph):
        for i in range(launches):
            outputs.append(way(*buffers[i % len(buffers)]))  # kept: none is written twice within a turn
    graph.replay()
    return clock.median(graph.replay, samples) / launches


def check(op, way, x, y, name):
    few = min(4, x.shape[0])
    y.fill_(float("nan"))
    result, expected = way(x, y)[:few].double(), by_torch(op)(x[:few].double(), None)
    if not torch.allclose(result, expected, rtol=2e-2 if x.dtype == torch.bfloat16 else 1e-3, atol=1e-3 * expected.abs().max().item()):
        raise SystemExit(f"{name} {op} {tuple(x.shape)}: the first rows are wrong")


def measure(op, dtype, shape, samples, replay, clock):
    rows, columns = (int(extent) for extent in shape.split("x"))
    torch_type = {"f32": torch.float32, "bf16": torch.bfloat16, "f16": torch.float16}[dtype]
    sets, launches = rotation(2 * rows * columns * torch_type.itemsize) if replay else (1, 1)
    buffers = []
    for _ in range(sets):
        x = (torch.rand(rows, columns, device="cuda") * 2 - 1).to(torch_type)
        buffers.append((x, torch.empty_like(x)))

    def line(way, name, config):
        check(op, way, *buffers[0], name)
        found = timed(clock, way, buffers, launches, samples)
        print(json.dumps({"op": op, "shape": shape, "dtype": dtype, "way": name, "config": config, "us": found,
                          "launches": launches if replay else 0}), flush=True)

    line(by_torch(op), "torch", "")
    if not triton:
        return
    fastest, refused = None, []
    for warps, rows_each in triton_configs(columns):
        try:
            found = timed(clock, by_triton(op, warps, rows_each), buffers, launches, max(samples // 4, 3))
        except Exception as error:  # what Triton cannot build or launch is no candidate
            refused.append(f"{warps} warps, {rows_each} rows: {str(error).splitlines()[0]}")
            continue
        if fastest is None or found < fastest[0]:
            fastest = (found, warps, rows_each)
    if fastest is None:
        print(json.dumps({"op": op, "shape": shape, "dtype": dtype, "way": "triton", "refused": refused}), flush=True)
        return
    _, warps, rows_each = fastest
    line(by_triton(op, warps, rows_each), "triton", f"{warps} warps, {rows_each} row{'s' if rows_each > 1 else ''}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--op", choices=OPS, default="softmax")
    parser.add_argument("--dtype", choices=["f32", "bf16", "f16"], default="bf16")
    parser.add_argument("--samples", type=int, default=50)
    parser.add_argument("--replay", action="append", default=[], metavar="SHAPE")
    parser.add_argument("shapes", nargs="*", metavar="SHAPE")
    typed = parser.parse_args()
    if not triton:
        print(json.dumps({"missing": "triton", "why": no_triton}))
    if not torch:
        print(json.dumps({"missing": "torch", "why": no_torch}))
        return
    if not torch.cuda.is_available():
        print(json.dumps({"missing": "torch", "why": f"torch {torch.__version__} finds no CUDA device"}))
        return
    torch.manual_seed(0)
    print(json.dumps({"device": torch.cuda.get_device_name(0), "torch": torch.__version__,
                      "triton": triton.__version__ if triton else None}), flush=True)
    clock = Clock() if typed.shapes else None
    for shape in typed.shapes:
        measure(typed.op, typed.dtype, shape, typed.samples, shape in typed.replay, clock)


if __name__ == "__main__":
    main()
