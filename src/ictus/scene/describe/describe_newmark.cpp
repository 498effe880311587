#include <ictus/scene/describe/describe.hpp>

namespace ictus::scene {

Object<NewmarkSpec> describe_newmark() {
  Object<NewmarkSpec> object(
      "newmark",
      "Newmark's implicit method for bodies that do not touch, linear or not: stable at any step. Average acceleration "
      "by default, which keeps the energy of linear bodies to round-off; on others the ledger books what the "
      "trapezoidal rule misses as quadrature. It knows no contact, and a scene with contacts is refused.");
  object
      .field("gamma", &NewmarkSpec::gamma, number().at_least(0.5).at_most(1),
             "0.5 damps nothing and is of second order; above it fast motion is damped.")
      .field("beta", &NewmarkSpec::beta, number().at_least(0.25).at_most(1),
             "0.25 is the average acceleration; at least gamma/2, below which steps would be limited.")
      .check([](const NewmarkSpec& spec, const std::string& path, Reading& reading) {
        if (spec.beta < spec.gamma / 2)
          reading.mistake(path + ".beta", "must be at least gamma/2, otherwise large steps are unstable");
      });
  return object;
}

}  // namespace ictus::scene
