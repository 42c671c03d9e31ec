#!/usr/bin/env python3
"""Row ops beside the faster of PyTorch and Triton: tilejit_bench and peers.py, one after the other, round by round.

    scripts/bench peers [--op softmax] [--dtype bf16] [--rounds 5] [--json FILE] [SHAPE...]

Prints a table: ours and the faster peer in medians over the rounds, the median and the range of the rounds' ratios. Our
tuning is kept in a folder for the length of the run, so the first round alone tunes.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

SHAPES = ["16384x256", "16384x781", "16384x1024", "16384x4096", "16384x8192", "16384x8320", "16384x32768", "4096x131072"]
ASKED = {("softmax", "bf16"): 1.05}
BYTES = {"f32": 4, "bf16": 2, "f16": 2}


def moved(shape, dtype):
    rows, columns = (int(extent) for extent in shape.split("x"))
    return 2 * rows * columns * BYTES[dtype]


def lines_of(program, arguments):
    done = subprocess.run([sys.executable, program, *arguments], stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]


def our_round(typed, work_folder):
    """By shape: {us, launches, config}; None where nothing was measured (no GPU: the bench has said so)."""
    file = pathlib.Path(work_folder) / "ours.json"
    names = {f"{typed.op} {shape} {typed.dtype}": shape for shape in typed.shapes}
    command = [typed.bench, "bandwidth", "--cache", str(pathlib.Path(work_folder) / "cache"), "--json", str(file)]
    for name in names:
        command += ["--row", name]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    if not file.exists():
        print(done.stdout, end="")
        return None
    ours = {}
    for row in json.loads(file.read_text())["rows"]:
        shape, median = names[row["work"]], row["ours"]["median"]
        us = median if row["unit"] == "us" else moved(shape, typed.dtype) / median / 1e3
        ours[shape] = {"us": us, "launches": row["launches"], "config": row["config"]}
    file.unlink()
    missing = [name for name, shape in names.items() if shape not in ours]
    if missing:
        raise SystemExit(f"tilejit_bench has no row {', '.join(missing)}")
    return ours


def their_round(typed, ours):
    """By shape: {us, name} of each way, the fastest first. What we replay is replayed here."""
    arguments = ["--op", typed.op, "--dtype", typed.dtype, "--samples", str(typed.samples), *typed.shapes]
    for shape in typed.shapes:
        if ours[shape]["launches"] > 0:
            arguments += ["--replay", shape]
    theirs = {shape: [] for shape in typed.shapes}
    for line in lines_of(typed.peers, arguments):
        if "us" in line:
            name = f"{line['way']} ({line['config']})" if line["config"] else line["way"]
            theirs[line["shape"]].append({"us": line["us"], "name": name})
        elif "refused" in line:
            print(f"{line['way']} {typed.op} {line['shape']}: nothing ran: {'; '.join(line['refused'])}", file=sys.stderr)
    for ways in theirs.values():
        ways.sort(key=lambda way: way["us"])
    return theirs


def rows_of(typed, rounds):
    """One row a shape, of [(ours, theirs), ...]."""
    rows = []
    for shape in typed.shapes:
        mine = [ours[shape]["us"] for ours, _ in rounds]
        best = [theirs[shape][0]["us"] for _, theirs in rounds]
        ratios = [other / own for own, other in zip(mine, best)]
        asked = ASKED.get((typed.op, typed.dtype), 0)
        ratio = statistics.median(ratios)
        rows.append({
            "work": f"{typed.op} {shape} {typed.dtype}", "ours_us": statistics.median(mine), "theirs_us": statistics.median(best),
            "peer": rounds[-1][1][shape][0]["name"], "ratio": ratio, "lowest": min(ratios), "highest": max(ratios),
            "asked": asked, "reached": ratio >= asked, "rounds": len(rounds), "config": rounds[-1][0][shape]["config"],
            "launches": rounds[-1][0][shape]["launches"], "bytes": moved(shape, typed.dtype),
            "ways": rounds[-1][1][shape],
        })
    return rows


def table_of(rows):
    lines = [("work", "ours", "", "faster peer", "", "", "ratio", "range", "asked", "")]
    for row in rows:
        rate = [f"{row['bytes'] / row[key] / 1e3:.0f} GB/s" for key in ("ours_us", "theirs_us")]
        verdict = "" if not row["asked"] else "reached" if row["reached"] else "MISSED"
        lines.append((row["work"], f"{row['ours_us']:.2f} us", rate[0], row["peer"], f"{row['theirs_us']:.2f} us", rate[1],
                      f"{row['ratio']:.3f}", f"{row['lowest']:.3f} to {row['highest']:.3f}",
                      f"at least {row['asked']:.2f}" if row["asked"] else "", verdict))
    widths = [max(len(line[i]) for line in lines) for i in range(len(lines[0]))]
    text = "".join("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip() + "\n" for line in lines)
    for row in rows:
        others = ", ".join(f"{way['name']} {way['us']:.2f} us" for way in row["ways"])
        replay = f", graphs of {row['launches']} launches" if row["launches"] else ""
        text += f"{row['work']}: {row['config']}; {others}; {row['rounds']} rounds{replay}\n"
    return text


def main():
    here = pathlib.Path(__file__).parent
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench", required=True, help="the program tilejit_bench; scripts/bench gives it")
    parser.add_argument("--peers", default=str(here / "peers.py"))
    parser.add_argument("--op", choices=["softmax", "layernorm", "rmsnorm"], default="softmax")
    parser.add_argument("--dtype", choices=["bf16", "f32"], default="bf16")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--samples", type=int, default=50, help="timed runs of each peer in a round")
    parser.add_argument("--json", help="where the rows go as JSON")
    parser.add_argument("shapes", nargs="*", metavar="SHAPE")
    typed = parser.parse_args()
    typed.shapes = typed.shapes or SHAPES

    there = {}
    for line in lines_of(typed.peers, []):
        if line.get("missing") == "torch":
            print(f"Nothing measured: PyTorch is missing here: {line['why']}")
            return
        if line.get("missing"):
            print(f"Triton is missing here ({line['why']}): the peer is PyTorch alone\n")
        there.update(line)
    print(f"{there['device']}, PyTorch {there['torch']}, Triton {there['triton']}", flush=True)

    rounds = []
    with tempfile.TemporaryDirectory(prefix="tilejit_peers_") as folder:
        for i in range(typed.rounds):
            ours = our_round(typed, folder)
            if ours is None:
                return
            rounds.append((ours, their_round(typed, ours)))
            print(f"round {i + 1} of {typed.rounds} done", flush=True)
    rows = rows_of(typed, rounds)
    print("\n" + table_of(rows), end="")
    if typed.json:
        pathlib.Path(typed.json).write_text(json.dumps({"format": "tilejit.peers", "version": 1, **there, "rows": rows}, indent=2) + "\n")


if __name__ == "__main__":
    main()
