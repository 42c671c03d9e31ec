#include "approximations.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <iomanip>
#include <istream>
#include <limits>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace tilejit::testing {
namespace {

constexpr std::uint64_t values_a_launch = 1 << 26;

double reciprocal(double x) { return 1 / x; }
double reciprocal_root(double x) { return 1 / std::sqrt(x); }

void take(double exact, std::uint32_t bits, double& ulp, double& absolute, float& at, float x) {
  const auto value = static_cast<double>(std::bit_cast<float>(bits));
  const auto nearest = static_cast<double>(static_cast<float>(exact));
  if (std::isnan(exact) || std::isinf(nearest) || std::isnan(value)) return;  // compared bit by bit above
  const double error = std::fabs(value - exact);
  const int exponent = exact == 0 ? -126 : std::max(std::ilogb(exact), -126);
  if (std::isinf(value)) return;
  absolute = std::max(absolute, error);
  const double here = std::ldexp(error, 23 - exponent);
  if (here > ulp) ulp = here, at = x;
}

void add(ErrorSum& to, const ErrorSum& from) {
  to.values += from.values, to.equal += from.equal;
  if (from.most_apart > to.most_apart) to.most_apart = from.most_apart, to.apart_at = from.apart_at;
  if (from.gpu_ulp > to.gpu_ulp) to.gpu_ulp = from.gpu_ulp, to.gpu_at = from.gpu_at;
  if (from.our_ulp > to.our_ulp) to.our_ulp = from.our_ulp, to.our_at = from.our_at;
  to.gpu_absolute = std::max(to.gpu_absolute, from.gpu_absolute);
  to.our_absolute = std::max(to.our_absolute, from.our_absolute);
}

ErrorSum measured(const Approximation& f, const Words& x, const Words& theirs, const Words& ours) {
  const std::size_t workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<ErrorSum> sums(workers);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < workers; ++k) {
    threads.emplace_back([&, k] {
      ErrorSum s;
      for (std::size_t i = x.size() * k / workers; i < x.size() * (k + 1) / workers; ++i) {
        const auto argument = std::bit_cast<float>(x[i]);
        ++s.values;
        s.equal += theirs[i] == ours[i] || steps_between(theirs[i], ours[i]) == 0;
        const std::uint64_t apart = steps_between(theirs[i], ours[i]);
        if (apart > s.most_apart) s.most_apart = apart, s.apart_at = argument;
        const double exact = f.exact(argument);
        take(exact, theirs[i], s.gpu_ulp, s.gpu_absolute, s.gpu_at, argument);
        take(exact, ours[i], s.our_ulp, s.our_absolute, s.our_at, argument);
      }
      sums[k] = s;
    });
  }
  for (std::thread& t : threads) t.join();
  ErrorSum all;
  for (const ErrorSum& s : sums) add(all, s);
  return all;
}

}  // namespace

Words run(const Card& card, const Approximation& f, const Words& x) {
  Words padded = x;
  padded.resize((x.size() + 255) / 256 * 256);
  Words out =
      card.run(approximation_kernel(f), {static_cast<unsigned>(padded.size() / 256), 256, 0}, {padded}, padded.size());
  out.resize(x.size());
  return out;
}

const std::vector<Approximation>& approximations() {
  constexpr float all = std::numeric_limits<float>::infinity();
  static const auto* list = new std::vector<Approximation>{
      {"ex2.approx.f32", [](double x) { return std::exp2(x); }, all, "2 ulp"},
      {"ex2.approx.ftz.f32", [](double x) { return std::exp2(x); }, all, "2 ulp"},
      {"lg2.approx.f32", [](double x) { return std::log2(x); }, all, "2^-22 absolute in (0.5, 2), else relative"},
      {"rsqrt.approx.f32", reciprocal_root, all, "2^-22.9 relative"},
      {"rcp.approx.f32", reciprocal, all, "1 ulp"},
      {"sqrt.approx.f32", [](double x) { return std::sqrt(x); }, all, "2^-23 relative"},
      {"tanh.approx.f32", [](double x) { return std::tanh(x); }, all, "2^-11 relative"},
      {"sin.approx.f32", [](double x) { return std::sin(x); }, 6.2831855F, "2^-20.5 absolute"},
      {"cos.approx.f32", [](double x) { return std::cos(x); }, 6.2831855F, "2^-20.5 absolute"},
  };
  return *list;
}

std::string approximation_kernel(const Approximation& f) {
  const std::string instruction = f.instruction;
  return ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 pd, .param .u64 px)\n{\n"
         ".reg .b32 %i, %t;\n.reg .b64 %at, %o;\n.reg .f32 %x;\n"
         "mov.u32 %i, %ctaid.x;\nmov.u32 %t, %tid.x;\nmad.lo.u32 %i, %i, 256, %t;\nmul.wide.u32 %o, %i, 4;\n"
         "ld.param.u64 %at, [px];\nadd.u64 %at, %at, %o;\nld.global.f32 %x, [%at];\n" +
         instruction + " %x, %x;\nld.param.u64 %at, [pd];\nadd.u64 %at, %at, %o;\nst.global.f32 [%at], %x;\nret;\n}\n";
}

Words sample_of(const Approximation& f) {
  Words x;
  std::uint32_t state = 12345;
  while (x.size() < golden_arguments) {
    state = state * 1664525u + 1013904223u;
    const std::uint32_t bits = state ^ state >> 15;
    if (std::fabs(std::bit_cast<float>(bits)) <= f.limit) x.push_back(bits);
  }
  return x;
}

std::uint64_t steps_between(std::uint32_t a, std::uint32_t b) {
  const bool nan_a = (a & 0x7FFFFFFF) > 0x7F800000, nan_b = (b & 0x7FFFFFFF) > 0x7F800000;
  if (nan_a || nan_b) return nan_a == nan_b ? 0 : std::uint64_t{1} << 32;
  const auto line = [](std::uint32_t u) {
    return (u >> 31) != 0 ? -static_cast<std::int64_t>(u & 0x7FFFFFFF) : static_cast<std::int64_t>(u);
  };
  const std::int64_t d = line(a) - line(b);
  return static_cast<std::uint64_t>(d < 0 ? -d : d);
}

void check_approximations(const Card& gpu, const Card& emulated, std::uint64_t stride, std::ostream* golden) {
  for (const Approximation& f : approximations()) {
    ErrorSum sum;
    const auto flush = [&](Words& x) {
      if (!x.empty()) add(sum, measured(f, x, run(gpu, f, x), run(emulated, f, x)));
      x.clear();
    };
    Words x;
    for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += stride) {
      const auto word = static_cast<std::uint32_t>(bits);
      const bool nan = (word & 0x7FFFFFFF) > 0x7F800000;
      if (f.limit == std::numeric_limits<float>::infinity() ? nan && bits % 4096 != 0
                                                            : nan || std::fabs(std::bit_cast<float>(word)) > f.limit) {
        continue;
      }
      x.push_back(word);
      if (x.size() == values_a_launch) flush(x);
    }
    flush(x);
    char text[400];
    std::snprintf(text, sizeof(text),
                  "%s: %llu values, %llu bit-equal, at most %llu apart (x = %a); error of the GPU %.3f ulp (x = %a), "
                  "%.3g absolute; ours %.3f ulp (x = %a), %.3g absolute; the ISA's bound: %s",
                  f.instruction, static_cast<unsigned long long>(sum.values),
                  static_cast<unsigned long long>(sum.equal), static_cast<unsigned long long>(sum.most_apart),
                  sum.apart_at, sum.gpu_ulp, sum.gpu_at, sum.gpu_absolute, sum.our_ulp, sum.our_at, sum.our_absolute,
                  f.bound);
    std::printf("%s\n", text);
    if (golden == nullptr) continue;
    *golden << "# " << text << "\nfunction " << f.instruction << "\nsample" << std::hex << std::setfill('0');
    for (const std::uint32_t word : run(gpu, f, sample_of(f))) *golden << ' ' << std::setw(8) << word;
    *golden << std::dec << "\napart " << sum.most_apart << "\n";
  }
}

std::map<std::string, ApproximationAnswer> read_approximation_answers(std::istream& in) {
  std::map<std::string, ApproximationAnswer> all;
  ApproximationAnswer* now = nullptr;
  for (std::string text; std::getline(in, text);) {
    if (text.empty() || text[0] == '#') continue;
    std::istringstream line(text);
    std::string word;
    line >> word;
    if (word == "function") {
      line >> word;
      now = &all[word];
    } else if (word == "sample" && now != nullptr) {
      for (std::uint32_t value = 0; line >> std::hex >> value;) now->sample.push_back(value);
    } else if (word == "apart" && now != nullptr) {
      line >> now->apart;
    } else {
      throw std::runtime_error("'" + text.substr(0, 40) + "' is not understood");
    }
  }
  return all;
}

}  // namespace tilejit::testing
