#include <tilejit/runtime/emulator/execute/pool.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace tilejit::emulator {
namespace {

/// Threads that wait for work until the process ends; the library is never unloaded.
class Pool {
 public:
  void run(int count, const std::function<void(int)>& work) {
    const std::lock_guard turn(turn_);
    std::unique_lock lock(mutex_);
    while (static_cast<int>(started_) < count - 1) start();
    work_ = &work;
    wanted_ = count - 1;
    left_ = count - 1;
    ++round_;
    lock.unlock();
    wake_.notify_all();
    work(0);
    lock.lock();
    done_.wait(lock, [&] { return left_ == 0; });
    work_ = nullptr;
  }

 private:
  void start() {
    std::thread([this, index = ++started_, seen = round_]() mutable { serve(static_cast<int>(index), seen); }).detach();
  }
  void serve(int index, std::uint64_t seen) {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, [&] { return round_ != seen; });
      seen = round_;
      if (index > wanted_) continue;
      const std::function<void(int)>& work = *work_;
      lock.unlock();
      work(index);
      lock.lock();
      if (--left_ == 0) done_.notify_one();
    }
  }

  std::mutex turn_, mutex_;
  std::condition_variable wake_, done_;
  const std::function<void(int)>* work_ = nullptr;
  int wanted_ = 0, left_ = 0;
  std::uint64_t started_ = 0, round_ = 0;
};

}  // namespace

void run_on_workers(int count, const std::function<void(int)>& work) {
  if (count <= 1) return work(0);
  static Pool* pool = new Pool;  // never destroyed: its threads outlive everything
  pool->run(count, work);
}

}  // namespace tilejit::emulator
