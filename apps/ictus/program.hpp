#pragma once

namespace ictus::program {

/// The whole program: reads the command line, runs the command and returns the code to leave with.
int run_program(int argc, char** argv);

}  // namespace ictus::program
