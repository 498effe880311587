#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace ictus::exec {

/// A GPU on which loops can run. Everything that names CUDA is in this folder; without ICTUS_CUDA there is none.
class Device {
 public:
  /// The first GPU. Throws base::InputError that says why there is none.
  static std::shared_ptr<const Device> open();

  const std::string& name() const { return name_; }
  /// Memory that is free now (bytes).
  std::size_t free_memory() const;
  /// Waits until all that was launched is done. Throws base::NumericalFailure if something failed.
  void wait() const;

 private:
  Device() = default;

  std::string name_;
};

/// A sequence of launches that a device takes as one.
class DeviceGraph {
 public:
  DeviceGraph() = default;
  DeviceGraph(const DeviceGraph&) = delete;
  DeviceGraph& operator=(const DeviceGraph&) = delete;
  ~DeviceGraph();

  bool is_empty() const { return !graph_; }
  /// Notes all that `launch(stream)` launches, instead of what it holds.
  void record(void (*launch)(void* context, void* stream), void* context);
  void replay() const;

 private:
  void clear();

  void* graph_ = nullptr;
};

/// Memory of a device. Empty where there is none.
class DeviceMemory {
 public:
  DeviceMemory() = default;
  DeviceMemory(std::size_t bytes, const std::string& what);
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;
  DeviceMemory(DeviceMemory&& other) noexcept : data_(std::exchange(other.data_, nullptr)) {}
  DeviceMemory& operator=(DeviceMemory&& other) noexcept {
    std::swap(data_, other.data_);
    return *this;
  }
  ~DeviceMemory();

  void* data() const { return data_; }
  void upload(const void* from, std::size_t bytes) const;
  void download(void* to, std::size_t bytes) const;

 private:
  void* data_ = nullptr;
};

/// A list that lies on the host, or on a device. Loops over items read it through `data()`, wherever they run.
template <class T>
class PlacedArray {
 public:
  PlacedArray() = default;
  /// On the device where there is one.
  PlacedArray(std::vector<T> values, const Device* device) : size_(values.size()) {
    if (!device) {
      host_ = std::move(values);
    } else if (size_ > 0) {
      memory_ = DeviceMemory(size_ * sizeof(T), "lists of a mesh");
      memory_.upload(values.data(), size_ * sizeof(T));
    }
  }

  std::size_t size() const { return size_; }
  T* data() { return memory_.data() ? static_cast<T*>(memory_.data()) : host_.data(); }
  const T* data() const { return memory_.data() ? static_cast<const T*>(memory_.data()) : host_.data(); }

  void read(std::span<T> to) const {
    if (memory_.data()) {
      memory_.download(to.data(), to.size_bytes());
    } else {
      std::copy_n(host_.begin(), to.size(), to.begin());
    }
  }
  void write(std::span<const T> from) {
    if (memory_.data()) {
      memory_.upload(from.data(), from.size_bytes());
    } else {
      std::copy(from.begin(), from.end(), host_.begin());
    }
  }

 private:
  std::size_t size_ = 0;
  std::vector<T> host_;
  DeviceMemory memory_;
};

}  // namespace ictus::exec
