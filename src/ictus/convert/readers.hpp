#pragma once

#include <ictus/convert/convert.hpp>
#include <ictus/convert/deck.hpp>
#include <ictus/convert/xml_file.hpp>

namespace ictus::convert {

/// The robot of a URDF file, and the model of an MJCF file. Mistakes and notes go to the findings.
Mechanism read_urdf(const Element& robot, const ImportOptions& options, Findings& findings);
Mechanism read_mjcf(const Element& mujoco, Findings& findings);
/// The model of an input file of Abaqus, and of a keyword file of LS-DYNA.
Deck read_abaqus(std::string_view text, const DeckUnits& units, Findings& findings);
Deck read_dyna(std::string_view text, const DeckUnits& units, Findings& findings);

}  // namespace ictus::convert
