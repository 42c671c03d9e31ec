#pragma once
#include <memory>

#include <tilejit/cache/export.h>
#include <tilejit/runtime/handles.h>

namespace tilejit {

struct Driver;
class Device;

/// A stream of anybody's; owns nothing. Converts from a CUstream; nullptr is the context's default stream.
class TILEJIT_API StreamRef {
 public:
  StreamRef(StreamHandle handle) : handle_(handle) {}
  StreamHandle handle() const { return handle_; }

 private:
  StreamHandle handle_;
};

/// An owned stream; move-only, converts to StreamRef. Keeps its driver and context alive.
class TILEJIT_API Stream {
 public:
  explicit Stream(const Device& device);
  Stream(Stream&&) noexcept;
  Stream& operator=(Stream&&) noexcept;
  ~Stream();
  operator StreamRef() const { return handle_; }
  StreamHandle handle() const { return handle_; }
  void synchronize() const;

 private:
  std::shared_ptr<const void> keep_;
  StreamHandle handle_ = nullptr;
};

/// An owned event with timing.
class TILEJIT_API Event {
 public:
  explicit Event(const Device& device);
  Event(Event&&) noexcept;
  Event& operator=(Event&&) noexcept;
  ~Event();
  EventHandle handle() const { return handle_; }
  void record(StreamRef stream) const;
  void synchronize() const;
  float milliseconds_since(const Event& start) const;  ///< both recorded and done

 private:
  std::shared_ptr<const void> keep_;
  EventHandle handle_ = nullptr;
};

}  // namespace tilejit
