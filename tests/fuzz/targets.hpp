#pragma once

#include <array>
#include <string>
#include <string_view>

/// What reads input from outside, each as a function that may be given any bytes: it reads them or throws nothing. A
/// crash, a hang, an exception that is no base::InputError and a message without a word are defects.
/// tests/fuzz/libfuzzer makes a coverage-guided fuzzer of each (`make fuzz`), replay_test.cpp gives each what the
/// fuzzers found.
namespace ictus::fuzz {

void scene(std::string_view bytes);      ///< a scene, read, written resolved and read again
void overrides(std::string_view bytes);  ///< `--set` path=value, a line each, on a scene
void gmsh(std::string_view bytes);       ///< a .msh file
void abaqus(std::string_view bytes);     ///< an .inp file
void obj(std::string_view bytes);        ///< surfaces
void stl(std::string_view bytes);
void ply(std::string_view bytes);
void siconos(std::string_view bytes);     ///< a contact problem as text (.dat)
void fclib(std::string_view bytes);       ///< the datasets of a contact problem in HDF5
void signal(std::string_view bytes);      ///< an accelerogram
void robot(std::string_view bytes);       ///< a mechanism as URDF or MJCF, and the scene made of it
void deck(std::string_view bytes);        ///< a deck of Abaqus or LS-DYNA, and the scene made of it
void checkpoint(std::string_view bytes);  ///< a checkpoint: its file, and states that do not fit
void results(std::string_view bytes);     ///< files of a run; the first byte says which
void http(std::string_view bytes);        ///< a request to the server of a run

struct Target {
  std::string_view name;
  void (*read)(std::string_view bytes);
};
inline constexpr std::array targets{
    Target{"scene", scene},
    Target{"overrides", overrides},
    Target{"gmsh", gmsh},
    Target{"abaqus", abaqus},
    Target{"obj", obj},
    Target{"stl", stl},
    Target{"ply", ply},
    Target{"siconos", siconos},
    Target{"fclib", fclib},
    Target{"signal", signal},
    Target{"robot", robot},
    Target{"deck", deck},
    Target{"checkpoint", checkpoint},
    Target{"results", results},
    Target{"http", http},
};

}  // namespace ictus::fuzz
