#pragma once

/// True if a double pendulum described here, outside the library, strikes its wall and keeps its energy.
bool own_system_keeps_its_energy();

/// True if it strikes a rigid ball, which flies off, and the account of the energy closes to round-off.
bool own_system_strikes_a_ball();
