#pragma once

/// True if a double pendulum described here, outside the library, strikes its wall and keeps its energy.
bool own_system_keeps_its_energy();
