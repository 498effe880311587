#include <ictus/base/error.hpp>
#include <ictus/base/version.hpp>
#include <iostream>
#include <string>

int main() {
  std::cout << "ictus " << ictus::base::version << '\n';
  try {
    throw ictus::base::InputError({"scene.yaml", 3, "time.step", "must be positive"});
  } catch (const ictus::base::InputError& error) {
    return error.what() == std::string("scene.yaml:3: time.step: must be positive") ? 0 : 1;
  }
}
