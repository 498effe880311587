#pragma once

#include <ictus/dynamics/joint/joint.hpp>
#include <ictus/dynamics/joint/joint_rows.hpp>
#include <ictus/dynamics/system/step_report.hpp>
#include <ictus/dynamics/system/system.hpp>
#include <ictus/model/constraint_set.hpp>
#include <ictus/solve/linear/block_cholesky.hpp>
#include <span>
#include <vector>

namespace ictus::dynamics {

/// The joints of a System in a step of the leapfrog, at the level of positions: impulses Λ along the rows G at q_n
/// after which the free flight of all that they hold ends with
///   g(q_{n+1}) = 0,   by passes δΛ = −A⁻¹ g(q_{n+1}(p))/h,   A = G M⁻¹ Gᵀ   [eq. joints-3].
/// Contacts feel jointed bodies as they can move: their rows w are replaced by those that fit,
///   z = w − Gᵀ A⁻¹ G M⁻¹ w   [eq. joints-5],
/// whose impulses leave the velocities of all joints alone. Laws of impact on z·v are exact, and impulses along z take
/// −½ λ z·(v⁺ + v⁻) from the energy; what is left of the energy is the joints' own, ½ Λ·G(v⁺ + v⁻) [eq. joints-6].
/// Allocates nothing once warm, and does nothing where there are no joints.
class Joints {
 public:
  void prepare(const System& system);
  bool any() const { return !joints_.empty(); }

  /// What a joint must remember: its angle, beyond a turn, and what is stored by its spring.
  static constexpr std::size_t remembered = 2;

  /// The leapfrog at a node. Momenta are those that go with `inverse_mass`.
  struct Node {
    std::span<const double> q;
    double h;
    std::span<const double> inverse_mass;
    std::span<const double> before;  ///< p⁻ of all that is jointed
    std::span<double> p;
    std::vector<double>& memory;
  };

  /// The angles of a state at the start of a run.
  void lay_out(std::span<const double> q, std::vector<double>& memory) const;
  /// Rows and A at q_n.
  void begin(const Node& node);
  /// Springs and motors that give a torque or force, at the values that they have at `time`, for a time `duration`. On
  /// entry p is what other forces made of p⁻, on exit p*.
  void push(const Node& node, double time, double duration);
  /// What resists or keeps a rate, for as long, and what makes p fit, so that all joints are closed a step later.
  /// Throws base::NumericalFailure where they do not close.
  void open(const Node& node, double duration);
  /// The same without springs, dampers and motors, for impulses at the start that come on top of what p is.
  void reopen(const Node& node);
  /// before −= h f, f the springs'.
  void take_back_springs(double h, std::span<double> before) const;
  /// The constraints with rows that fit; the same where no row moves what is jointed.
  const model::ConstraintSet& fit(const model::ConstraintSet& constraints, std::span<const double> inverse_mass);
  /// Notes the impulse along a row as it was before it was made to fit.
  void note(std::span<const model::RowEntry> row, double impulse);
  /// What a node books: in a step everything; of contacts at the start, which come on top of what p is, the joints
  /// alone and the motors that lead; of half a kick at the start no work.
  enum class Books : unsigned char { all, joints, none };
  /// Closes the joints again after contact and books what they, their springs, dampers and motors took or gave, with
  /// the momentum from the world.
  void close(const Node& node, StepReport& report, Books books = Books::all);
  /// Gives p* of what is jointed as it was before joints did anything.
  void restore(std::span<double> kicked) const;
  std::span<const JointReaction> reactions() const { return reactions_; }

  /// Energy of the springs over the present interval (J).
  double stored(std::span<const double> memory) const;
  /// Dofs of all that is jointed, each once.
  std::span<const int> dofs() const { return dofs_; }
  /// Calls push(row, impulse) for the impulses that joints gave to dofs that follow a motion.
  template <class F>
  void for_each_driven_push(F&& push) const {
    for (std::size_t i = 0; i < joints_.size(); ++i) {
      if (joints_[i].drive.follows < 0) continue;
      const model::RowEntry entry{joints_[i].drive.follows, -drive_scale(i), model::RowEntry::Kind::guided};
      push(std::span(&entry, 1), impulse_[i][row_of_drive(i)]);
    }
  }

 private:
  using Vector = solve::BlockCholesky::Vector;
  using Block = solve::BlockCholesky::Block;

  /// What moves by itself: a frame, a node, a dof along a guide, or one that follows a motion.
  struct Mover {
    enum class Kind : unsigned char { rigid, section, node, guided, driven } kind;
    int dof;
    const mechanics::NodalBody* body;
    std::size_t size() const { return turns() ? 6 : kind == Kind::node ? 3 : 1; }
    bool turns() const { return kind == Kind::rigid || kind == Kind::section; }
  };
  /// The part of the rows of a joint that acts on a mover.
  struct Column {
    int joint, mover;
    std::size_t side;                         ///< of the joint
    std::size_t first_guide = 0, guides = 0;  ///< into guides_, of movers that do not turn
  };
  /// What resists or keeps the rate s of a joint's coordinate: a damper, friction and a motor that keeps a speed. Of
  /// the latter two each has a rate at which it holds, its target, with at most so much impulse, and slides with that
  /// much at every other rate; the impulse falls with s, in steps [eq. joints-10].
  struct Grip {
    int joint;
    std::size_t count = 0;                       ///< of targets, which grow
    std::array<double, 2> target{}, strength{};  ///< rad/s or m/s; largest impulses
    std::array<double, 2> of_motor{};            ///< share of each that is the motor's
    /// 2k + 1 where it holds at target k, 2k where it slides between targets k − 1 and k.
    std::size_t regime = 0;
    double held = 0;  ///< impulse at the target at which it holds

    bool holds() const { return regime % 2 == 1; }
    double impulse(std::size_t k) const {
      if (regime == 2 * k + 1) return held;
      return k < regime / 2 ? -strength[k] : strength[k];
    }
    double slid() const;
  };
  /// Joints that share what moves, directly or through others, and all that they hold.
  struct Mechanism {
    std::vector<int> joints, movers;
  };
  /// A_ij += G_left M⁻¹ G_rightᵀ.
  struct Product {
    int left, right;
    solve::BlockCholesky::Slot slot;
  };

  int mover_of(int dof, Mover::Kind kind, const System& system);
  int mover_of_guide(int dof, const System& system);
  void add_end(int joint, const JointEnd& end, std::size_t side, const System& system);
  void add_tie(int joint, const System& system);
  static std::vector<Joint> joints_of_ties(const System& system);
  void list_columns(const System& system);
  void list_products(const System& system);
  int row_of_drive(std::size_t i) const { return static_cast<int>(row_count_[i]) - 1; }
  double drive_scale(std::size_t i) const { return turns_freely(joints_[i].type) ? joints_[i].size : 1; }
  void set_gradient(std::span<const double> q, std::size_t i, const JointPose& pose, const JointRows& rows);
  void assemble(std::span<const double> inverse_mass, solve::BlockCholesky& matrix);
  void fly(const Node& node);
  void measure_joint(const Node& node, std::size_t i);
  double measure(const Node& node);
  void close_gaps(const Node& node, const solve::BlockCholesky& matrix);
  void open_gripped(const Node& node, double duration);
  void begin_grip(Grip& grip, double duration) const;
  void set_soft_row(const Grip& grip, double duration);
  bool reconsider(Grip& grip, const Node& node, double duration) const;
  void settle_grip(const Grip& grip, const Node& node, double duration);
  double damping_impulse(const Grip& grip, const Node& node, double duration) const;
  [[noreturn]] void fail_to_close(const Node& node) const;
  static void solve_all(const solve::BlockCholesky& matrix, std::span<Vector> x);
  void add_impulse(std::size_t joint, const Vector& impulse, std::span<double> p) const;
  template <class F>
  void for_each_along(std::size_t i, F&& f) const;
  Vector rate_of(std::size_t joint, std::span<const double> inverse_mass, std::span<const double> p) const;
  double rate_along(std::size_t i, std::span<const double> inverse_mass, std::span<const double> p) const;
  void push_along(std::size_t i, double impulse, std::span<double> p) const;
  void book_drives(const Node& node, StepReport& report, Books books);
  void react(const Node& node, StepReport& report);
  void append_fitting(std::span<const model::RowEntry> row, std::span<const double> inverse_mass);

  std::vector<Joint> joints_;  // those of the System, then its ties
  std::size_t told_ = 0;       // joints whose reactions are told
  std::vector<Mover> movers_;
  std::vector<Guide> guides_;
  std::vector<Column> columns_;
  std::vector<int> first_column_;  // of each joint
  std::vector<int> mover_of_dof_;
  std::vector<int> dofs_;
  std::vector<std::size_t> row_count_;  // of each joint
  std::vector<Product> products_;
  std::vector<Mechanism> mechanisms_;
  std::vector<int> component_of_mover_;  // its mechanism; −1: does not move
  std::vector<Grip> grips_;
  solve::BlockCholesky matrix_, soft_;  // A, and with rows for what grips

  // Of the node:
  std::span<const double> at_;                   // q_n
  std::vector<Block> gradient_;                  // G of each column; entries beyond the mover's are zero
  std::vector<Vector> along_;                    // gradient of the coordinate, of each column
  std::vector<Vector> gap_;                      // at q_{n+1} (m)
  std::vector<Vector> impulse_;                  // Λ so far
  std::vector<Vector> opened_;                   // that with which contact began
  std::vector<Vector> blow_response_;            // what contact added to it
  std::vector<Vector> work_, rate_;              // buffers
  std::vector<math::Vec3> place_;                // of the second end
  std::vector<std::array<math::Vec3, 12>> row_;  // force and moment of each row
  std::vector<double> scale_;                    // |g| that counts as one
  /// The row of the coordinate while it is among the others: gives way by 2/(c h), or advances at a rate.
  struct SoftRow {
    enum class Kind : unsigned char { none, gives, holds } kind = Kind::none;
    double give = 0, rate = 0;
  };
  std::vector<SoftRow> soft_row_;
  struct Effort {
    JointRow along;                // the coordinate
    double spring = 0;             // force
    double impulse = 0;            // of spring and motor
    double motor = 0, damper = 0;  // impulses; those of friction are the damper's
    double speed = 0;              // that a motor keeps
  };
  std::vector<Effort> effort_;
  std::vector<double> pure_, kicked_;  // p* before joints did anything, and with their springs, dampers and motors
  std::vector<double> blow_;           // impulses of contact, by dof
  bool is_blown_ = false;
  std::vector<double> ahead_, ahead_p_;  // a step later
  std::vector<JointReaction> reactions_;
  model::ConstraintSet fitted_;
  std::vector<double> weight_;  // by dof, zero between calls
  std::vector<int> touched_;
};

}  // namespace ictus::dynamics
