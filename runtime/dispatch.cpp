#include <tilejit/runtime/dispatch.h>

#include <algorithm>

namespace tilejit {

Dispatch::~Dispatch() = default;

const Prepared* Dispatch::Reader::find(const Signature& signature) const {
  // Sequentially consistent, as the count and the writer's exchange are: a writer that reads a count of 0 after taking
  // an entry out knows that whoever counts later finds it gone.
  const Prepared* prepared = dispatch_.table_[slot_of(signature)].load();
  if (prepared == nullptr || !std::ranges::equal(prepared->signature, signature.words())) return nullptr;
  return prepared;
}

std::shared_ptr<const Prepared> Dispatch::find_owner(const Signature& signature) const {
  const Slot& owner = owners_[slot_of(signature)];
  return owner && std::ranges::equal(owner->signature, signature.words()) ? owner : nullptr;
}

void Dispatch::replace(std::size_t slot, Slot prepared) {
  table_[slot].store(prepared.get());
  if (owners_[slot]) retired_.push_back(std::move(owners_[slot]));
  owners_[slot] = std::move(prepared);
  if (readers_.load() == 0) retired_.clear();
}

void Dispatch::insert(const Signature& signature, std::shared_ptr<const Prepared> prepared) {
  replace(slot_of(signature), std::move(prepared));
}

void Dispatch::forget(const LoadedKernel* loaded) {
  for (std::size_t slot = 0; slot < slots; ++slot) {
    if (owners_[slot] && owners_[slot]->loaded.get() == loaded) replace(slot, nullptr);
  }
}

void Dispatch::clear() {
  for (std::size_t slot = 0; slot < slots; ++slot) replace(slot, nullptr);
}

}  // namespace tilejit
