#include <tilejit/tools/device_call.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <string>

namespace tilejit::tool {

void add_device_option(CLI::App& command, std::string& kind) {
  command.add_option("--device", kind, "gpu or emulated; left out: a GPU if there is one")
      ->check(CLI::IsMember({"gpu", "emulated"}))
      ->type_name("KIND");
}

void add_seed_option(CLI::App& command, std::uint64_t& seed) {
  const auto whole = [](const std::string& text) {
    std::uint64_t value = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && at == end ? std::string() : "'" + text + "': a whole number below 2^64 is wanted";
  };
  command.add_option("--seed", seed, "Of the random data")->check(whole)->capture_default_str()->type_name("N");
}

DeviceKind device_kind_of(const std::string& kind) {
  if (kind == "gpu") return DeviceKind::gpu;
  return kind == "emulated" ? DeviceKind::emulated : DeviceKind::any;
}

std::vector<Image> images_of(const Call& call, std::uint64_t seed, Poison poison) {
  std::vector<Image> images;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    if (const auto* tensor = std::get_if<TensorArgument>(&call.arguments[i])) {
      images.push_back(image_of(*tensor, call.kernel->info.arguments[i].access, seed, i, poison));
    }
  }
  return images;
}

DeviceCall::DeviceCall(const Call& call, const Device& device, const std::vector<Image>& images) {
  views_.reserve(images.size());
  for (const CallArgument& argument : call.arguments) {
    if (const auto* tensor = std::get_if<TensorArgument>(&argument)) {
      const std::vector<std::byte>& bytes = images.at(memory_.size()).bytes;
      const std::int64_t shape[] = {std::int64_t(bytes.size())};
      memory_.push_back(device.copy_of_bytes(DType::u8, bytes, shape));
      void* origin = static_cast<std::byte*>(memory_.back().data()) + origin_of(*tensor);
      views_.emplace_back(origin, tensor->dtype, tensor->shape, tensor->strides);
      arguments_.emplace_back(views_.back());
    } else if (const auto* scalar = std::get_if<Argument>(&argument)) {
      arguments_.push_back(*scalar);
    } else {
      arguments_.emplace_back(nullptr);
    }
  }
}

std::vector<Image> DeviceCall::images(StreamRef stream) const {
  std::vector<Image> images;
  for (const Tensor& memory : memory_) images.push_back({memory.to_host_bytes(stream)});
  return images;
}

}  // namespace tilejit::tool
