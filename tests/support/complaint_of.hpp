#pragma once

#include <ictus/base/error.hpp>
#include <string>

namespace ictus::testing {

/// The first complaint of a call as one line; "no complaint" where it makes none.
template <class Call>
std::string complaint_of(Call call) {
  try {
    call();
  } catch (const base::InputError& error) {
    return base::to_string(error.mistakes().front());
  }
  return "no complaint";
}

}  // namespace ictus::testing
