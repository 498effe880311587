// Notation: h interval, a lead of the instant over the momentum that arrives, T kinetic energy, V potential, f all
// forces, F = f·M⁻¹f.
#include <ictus/dynamics/beam/lie_beam_interval.hpp>

#include <ictus/mechanics/beam/lie_beam_state.hpp>

namespace ictus::dynamics {

BeamInterval before_the_start(const mechanics::LieBeamModel& model, double h) {
  BeamInterval interval;
  interval.lead = model.kick_time(0.0, h) - 0.5 * h;
  interval.span = h;
  return interval;
}

BeamBooking begin_interval(const BeamSweep& sweep, BeamInterval& interval) {
  const mechanics::LieBeamTotals& totals = sweep.totals;
  const mechanics::LieBeamKick& kick = totals.kick;
  const double h = sweep.h, v = totals.strain + totals.potential;
  BeamBooking booking;
  if (interval.h > 0.0) {
    const double moment_power = mechanics::moment_power(sweep.model, sweep.q, sweep.p);
    booking.moment_work = 0.5 * interval.h * (interval.moment_power + moment_power);
    const double arrived = kick.kinetic_in + v + 0.5 * interval.h * kick.power_in;
    booking.quadrature = interval.energy() + booking.moment_work - arrived;
  }
  const double lead = sweep.model.kick_time(interval.h, h) - 0.5 * h;
  booking.sub_step = (interval.lead - lead) * kick.power_in + (0.5 * (interval.lead * interval.lead - lead * lead) +
                                                               0.125 * (h * h - interval.span * interval.span)) *
                                                                  kick.force_sq;
  const double shadow = 0.125 * h * h * kick.force_sq;
  interval = {.h = h,
              .kinetic = totals.kinetic,
              .strain = totals.strain,
              .potential = totals.potential,
              .open = totals.kinetic + 0.5 * v,
              .lead = 0.5 * h,
              .span = h,
              .instant = kick.kinetic_out - 0.5 * h * kick.power_out + shadow,
              .shadow = shadow,
              .moment_power = mechanics::leaving_moment_power(sweep.model, sweep.q, sweep.q_next, sweep.p_next)};
  return booking;
}

}  // namespace ictus::dynamics
