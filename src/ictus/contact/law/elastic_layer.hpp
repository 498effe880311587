#pragma once

namespace ictus::contact {

/// An elastic layer between two surfaces, with an energy φ of the gap g that vanishes while the gap is open:
///   φ = ½ k min(g, 0)²,                       thickness 0: the gap has a sign, and the layer may be pressed at will,
///   φ = ½ k g² δ/(g + δ) for g < 0,           thickness δ: no finite energy brings the distance d = g + δ to zero.
/// Both are convex [eq. exact-contact-22].
struct ElasticLayer {
  double stiffness = 0;  ///< k (N/m); zero: no layer
  double thickness = 0;  ///< δ (m)
  double returned = 1;   ///< η in [0, 1]: what it gives back of its energy when it opens

  /// φ(g) (J); finite for any gap, a foreseen one below −δ included.
  double energy(double gap) const;
  /// λ = −h (φ(G) − φ(a))/(G − a), η of it while the layer opens, for the gap G = free + h W λ to which it leads: the
  /// one answer [eq. exact-contact-6, exact-contact-24]. a is the gap one step before, `free` the gap one step ahead
  /// without this impulse, `inertia` W.
  double impulse(double before, double free, double h, double inertia) const;
  /// ½ (1 − η)(φ(a) − φ(G)) of a layer that opens from the gap a to G: what it gives up and nobody gets (J).
  double lost(double before, double after) const;
  /// ½ λ (G − a)/h + ½ (φ(G) − φ(a)) + lost: what an impulse does besides what the layer pays for (J), zero for that of
  /// `impulse` [eq. exact-contact-34].
  double unpaid(double before, double after, double h, double impulse) const;
};

}  // namespace ictus::contact
