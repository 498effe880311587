#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace ictus::study {

/// How far a section that the march in space reached lies from where the run in time had it: the most over all times.
struct SectionError {
  double arc_length = 0;  ///< s (m)
  double position = 0;    ///< m
  double turn = 0;        ///< rad
};

/// A run in time integrated again along the beam from what its first two sections did, and compared.
struct Reconstruction {
  std::string body;
  std::size_t times = 0;
  double length = 0;                   ///< of the beam (m)
  double growth = 1;                   ///< of rounding errors from one section to the next, at most
  std::vector<SectionError> sections;  ///< from s = 2 Δs on
  std::string stopped;                 ///< why the march ended before the last section; empty: it did not
};

/// Repeats the run in a folder, keeps the poses of all sections at all times, and marches in space from those of the
/// first two [eq. lie-beam-30], the momenta at the first and the last time being those of the run. Both directions
/// solve the same discrete equations, so that only rounding sets them apart, which grows from section to section where
/// the reverse Courant condition is broken [eq. lie-beam-35]. `body` may be empty where there is one beam.
/// Throws base::InputError for runs in space, and for those that met a plane.
Reconstruction reconstruct(const std::filesystem::path& folder, const std::string& body, int threads);

/// For people.
std::string to_text(const Reconstruction& reconstruction);

}  // namespace ictus::study
