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
  /// Springs and motors, at the values that they have at `time`, for a time `duration`. On entry p is what other
  /// forces made of p⁻, on exit p*.
  void push(const Node& node, double time, double duration);
  /// Dampers, for as long, and what makes p fit, so that all joints are closed a step later. Throws
  /// base::NumericalFailure where they do not close.
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

  /// What moves by itself: a frame or a node.
  struct Mover {
    enum class Kind : unsigned char { rigid, section, node, driven } kind;
    int dof;
    const mechanics::NodalBody* body;
    std::size_t size() const { return kind == Kind::node ? 3 : kind == Kind::driven ? 1 : 6; }
  };
  /// The part of the rows of a joint that acts on a mover.
  struct Column {
    int joint, mover;
    double share;  ///< of a node, negative on the first end; −1 or +1 of a frame
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
  void add_end(int joint, const JointEnd& end, int side, const System& system);
  void list_columns(const System& system);
  void list_products(const System& system);
  int row_of_drive(std::size_t i) const { return static_cast<int>(row_count_[i]) - 1; }
  double drive_scale(std::size_t i) const { return turns_freely(joints_[i].type) ? joints_[i].size : 1; }
  void set_gradient(std::span<const double> q, std::size_t i, const JointRows& rows);
  void assemble(std::span<const double> inverse_mass, solve::BlockCholesky& matrix);
  void fly(const Node& node);
  double measure(const Node& node);
  void close_gaps(const Node& node, const solve::BlockCholesky& matrix);
  void open_damped(const Node& node, double duration);
  [[noreturn]] void fail_to_close(const Node& node) const;
  static void solve_all(const solve::BlockCholesky& matrix, std::span<Vector> x);
  void add_impulse(std::size_t joint, const Vector& impulse, std::span<double> p) const;
  std::size_t dof_of(std::size_t column, Eigen::Index k) const;
  Vector rate_of(std::size_t joint, std::span<const double> inverse_mass, std::span<const double> p) const;
  template <class F>
  void for_each_along(std::size_t i, F&& f) const;
  double rate_along(std::size_t i, std::span<const double> inverse_mass, std::span<const double> p) const;
  void push_along(std::size_t i, double impulse, std::span<double> p) const;
  void book_drives(const Node& node, StepReport& report, Books books);
  void react(const Node& node, StepReport& report);
  void append_fitting(std::span<const model::RowEntry> row, std::span<const double> inverse_mass);

  std::vector<Joint> joints_;
  std::vector<Mover> movers_;
  std::vector<Column> columns_;
  std::vector<int> first_column_;  // of each joint
  std::vector<int> mover_of_dof_;
  std::vector<int> dofs_;
  std::vector<std::size_t> row_count_;  // of each joint
  std::vector<Product> products_;
  std::vector<Mechanism> mechanisms_;
  std::vector<int> component_of_mover_;  // its mechanism; −1: does not move
  std::vector<int> damped_;              // joints with dampers
  solve::BlockCholesky matrix_, soft_;   // A, and with rows for dampers

  // Of the node:
  std::span<const double> at_;                   // q_n
  std::vector<Block> gradient_;                  // G of each column; entries beyond the mover's are zero
  std::vector<Vector> gap_;                      // at q_{n+1} (m)
  std::vector<Vector> impulse_;                  // Λ so far
  std::vector<Vector> opened_;                   // that with which contact began
  std::vector<Vector> blow_response_;            // what contact added to it
  std::vector<Vector> work_, rate_;              // buffers
  std::vector<math::Vec3> place_;                // of the second end
  std::vector<std::array<math::Vec3, 12>> row_;  // force and moment of each row
  std::vector<double> scale_;                    // |g| that counts as one
  std::vector<double> give_;                     // 2/(c h) of the row of a damper while it is among the others
  struct Effort {
    JointRow along;                // the coordinate
    double spring = 0;             // force
    double impulse = 0;            // of spring and motor
    double motor = 0, damper = 0;  // impulses
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
