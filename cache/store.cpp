#include <tilejit/cache/store.h>

#include <algorithm>
#include <exception>
#include <thread>
#include <utility>

#include <tilejit/cache/layout.h>
#include <tilejit/cache/store_impl.h>

namespace tilejit {
namespace {

std::string in_tree(Shelf shelf, const Key& key) {
  return layout::relative_path(shelf, layout::shard_folder(key), layout::entry_file(key));
}

}  // namespace

Store::Impl::Impl(const StoreOptions& given)
    : options(given), calls(given.file_calls != nullptr ? *given.file_calls : system_file_calls()) {
  if (options.root.empty()) {
    why_memory_only = "no cache root is set";
    return;
  }
  try {
    opened = Tree::open(options.root, why_memory_only);
    if (opened != nullptr) return;
  } catch (const std::exception& error) {
    why_memory_only = error.what();
  }
  options.log.warn("the cache is kept in memory only: " + why_memory_only);
}

std::shared_ptr<const Tree> Store::Impl::tree() const {
  const std::lock_guard guard(tree_mutex);
  if (opened != nullptr && opened->gone()) {
    std::string why;
    if (std::shared_ptr<const Tree> again = Tree::open(options.root, why)) opened = std::move(again);
  }
  return opened;
}

void Store::Impl::warn_once(std::atomic<bool>& warned, const std::string& message) const {
  options.log.write(warned.exchange(true) ? LogLevel::debug : LogLevel::warning, message);
}

std::optional<Entry> Store::Impl::look_up(Shelf shelf, const Key& key) const {
  if (std::optional<Entry> entry = memory.get(shelf, key)) return entry;
  const std::shared_ptr<const Tree> disk = tree();
  if (disk == nullptr) return std::nullopt;
  std::string why;
  const std::optional<Folder> shard = disk->shelf(shelf).open(layout::shard_folder(key), Folder::Missing::refuse, why);
  if (!shard) return std::nullopt;
  const Folder::Bytes file = shard->read(layout::entry_file(key), largest_entry);
  if (file.outcome == Folder::Bytes::Outcome::absent) return std::nullopt;
  why = file.why;
  if (file.outcome == Folder::Bytes::Outcome::read)
    if (std::optional<Entry> entry = decode(file.bytes, key, &why)) return entry;
  ++damaged;
  warn_once(warned_damaged, "passed over a cache entry, " + in_tree(shelf, key) + ": " + why);
  return std::nullopt;
}

bool Store::Impl::publish(Shelf shelf, const Key& key, const Entry& entry) {
  const std::shared_ptr<const Tree> disk = tree();
  if (disk == nullptr) return false;
  std::string why;
  const std::optional<Folder> shard = disk->shelf(shelf).open(layout::shard_folder(key), Folder::Missing::create, why);
  const bool durable = options.durable || shelf == Shelf::tuning;
  const std::string file = encode(entry);
  if (file.size() > largest_entry) {
    why = "larger than an entry may be";
  } else if (shard && shard->publish(layout::entry_file(key), file, durable, calls, why)) {
    return true;
  }
  ++failed;
  warn_once(warned_unpublished, "an entry stays in memory only, " + in_tree(shelf, key) + ": " + why);
  return false;
}

Store::Store(const StoreOptions& options) : impl_(std::make_unique<Impl>(options)) {}
Store::~Store() = default;

std::optional<Entry> Store::get(Shelf shelf, const Key& key) const {
  try {
    std::optional<Entry> entry = impl_->look_up(shelf, key);
    ++(entry ? impl_->hits : impl_->misses);
    return entry;
  } catch (const std::exception& error) {
    impl_->options.log.warn(error.what());
  }
  ++impl_->misses;
  return std::nullopt;
}

Store::Turn Store::wait_turn(Shelf shelf, const Key& key) const {
  using Clock = std::chrono::steady_clock;
  Turn turn;
  try {
    const Clock::time_point deadline = Clock::now() + impl_->options.longest_wait;
    auto pause = std::chrono::milliseconds(1);
    for (;;) {
      const std::shared_ptr<const Tree> disk = impl_->tree();
      if (disk == nullptr) return turn;
      turn.lock = Lock::try_take(disk->version(), key);
      turn.entry = impl_->look_up(shelf, key);
      if (turn.entry) {
        turn.lock = Lock();
        ++impl_->hits;
        return turn;
      }
      if (turn.lock.state() != Lock::State::busy || Clock::now() >= deadline) return turn;
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, std::chrono::milliseconds(20));
    }
  } catch (const std::exception& error) {
    impl_->options.log.warn(error.what());
  }
  return turn;
}

bool Store::put(Shelf shelf, const Entry& entry) {
  try {
    const Key key = digest(entry.key_material);
    if (impl_->publish(shelf, key, entry)) {
      impl_->memory.remove(shelf, key);
      ++impl_->published;
      return true;
    }
    impl_->memory.put(shelf, key, entry);
  } catch (const std::exception& error) {
    ++impl_->failed;
    impl_->options.log.warn(error.what());
  }
  return false;
}

bool Store::remove(Shelf shelf, const Key& key) {
  try {
    const bool held = impl_->memory.remove(shelf, key);
    std::string why;
    const std::shared_ptr<const Tree> disk = impl_->tree();
    if (disk == nullptr) return held;
    const auto shard = disk->shelf(shelf).open(layout::shard_folder(key), Folder::Missing::refuse, why);
    return (shard && shard->remove(layout::entry_file(key))) || held;
  } catch (const std::exception& error) {
    impl_->options.log.warn(error.what());
  }
  return false;
}

bool Store::persistent() const { return impl_->why_memory_only.empty(); }
const std::string& Store::root() const { return impl_->options.root; }
const std::string& Store::why_memory_only() const { return impl_->why_memory_only; }

Store::Counters Store::counters() const {
  return {impl_->hits, impl_->misses, impl_->damaged, impl_->published, impl_->failed};
}

}  // namespace tilejit
