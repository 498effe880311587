#include <ictus/mechanics/shell/shell_items.hpp>

#include <ictus/exec/device/tile_steps_run.hpp>

template class ictus::exec::TileSteps<ictus::mechanics::ShellItems>;
