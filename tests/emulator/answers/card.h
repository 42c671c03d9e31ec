#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// One CUDA device behind one driver library, so that a GPU and the emulated device can stand side by side.
namespace tilejit::testing {

using Words = std::vector<std::uint32_t>;

class Card {
 public:
  /// The first device of a driver library ("libcuda.so.1" or the emulated one). Null: `why` says why there is none.
  static std::unique_ptr<Card> open(const std::string& library, std::string& why);
  ~Card();
  Card(const Card&) = delete;
  Card& operator=(const Card&) = delete;

  struct Shape {
    unsigned blocks = 1, threads = 32, shared = 0;
  };
  /// Loads the PTX, runs its kernel `k` with pointers to an output of `out_words` zeros and to each input, and gives
  /// the output. Throws std::runtime_error with the driver's words.
  Words run(const std::string& ptx, const Shape& shape, const std::vector<Words>& inputs, std::size_t out_words) const;

  const std::string& name() const { return name_; }
  int compute_capability() const { return compute_capability_; }  ///< 90
  /// An exported symbol of the library; null: it has none.
  void* symbol(const char* name) const;

 private:
  struct Entries;
  Card() = default;
  void check(int code, const char* what) const;
  std::unique_ptr<Entries> entries_;
  std::string name_;
  int compute_capability_ = 0;
};

}  // namespace tilejit::testing
