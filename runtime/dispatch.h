#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include <tilejit/runtime/prepared.h>
#include <tilejit/runtime/signature.h>

namespace tilejit {

/// From a call's exact signature to what was prepared for it. Readers take no lock and wait for nobody; writers are
/// serialised by their caller. A direct-mapped table: a newcomer takes the place of what stood there.
class Dispatch {
 public:
  Dispatch() = default;
  ~Dispatch();
  Dispatch(const Dispatch&) = delete;
  Dispatch& operator=(const Dispatch&) = delete;

  /// Pins what find() returns for the scope's life.
  class Reader {
   public:
    explicit Reader(Dispatch& dispatch) : dispatch_(dispatch) { dispatch_.readers_.fetch_add(1); }
    ~Reader() { dispatch_.readers_.fetch_sub(1, std::memory_order_release); }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    const Prepared* find(const Signature& signature) const;

   private:
    Dispatch& dispatch_;
  };

  /// For writers: what find() would give, shared.
  std::shared_ptr<const Prepared> find_owner(const Signature& signature) const;
  void insert(const Signature& signature, std::shared_ptr<const Prepared> prepared);
  void forget(const LoadedKernel* loaded);  ///< drops what would launch it
  void clear();

 private:
  using Slot = std::shared_ptr<const Prepared>;
  static constexpr std::size_t slots = 256;
  static std::size_t slot_of(const Signature& signature) { return signature.hash() % slots; }
  void replace(std::size_t slot, Slot prepared);

  std::array<std::atomic<const Prepared*>, slots> table_{};
  std::array<Slot, slots> owners_;
  std::vector<Slot> retired_;  ///< taken out while a reader may still hold them
  std::atomic<long> readers_{0};
};

}  // namespace tilejit
