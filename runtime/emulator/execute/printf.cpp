#include <cstdio>
#include <cstring>
#include <string>

#include <tilejit/runtime/emulator/execute/block.h>
#include <tilejit/runtime/emulator/execute/handlers.h>
#include <tilejit/runtime/emulator/execute/lane_places.h>
#include <tilejit/runtime/emulator/execute/worker.h>
#include <tilejit/runtime/emulator/memory/access.h>
#include <tilejit/runtime/emulator/memory/thread_memory.h>
#include <tilejit/runtime/emulator/report/faults.h>

/// printf and assert. What is printed is kept with the block and comes out in the order of blocks.
namespace tilejit::emulator {
namespace {

/// Takes the arguments as the compiler packed them: each at a multiple of its own size.
class Arguments {
 public:
  Arguments(const Op* op, Warp& w, int lane, std::uint64_t buffer) : op_(op), w_(w), lane_(lane), buffer_(buffer) {}
  template <class T>
  T take() {
    at_ = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    T value;
    read_memory(op_, w_, lane_, buffer_ + at_, &value, sizeof(T));
    at_ += sizeof(T);
    return value;
  }

 private:
  const Op* op_;
  Warp& w_;
  int lane_;
  std::uint64_t buffer_, at_ = 0;
};

template <class T>
void append(std::string& out, const std::string& spec, T value) {
  char text[512];
  const int length = std::snprintf(text, sizeof(text), spec.c_str(), value);
  if (length > 0) out.append(text, std::min<std::size_t>(static_cast<std::size_t>(length), sizeof(text) - 1));
}

std::string formatted(const Op* op, Warp& w, int lane, const std::string& format, std::uint64_t buffer, int& count) {
  Arguments arguments(op, w, lane, buffer);
  std::string out;
  for (std::size_t i = 0; i < format.size(); ++i) {
    if (format[i] != '%') {
      out += format[i];
      continue;
    }
    if (i + 1 < format.size() && format[i + 1] == '%') {
      out += '%', ++i;
      continue;
    }
    std::string spec = "%", shorts;
    int longs = 0;
    std::size_t k = i + 1;
    for (; k < format.size() && std::strchr("-+ #0123456789.*hlLjzt", format[k]) != nullptr; ++k) {
      if (format[k] == '*')
        spec += std::to_string(arguments.take<int>());
      else if (std::strchr("hljztL", format[k]) == nullptr)
        spec += format[k];
      if (format[k] == 'h') shorts += 'h';
      longs += format[k] == 'l' || format[k] == 'z' || format[k] == 'j' || format[k] == 't' ? 1 : 0;
    }
    if (k >= format.size()) return out + format.substr(i);
    const char kind = format[k];
    i = k;
    ++count;
    switch (kind) {
      case 'd':
      case 'i':
        if (longs > 0)
          append(out, spec + "lld", static_cast<long long>(arguments.take<std::int64_t>()));
        else
          append(out, spec + shorts + "d", arguments.take<int>());
        break;
      case 'u':
      case 'x':
      case 'X':
      case 'o':
        if (longs > 0)
          append(out, spec + "ll" + kind, static_cast<unsigned long long>(arguments.take<std::uint64_t>()));
        else
          append(out, spec + shorts + kind, arguments.take<unsigned>());
        break;
      case 'c':
        append(out, spec + "c", arguments.take<int>());
        break;
      case 'p':
        append(out, "%s",
               ("0x" +
                [&] {
                  char text[32];
                  std::snprintf(text, sizeof(text), "%llx",
                                static_cast<unsigned long long>(arguments.take<std::uint64_t>()));
                  return std::string(text);
                }())
                   .c_str());
        break;
      case 's':
        append(out, spec + "s", read_text(op, w, lane, arguments.take<std::uint64_t>()).c_str());
        break;
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
      case 'a':
      case 'A':
        append(out, spec + kind, arguments.take<double>());
        break;
      default:
        out += format.substr(i, 1);
    }
  }
  return out;
}

std::uint64_t local_value(const Op* op, Warp& w, int lane, Place place) {
  const std::uint64_t offset = lanes_at<const std::uint64_t>(w, place)[lane];
  std::uint64_t value = 0;
  read_memory(op, w, lane, local_window + offset, &value, 8);
  return value;
}

}  // namespace

const Op* run_printf(const Op* op, Warp& w) {
  for_lanes(w.mask, [&](int lane) {
    const std::uint64_t format = local_value(op, w, lane, op->a), buffer = local_value(op, w, lane, op->b);
    int count = 0;
    w.block->printed += formatted(op, w, lane, read_text(op, w, lane, format), buffer, count);
    if (op->d == no_place) return;
    const std::uint64_t result = lanes_at<const std::uint64_t>(w, op->d)[lane];
    write_local(w, lane, result, &count, sizeof(count));
  });
  return op + 1;
}

const Op* run_assert_fail(const Op* op, Warp& w) {
  const int lane = __builtin_ctz(w.mask);
  const std::string message = read_text(op, w, lane, local_value(op, w, lane, op->list[0]));
  const std::string file = read_text(op, w, lane, local_value(op, w, lane, op->list[1]));
  const std::uint64_t line_at = lanes_at<const std::uint64_t>(w, op->list[2])[lane];
  std::uint32_t line = 0;
  read_memory(op, w, lane, local_window + line_at, &line, 4);
  const std::string function = read_text(op, w, lane, local_value(op, w, lane, op->list[3]));
  fault(FaultKind::assertion, op, w, lane,
        file + ":" + std::to_string(line) + ": " + function + ": assertion `" + message + "` failed");
}

}  // namespace tilejit::emulator
