#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <ictus/solve/cone/cone_solver.hpp>
#include <ictus/solve/formats/contact_problem_file.hpp>
#include <memory>
#include <string>

#include "command_line.hpp"
#include "commands.hpp"

namespace ictus::program {

namespace {

struct ContactProblemArguments {
  std::string file;
  std::string solver = "automatic";
  solve::ConeOptions options;
  int threads = 1;
};

std::string explain_failure(const solve::ConeReport& report) {
  switch (report.status) {
    case solve::ConeStatus::not_finite:
      return "numbers grew beyond all bounds";
    case solve::ConeStatus::unsuitable:
      return fmt::format("{} found no solution or is not made for this problem", name_of(report.method));
    default:
      return fmt::format("an error of {:.3g} is left after {} iterations", report.error, report.iterations);
  }
}

void solve_file(ContactProblemArguments& arguments) {
  using Clock = std::chrono::steady_clock;
  arguments.options.method = solve::cone_method(arguments.solver);
  solve::ConeSolver solver(arguments.options, exec::Executor(arguments.threads));
  const solve::SavedProblem saved = solve::read_contact_problem(arguments.file);
  const solve::BlockProblem& problem = saved.problem;
  std::vector<double> reactions(3 * problem.size(), 0.0);
  const Clock::time_point begin = Clock::now();
  const solve::ConeReport report = solver.solve(problem, reactions);
  const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  double velocity_sq = 0, reaction_sq = 0;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    velocity_sq += math::norm_sq(problem.velocity(i, reactions));
    reaction_sq += math::norm_sq(solve::load(reactions, i));
  }
  fmt::print("contacts      {}\n", problem.size());
  fmt::print("solver        {}\n", name_of(report.method));
  fmt::print("iterations    {}\n", report.iterations);
  fmt::print("error         {:.3e}\n", report.error);
  fmt::print("|u|           {:.10g}\n", std::sqrt(velocity_sq));
  fmt::print("|r|           {:.10g}\n", std::sqrt(reaction_sq));
  fmt::print("time          {:.3g} s\n", seconds);
  if (report.solved()) return;
  throw base::NumericalFailure("the contact problem is not solved: " + explain_failure(report), arguments.file,
                               "try another --solver, a larger --tolerance or more --max-iterations");
}

}  // namespace

void add_contact_problem(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("contact-problem", "Solve a saved problem of frictional contact; print how well and how fast");
  const auto arguments = std::make_shared<ContactProblemArguments>();
  command->add_option("FILE", arguments->file, "Problem in FCLIB format (HDF5) or in the text format of Siconos")
      ->type_name("")
      ->required();
  command
      ->add_option("--solver", arguments->solver,
                   "automatic, sorp, anderson, conjugate, apgd, enumeration, newton or interior-point [automatic]")
      ->type_name("NAME");
  command->add_option("--tolerance", arguments->options.tolerance, "Largest error to accept [1e-6]")
      ->type_name("ERROR");
  command->add_option("--max-iterations", arguments->options.max_iterations, "Where to give up [100000]")
      ->type_name("COUNT");
  add_threads(*command, arguments->threads, "Number of threads [1]");
  command->footer(
      "The error is |r - P(r - u - mu |u_T| n)| / |q| with P the projection on the friction cones.\n"
      "Example:  ictus contact-problem stack.hdf5 --solver sorp --tolerance 1e-8");
  command->callback([arguments] { solve_file(*arguments); });
}

}  // namespace ictus::program
