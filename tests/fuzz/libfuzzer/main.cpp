// A fuzzer of libFuzzer for the target that ICTUS_FUZZ_TARGET names.
#include <cstddef>
#include <cstdint>

#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ictus::fuzz::ICTUS_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
