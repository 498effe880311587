#include <ictus/mechanics/exact/exact_bars_march.hpp>

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

struct Place {
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

class March {
 public:
  March(std::vector<WaveBar>& bars, std::vector<BarJunction>& junctions, Clock clock, double t_end,
        double position_tolerance, std::size_t max_pieces)
      : clock_(clock), t_end_(t_end), position_tolerance_(position_tolerance), max_pieces_(max_pieces) {
    for (std::size_t j = 0; j < junctions.size(); ++j) {
      Place place;
      if (j > 0) place.left = end_of(bars[j - 1]);
      if (j < bars.size()) place.right = start_of(bars[j]);
      place.record = &junctions[j];
      place.can_touch = std::isfinite(junctions[j].gap.integral(0)) && !(place.left.rigid && place.right.rigid);
      places_.push_back(place);
    }
    for (const WaveBar& bar : bars) fastest_ = std::max(fastest_, std::abs(bar.velocity));
    pieces_ = 2 * bars.size();
  }

  void run() {
    for (Place& place : places_) update(place, 0, false);
    const Tick last = clock_.ticks(t_end_);
    for (Tick t = next_instant(); t <= last + same_instant(last); t = next_instant()) {
      for (Place& place : places_) {
        const bool closes = closes_at(place, t);
        const bool left_front = place.left.receive(t + same_instant(t));
        const bool right_front = place.right.receive(t + same_instant(t));
        if (closes || left_front || right_front) update(place, t, closes);
      }
      if (pieces_ > max_pieces_)
        throw base::NumericalFailure(
            fmt::format("the exact solution needs more than {} pieces", max_pieces_),
            fmt::format("waves of {} bars, t = {} s of {} s", places_.size() - 1, clock_.seconds(t), t_end_),
            "end earlier: fronts multiply with every contact of unlike bars");
    }
    for (Place& place : places_)
      for (ContactInterval& contact : place.record->contacts) set_impulse(*place.record, contact, last);
  }

 private:
  double gap(const Place& place, Tick t) const { return place.record->gap.integral(t); }
  double rate(const Place& place) const { return place.record->gap.value(place.record->gap.size() - 1); }

  /// Below it a difference of invariants is round-off.
  double velocity_tolerance() const { return std::ldexp(fastest_, -48); }
  /// Below it a gap is round-off of the positions and displacements it comes from.
  double gap_tolerance(Tick t) const { return position_tolerance_ + velocity_tolerance() * clock_.seconds(t); }

  std::optional<Tick> closing_time(const Place& place) const {
    if (!(rate(place) < 0.0)) return std::nullopt;
    const StepSignal& signal = place.record->gap;
    const Tick since = signal.start(signal.size() - 1);
    const double wait = gap(place, since) / -rate(place);
    // A gap that closes only after the end needs no time that the clock can show.
    return wait > t_end_ ? std::nullopt : std::optional(since + clock_.ticks(wait));
  }

  bool closes_at(const Place& place, Tick t) const {
    const std::optional<Tick> closing = closing_time(place);
    return closing && (*closing <= t || gap(place, t) <= gap_tolerance(t));
  }

  /// The earliest front or closing. A closing that differs from a later front by round-off of the gap waits for it, so
  /// that waves which would meet in exact arithmetic meet.
  Tick next_instant() const {
    const Tick none = clock_.ticks(2.0 * t_end_);
    Tick front = none;
    Tick closing = none;
    double approach = 0.0;
    for (const Place& place : places_) {
      front = std::min({front, place.left.arrival().value_or(none), place.right.arrival().value_or(none)});
      const Tick closes = closing_time(place).value_or(none);
      if (closes < closing) approach = -rate(place);
      closing = std::min(closing, closes);
    }
    const bool waits = closing < front && approach * clock_.seconds(front - closing) <= gap_tolerance(closing);
    return waits ? front : std::min(front, closing);
  }

  /// Contact law [eq. exact-bars-5] and reflection [eq. exact-bars-7] at time t; `closes`: the gap has become zero.
  void update(Place& place, Tick t, bool closes) {
    const double p_a = place.left.contact_p();
    const double p_b = place.right.contact_p();
    const double approach = std::abs(p_a - p_b) <= velocity_tolerance() ? 0.0 : p_a - p_b;
    const double width = closes ? 0.0 : std::max(0.0, gap(place, t));
    const bool pushing = place.can_touch && approach > 0.0 && width <= gap_tolerance(t);
    double force = 0.0;
    double share_a = 0.0;  // of the approach velocity that A gives up
    double share_b = 0.0;
    if (pushing) {
      const double compliance = place.left.admittance + place.right.admittance;
      force = approach / compliance;
      share_a = place.left.admittance / compliance;
      share_b = place.right.admittance / compliance;
    }
    send(place.left, (1.0 - 2.0 * share_a) * p_a + 2.0 * share_a * p_b, t);
    send(place.right, (1.0 - 2.0 * share_b) * p_b + 2.0 * share_b * p_a, t);
    if (!place.can_touch) return;
    place.record->force.append(t, force, 0.0);
    record_gap(place, t, pushing ? 0.0 : width, pushing ? 0.0 : -approach);
    record_contact(place, t, pushing || (width == 0.0 && approach == 0.0), pushing);
  }

  /// `q` is what a movable tip sends; a held end sends −p [eq. exact-bars-3].
  void send(Tip& tip, double q, Tick t) {
    if (tip.outgoing == nullptr) return;
    const double sent = tip.rigid ? -tip.p : q;
    fastest_ = std::max(fastest_, std::abs(sent));
    if (tip.outgoing->append(t, sent, velocity_tolerance())) ++pieces_;
  }

  void record_gap(Place& place, Tick t, double width, double new_rate) {
    StepSignal& signal = place.record->gap;
    if (width != signal.integral(t))
      signal.restart(t, new_rate, width);
    else
      signal.append(t, new_rate, 0.0);
  }

  void record_contact(Place& place, Tick t, bool touching, bool pushing) {
    std::vector<ContactInterval>& contacts = place.record->contacts;
    const double now = clock_.seconds(t);
    if (!place.touching) place.widest = std::max(place.widest, gap(place, t));
    if (touching && !place.touching) {
      const bool resumed = !contacts.empty() && place.widest <= gap_tolerance(t);
      if (!resumed) contacts.push_back({.closed = now});
      contacts.back().opened = ContactInterval::lasting;
    }
    if (pushing) {
      if (std::isnan(contacts.back().pushed_from)) contacts.back().pushed_from = now;
      contacts.back().pushed_until = ContactInterval::lasting;
    } else if (place.touching && std::isinf(contacts.back().pushed_until)) {
      contacts.back().pushed_until = now;
    }
    if (!touching && place.touching) {
      contacts.back().opened = now;
      place.widest = 0.0;
    }
    place.touching = touching;
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
  std::vector<Place> places_;
};

}  // namespace

void march_bars(std::vector<WaveBar>& bars, std::vector<BarJunction>& junctions, Clock clock, double t_end,
                double position_tolerance, std::size_t max_pieces) {
  March(bars, junctions, clock, t_end, position_tolerance, max_pieces).run();
}

}  // namespace ictus::mechanics
