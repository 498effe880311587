#include "program.hpp"

int main(int argc, char** argv) { return ictus::program::run_program(argc, argv); }
