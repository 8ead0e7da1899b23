/// \file
/// Model files that stand in a test, brought to rest, shaken and buckled in this process.
#pragma once

#include "input/model_reader.hpp"
#include "model/registered_catalogue.hpp"
#include "observe/matrix_files.hpp"
#include "solve/buckling.hpp"
#include "solve/consistent.hpp"
#include "solve/eigenmodes.hpp"
#include "solve/equilibrium.hpp"
#include "solve/modal_reduction.hpp"
#include "system/sensors.hpp"

#include <cmath>
#include <map>
#include <string>
#include <vector>

namespace sinew::test {

/// A model at rest: in its initial state until `find_rest` is called. All functions are collective.
class Stationary {
 public:
  Stationary(MPI_Comm comm, const std::string& text, const std::vector<std::string>& overrides = {})
      : model_(with_modal_shapes(comm, read_model_text(text, "test.yaml", registered_catalogue(), overrides))),
        meshes_(read_solid_meshes(comm, model_)),
        numbering_(model_, meshes_),
        system_(model_, distribute(comm, model_, meshes_, numbering_)),
        sensors_(model_, meshes_, numbering_, system_),
        z_(system_.make_dof_vector()),
        lambda_(system_.make_row_vector()) {
    system_.hold(0.0, 1.0);
    system_.initial_state(q_, z_);
    system_.clear_all_but_states(z_);
    project_onto_constraints(system_, 0.0, q_, z_);
  }

  EquilibriumReport find_rest() {
    EquilibriumOptions options;
    options.tolerance = model_.analysis.newton.tolerance;
    options.steps = model_.analysis.static_steps;
    options.keeps_unstable = model_.analysis.unstable == UnstableRest::keep;
    options.follows_path = model_.analysis.static_path == StaticPath::arc_length;
    EquilibriumSolver solver(system_, numbering_, options);
    return solver.solve(q_, lambda_, [&](const LoadIncrement& done) {
      if (!done.accepted) return;
      petsc(VecCopy(solver.velocity(), z_));
      load_factors_.push_back(done.load_factor);
      path_.push_back(values());
    });
  }
  /// What the sensors say, by column; on rank 0.
  std::map<std::string, double> values() {
    const std::vector<double> v = sensors_.measure({0.0, &q_, z_, lambda_}, system_.make_dof_vector());
    std::map<std::string, double> named;
    for (std::size_t i = 0; i < v.size(); ++i) named[sensors_.header()[i]] = v[i];
    return named;
  }
  /// Names of what the sensors say; on rank 0.
  const std::vector<std::string>& outputs() const { return sensors_.header(); }
  std::vector<Mode> modes(int count) { return find_modes(system_, linearise(system_, q_, lambda_, z_), count); }
  bool is_stable() { return sinew::is_stable(system_, linearise(system_, q_, lambda_, z_)); }
  std::vector<double> frequencies(int count) {
    std::vector<double> list;
    for (const Mode& m : modes(count)) list.push_back(m.frequency());
    return list;
  }
  std::vector<double> buckling(int count) {
    std::vector<double> list;
    for (const BucklingMode& m : buckling_modes(count)) list.push_back(m.load_factor);
    return list;
  }
  /// About the state of rest under what `analysis.kept` names.
  std::vector<double> buckling_under_kept_loads(int count) {
    require_loads(system_, q_);
    find_rest();
    std::vector<double> list;
    for (const BucklingMode& m : find_buckling(system_, q_, count, lambda_)) list.push_back(m.load_factor);
    return list;
  }
  /// The components of a shape in the order of the model file, on all ranks.
  std::vector<double> in_order(PetscVec shape) {
    const NaturalUnknowns unknowns(system_, numbering_, meshes_);
    const std::vector<std::int64_t>& numbers = unknowns.dofs();
    std::vector<double> all(static_cast<std::size_t>(system_.global_dofs()), 0.0);
    const VecRead own(shape);
    for (std::size_t i = 0; i < numbers.size(); ++i) all[static_cast<std::size_t>(numbers[i])] = own[static_cast<PetscInt>(i)];
    MPI_Allreduce(MPI_IN_PLACE, all.data(), static_cast<int>(all.size()), MPI_DOUBLE, MPI_SUM, system_.layout().comm);
    return all;
  }
  std::vector<BucklingMode> buckling_modes(int count) { return find_buckling(system_, q_, count); }
  /// What the sensors said after each of the accepted increments.
  const std::vector<std::map<std::string, double>>& path() const { return path_; }
  /// Of the increments that were accepted.
  const std::vector<double>& load_factors() const { return load_factors_; }

  /// Writes the linearised equations, sparse and in state-space form, into a folder.
  void write_equations(const std::string& folder) {
    const NaturalUnknowns unknowns(system_, numbering_, meshes_);
    VecHandle a = system_.make_dof_vector();
    const LinearisedSystem linearised = linearise(system_, q_, lambda_);
    write_matrices(system_, unknowns, linearised, folder);
    write_state_space(system_.layout().comm,
                      make_state_space(system_, unknowns, {linearised, {q_, z_, a, lambda_}, nullptr}, sensors_), folder);
  }

 private:
  Model model_;
  SolidMeshes meshes_;
  Numbering numbering_;
  System system_;
  Sensors sensors_;
  Configuration q_;
  VecHandle z_, lambda_;
  std::vector<double> load_factors_;
  std::vector<std::map<std::string, double>> path_;
};

}  // namespace sinew::test
