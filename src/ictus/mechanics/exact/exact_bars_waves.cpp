#include <ictus/mechanics/exact/exact_bars_waves.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include <ictus/base/error.hpp>

// p incoming invariant, q outgoing invariant, Z impedance, Y = 1/Z admittance, F contact force; A left tip, B right tip

namespace ictus::mechanics {

namespace {

/// The end of a bar, or a wall, at a junction.
struct Tip {
  const StepSignal* incoming = nullptr;  // none: a wall, or nothing
  StepSignal* outgoing = nullptr;
  Tick travel = 0;
  std::size_t next = 1;  // the first piece of `incoming` that has not arrived
  double p = 0.0;
  double admittance = 0.0;  // 0: at rest whatever pushes it
  bool rigid = true;

  std::optional<Tick> arrival() const {
    if (incoming == nullptr || next == incoming->size()) return std::nullopt;
    return incoming->start(next) + travel;
  }
  /// Takes in every front that arrives up to `t`; whether there was one.
  bool receive(Tick t) {
    const std::size_t before = next;
    while (incoming != nullptr && next < incoming->size() && incoming->start(next) + travel <= t) ++next;
    if (next == before) return false;
    p = incoming->value(next - 1);
    return true;
  }
  /// What the contact law sees: a rigid tip does not move.
  double contact_p() const { return rigid ? 0.0 : p; }
};

struct JunctionState {
  Tip left, right;
  BarJunction* record = nullptr;
  bool can_touch = false;
  bool touching = false;
  double widest = 0.0;  // gap since the last contact ended
};

Tip start_of(WaveBar& bar) {
  return {&bar.left_wave, &bar.right_wave, bar.travel, 1, bar.velocity, bar.fixed_start ? 0.0 : 1.0 / bar.impedance,
          bar.fixed_start};
}

Tip end_of(WaveBar& bar) {
  return {&bar.right_wave, &bar.left_wave, bar.travel, 1, bar.velocity, bar.fixed_end ? 0.0 : 1.0 / bar.impedance,
          bar.fixed_end};
}

class WaveRun {
 public:
  WaveRun(std::vector<WaveBar>& bars, std::vector<BarJunction>& junctions, Clock clock, double t_end,
          double position_tolerance, std::size_t max_pieces)
      : clock_(clock), t_end_(t_end), position_tolerance_(position_tolerance), max_pieces_(max_pieces) {
    for (std::size_t j = 0; j < junctions.size(); ++j) {
      JunctionState junction;
      if (j > 0) junction.left = end_of(bars[j - 1]);
      if (j < bars.size()) junction.right = start_of(bars[j]);
      junction.record = &junctions[j];
      junction.can_touch =
          std::isfinite(junctions[j].gap.integral(0)) && !(junction.left.rigid && junction.right.rigid);
      junctions_.push_back(junction);
    }
    for (const WaveBar& bar : bars) fastest_ = std::max(fastest_, std::abs(bar.velocity));
    pieces_ = 2 * bars.size();
  }

  void run() {
    for (JunctionState& junction : junctions_) update(junction, 0, false);
    const Tick last = clock_.ticks(t_end_);
    for (Tick t = next_instant(); t <= last + same_instant(last); t = next_instant()) {
      for (JunctionState& junction : junctions_) {
        const bool closes = closes_at(junction, t);
        const bool left_front = junction.left.receive(t + same_instant(t));
        const bool right_front = junction.right.receive(t + same_instant(t));
        if (closes || left_front || right_front) update(junction, t, closes);
      }
      if (pieces_ > max_pieces_)
        throw base::NumericalFailure(
            fmt::format("the exact solution needs more than {} pieces", max_pieces_),
            fmt::format("waves of {} bars, t = {} s of {} s", junctions_.size() - 1, clock_.seconds(t), t_end_),
            "end earlier: fronts multiply with every contact of unlike bars");
    }
    for (JunctionState& junction : junctions_)
      for (ContactInterval& contact : junction.record->contacts) set_impulse(*junction.record, contact, last);
  }

 private:
  double gap(const JunctionState& junction, Tick t) const { return junction.record->gap.integral(t); }
  double rate(const JunctionState& junction) const {
    return junction.record->gap.value(junction.record->gap.size() - 1);
  }

  /// Below it a difference of invariants is round-off.
  double velocity_tolerance() const { return std::ldexp(fastest_, -48); }
  /// Below it a gap is round-off of the positions and displacements it comes from.
  double gap_tolerance(Tick t) const { return position_tolerance_ + velocity_tolerance() * clock_.seconds(t); }

  std::optional<Tick> closing_time(const JunctionState& junction) const {
    if (!(rate(junction) < 0.0)) return std::nullopt;
    const StepSignal& signal = junction.record->gap;
    const Tick since = signal.start(signal.size() - 1);
    const double wait = gap(junction, since) / -rate(junction);
    // A gap that closes only after the end needs no time that the clock can show.
    return wait > t_end_ ? std::nullopt : std::optional(since + clock_.ticks(wait));
  }

  bool closes_at(const JunctionState& junction, Tick t) const {
    const std::optional<Tick> closing = closing_time(junction);
    return closing && (*closing <= t || gap(junction, t) <= gap_tolerance(t));
  }

  /// The earliest front or closing. A closing that differs from a later front by round-off of the gap waits for it, so
  /// that waves which would meet in exact arithmetic meet.
  Tick next_instant() const {
    const Tick none = clock_.ticks(2.0 * t_end_);
    Tick front = none;
    Tick closing = none;
    double approach = 0.0;
    for (const JunctionState& junction : junctions_) {
      front = std::min({front, junction.left.arrival().value_or(none), junction.right.arrival().value_or(none)});
      const Tick closes = closing_time(junction).value_or(none);
      if (closes < closing) approach = -rate(junction);
      closing = std::min(closing, closes);
    }
    const bool waits = closing < front && approach * clock_.seconds(front - closing) <= gap_tolerance(closing);
    return waits ? front : std::min(front, closing);
  }

  /// Contact law [eq. exact-bars-5] and reflection [eq. exact-bars-7] at time t; `closes`: the gap has become zero.
  void update(JunctionState& junction, Tick t, bool closes) {
    const double p_a = junction.left.contact_p();
    const double p_b = junction.right.contact_p();
    const double approach = std::abs(p_a - p_b) <= velocity_tolerance() ? 0.0 : p_a - p_b;
    const double width = closes ? 0.0 : std::max(0.0, gap(junction, t));
    const bool pushing = junction.can_touch && approach > 0.0 && width <= gap_tolerance(t);
    double force = 0.0;
    double share_a = 0.0;  // of the approach velocity that A gives up
    double share_b = 0.0;
    if (pushing) {
      const double compliance = junction.left.admittance + junction.right.admittance;
      force = approach / compliance;
      share_a = junction.left.admittance / compliance;
      share_b = junction.right.admittance / compliance;
    }
    send(junction.left, (1.0 - 2.0 * share_a) * p_a + 2.0 * share_a * p_b, t);
    send(junction.right, (1.0 - 2.0 * share_b) * p_b + 2.0 * share_b * p_a, t);
    if (!junction.can_touch) return;
    junction.record->force.append(t, force, 0.0);
    record_gap(junction, t, pushing ? 0.0 : width, pushing ? 0.0 : -approach);
    record_contact(junction, t, pushing || (width == 0.0 && approach == 0.0), pushing);
  }

  /// `q` is what a movable tip sends; a held end sends −p [eq. exact-bars-3].
  void send(Tip& tip, double q, Tick t) {
    if (tip.outgoing == nullptr) return;
    const double sent = tip.rigid ? -tip.p : q;
    fastest_ = std::max(fastest_, std::abs(sent));
    if (tip.outgoing->append(t, sent, velocity_tolerance())) ++pieces_;
  }

  void record_gap(JunctionState& junction, Tick t, double width, double new_rate) {
    StepSignal& signal = junction.record->gap;
    if (width != signal.integral(t))
      signal.restart(t, new_rate, width);
    else
      signal.append(t, new_rate, 0.0);
  }

  void record_contact(JunctionState& junction, Tick t, bool touching, bool pushing) {
    std::vector<ContactInterval>& contacts = junction.record->contacts;
    const double now = clock_.seconds(t);
    if (!junction.touching) junction.widest = std::max(junction.widest, gap(junction, t));
    if (touching && !junction.touching) {
      const bool resumed = !contacts.empty() && junction.widest <= gap_tolerance(t);
      if (!resumed) contacts.push_back({.closed = now});
      contacts.back().opened = ContactInterval::lasting;
    }
    if (pushing) {
      if (std::isnan(contacts.back().pushed_from)) contacts.back().pushed_from = now;
      contacts.back().pushed_until = ContactInterval::lasting;
    } else if (junction.touching && std::isinf(contacts.back().pushed_until)) {
      contacts.back().pushed_until = now;
    }
    if (!touching && junction.touching) {
      contacts.back().opened = now;
      junction.widest = 0.0;
    }
    junction.touching = touching;
  }

  void set_impulse(const BarJunction& record, ContactInterval& contact, Tick last) const {
    const Tick from = clock_.ticks(contact.closed);
    const Tick to = std::isinf(contact.opened) ? last : clock_.ticks(contact.opened);
    contact.impulse = record.force.integral(to) - record.force.integral(from);
  }

  Clock clock_;
  double t_end_;
  double position_tolerance_;
  double fastest_ = 0.0;  // largest invariant so far
  std::size_t max_pieces_;
  std::size_t pieces_ = 0;
  std::vector<JunctionState> junctions_;
};

}  // namespace

void run_waves(std::vector<WaveBar>& bars, std::vector<BarJunction>& junctions, Clock clock, double t_end,
               double position_tolerance, std::size_t max_pieces) {
  WaveRun(bars, junctions, clock, t_end, position_tolerance, max_pieces).run();
}

}  // namespace ictus::mechanics
