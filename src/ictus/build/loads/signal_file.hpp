#pragma once

#include <filesystem>
#include <ictus/scene/spec/loads_spec.hpp>
#include <ictus/scene/text/units.hpp>
#include <string>

namespace ictus::build {

/// A CSV file of two columns, time and value, with their units in the header: `time (s), acceleration (m/s^2)` or
/// `t [ms]; a [g]`. Returns SI. Throws base::InputError naming file and line, and what was expected there.
scene::TableSpec read_signal_file(const std::filesystem::path& file, const scene::Dimension& dimension, double scale);

}  // namespace ictus::build
