#include <ictus/exec/device/device.hpp>

#include <ictus/base/error.hpp>
#if defined(__CUDACC__)
#include <cuda_runtime.h>
#endif

namespace ictus::exec {

#if defined(__CUDACC__)

namespace {

[[noreturn]] void fail(cudaError_t error, const std::string& what) {
  const std::string advice = error == cudaErrorMemoryAllocation ? "Use a coarser mesh, or run without --device"
                                                                : "Run without --device; `nvidia-smi` tells of the GPU";
  throw base::NumericalFailure("the GPU cannot go on: " + std::string(cudaGetErrorString(error)), what, advice);
}

void require(cudaError_t error, const std::string& what) {
  if (error != cudaSuccess) fail(error, what);
}

}  // namespace

std::shared_ptr<const Device> Device::open() {
  int count = 0;
  const cudaError_t found = cudaGetDeviceCount(&count);
  if (found != cudaSuccess || count == 0) {
    const std::string why = found == cudaSuccess ? "this machine has none" : cudaGetErrorString(found);
    throw base::InputError({"", 0, "--device", "cuda needs a GPU: " + why});
  }
  cudaDeviceProp properties{};
  require(cudaGetDeviceProperties(&properties, 0), "properties of the GPU");
  auto device = std::shared_ptr<Device>(new Device);
  device->name_ = properties.name;
  return device;
}

std::size_t Device::free_memory() const {
  std::size_t free = 0, total = 0;
  require(cudaMemGetInfo(&free, &total), "memory of the GPU");
  return free;
}

void Device::wait() const { require(cudaDeviceSynchronize(), "a step"); }

void DeviceGraph::record(void (*launch)(void*, void*), void* context) {
  clear();
  cudaStream_t stream = nullptr;
  cudaGraph_t launches = nullptr;
  cudaGraphExec_t graph = nullptr;
  require(cudaStreamCreate(&stream), "a stream");
  cudaError_t error = cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  if (error == cudaSuccess) {
    launch(context, stream);
    error = cudaStreamEndCapture(stream, &launches);
  }
  if (error == cudaSuccess) error = cudaGraphInstantiate(&graph, launches, 0);
  cudaGraphDestroy(launches);
  cudaStreamDestroy(stream);
  require(error, "a graph of steps");
  graph_ = graph;
}

void DeviceGraph::replay() const { require(cudaGraphLaunch(static_cast<cudaGraphExec_t>(graph_), nullptr), "steps"); }

void DeviceGraph::clear() {
  if (graph_) cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(graph_));
  graph_ = nullptr;
}

DeviceGraph::~DeviceGraph() { clear(); }

DeviceMemory::DeviceMemory(std::size_t bytes, const std::string& what) {
  require(cudaMalloc(&data_, bytes), what + ", " + std::to_string(bytes) + " bytes");
}

DeviceMemory::~DeviceMemory() { cudaFree(data_); }

void DeviceMemory::upload(const void* from, std::size_t bytes) const {
  require(cudaMemcpy(data_, from, bytes, cudaMemcpyHostToDevice), "a copy to the GPU");
}

void DeviceMemory::download(void* to, std::size_t bytes) const {
  require(cudaMemcpy(to, data_, bytes, cudaMemcpyDeviceToHost), "a copy from the GPU");
}

#else

std::shared_ptr<const Device> Device::open() {
  throw base::InputError({"", 0, "--device", "cuda is not in this build of Ictus: configure it with -DICTUS_CUDA=ON"});
}

std::size_t Device::free_memory() const { return 0; }

void Device::wait() const {}

// Without a Device nobody asks for its graphs and memory.
void DeviceGraph::record(void (*)(void*, void*), void*) {}

void DeviceGraph::replay() const {}

void DeviceGraph::clear() {}

DeviceGraph::~DeviceGraph() = default;

DeviceMemory::DeviceMemory(std::size_t, const std::string& what) {
  throw base::NumericalFailure("there is no GPU", what, "Run without --device");
}

DeviceMemory::~DeviceMemory() = default;

void DeviceMemory::upload(const void*, std::size_t) const {}

void DeviceMemory::download(void*, std::size_t) const {}

#endif

}  // namespace ictus::exec
