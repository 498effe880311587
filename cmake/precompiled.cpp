// Nothing: cmake/IctusFlags.cmake hangs precompiled headers on this file.
