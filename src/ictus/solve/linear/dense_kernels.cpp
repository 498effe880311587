#include <ictus/solve/linear/dense_kernels.hpp>

#include <dlfcn.h>

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace ictus::solve {

namespace {

constexpr const char* variable = "OPENBLAS_CORETYPE";
constexpr std::string_view unknown_processor = "Prescott";

/// The newest kernels of OpenBLAS that the processor can run, or nothing.
const char* fitting_kernels() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
      __builtin_cpu_supports("avx512vl"))
    return "SkylakeX";
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return "Haswell";
#endif
  return nullptr;
}

template <class Function>
Function* find(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_DEFAULT, name));
}

void choose() {
  auto* name = find<char*()>("openblas_get_corename");
  auto* leave = find<void()>("gotoblas_dynamic_quit");
  auto* enter = find<void()>("gotoblas_dynamic_init");
  const char* kernels = fitting_kernels();
  if (!name || !leave || !enter || !kernels || std::getenv(variable) || name() != unknown_processor) return;
  setenv(variable, kernels, 1);
  leave();
  enter();
  unsetenv(variable);
}

/// The sum of a product that threads share depends on how many they are.
void use_one_thread() {
  if (auto* set = find<void(int)>("openblas_set_num_threads")) set(1);
  if (auto* set = find<void(int)>("MKL_Set_Num_Threads")) set(1);
  if (auto* set = find<void(std::int64_t)>("bli_thread_set_num_threads")) set(1);
}

bool needs_lock() {
  auto* parallel = find<int()>("openblas_get_parallel");
  return parallel && parallel() == 0;
}

}  // namespace

void choose_dense_kernels() {
  static std::once_flag chosen;
  std::call_once(chosen, [] {
    choose();
    use_one_thread();
  });
}

std::unique_lock<std::mutex> lock_dense_kernels() {
  static std::mutex mutex;
  static const bool needed = needs_lock();
  return needed ? std::unique_lock(mutex) : std::unique_lock<std::mutex>();
}

}  // namespace ictus::solve
