#include <tilejit/runtime/emulator/driver/device.h>

#include <atomic>
#include <cstdio>
#include <thread>

namespace tilejit::emulator {
namespace {

std::atomic<Device*>& instance() {
  static std::atomic<Device*> device{nullptr};
  return device;
}

std::string device_name(const Settings& s) {
  return "TileJIT emulated device (" + std::to_string(s.major) + "." + std::to_string(s.minor) + ")";
}

Schedule schedule_of(const Settings& s, const Facts& facts) {
  Schedule schedule;
  const unsigned cores = std::thread::hardware_concurrency();
  schedule.workers = s.workers > 0 ? s.workers : static_cast<int>(cores == 0 ? 1 : cores);
  schedule.deterministic = s.deterministic;
  schedule.shuffle = s.shuffle;
  schedule.check_unwritten = s.check_unwritten;
  schedule.check_races = s.check_races;
  schedule.plain_mma = s.plain_mma;
  schedule.sms = facts.sms;
  return schedule;
}

}  // namespace

Device::Device(const Settings& s)
    : settings(s),
      facts(facts_of(s.major, s.minor)),
      table(OpTable::of_host(s.instruction_set)),
      name(device_name(s)),
      memory(s.memory),
      schedule(schedule_of(s, facts)) {
  if (s.check_unwritten) memory.track(true);
  primary.primary = true;
  primary.id = next_id++;
}

Device* device() { return instance().load(std::memory_order_acquire); }

bool initialise() {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (device() != nullptr) return true;
  const Settings settings = read_settings();
  if (!settings.problem.empty()) {
    std::fprintf(stderr, "emulated device: %s\n", settings.problem.c_str());
    return false;
  }
  instance().store(new Device(settings), std::memory_order_release);  // lives as long as the process
  return true;
}

std::vector<CUcontext>& context_stack() {
  thread_local std::vector<CUcontext> stack;
  return stack;
}

}  // namespace tilejit::emulator
