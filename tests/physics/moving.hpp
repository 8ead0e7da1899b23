/// \file
/// Model files that stand in a test, shaken while they move.
#pragma once

#include "input/model_reader.hpp"
#include "model/registered_catalogue.hpp"
#include "observe/matrix_files.hpp"
#include "solve/consistent.hpp"
#include "solve/modal_reduction.hpp"
#include "solve/motion_modes.hpp"
#include "system/sensors.hpp"

#include <map>
#include <string>
#include <vector>

namespace sinew::test {

/// A model in its initial state, projected. All functions are collective.
class Moving {
 public:
  Moving(MPI_Comm comm, const std::string& text, const std::vector<std::string>& overrides = {})
      : model_(with_modal_shapes(comm, read_model_text(text, "test.yaml", registered_catalogue(), overrides))),
        meshes_(read_solid_meshes(comm, model_)),
        numbering_(model_, meshes_),
        system_(model_, distribute(comm, model_, meshes_, numbering_)),
        sensors_(model_, meshes_, numbering_, system_),
        z_(system_.make_dof_vector()),
        a_(system_.make_dof_vector()),
        lambda_(system_.make_row_vector()) {
    system_.initial_state(q_, z_);
    project_onto_constraints(system_, 0.0, q_, z_);
  }

  /// The modes about the motion; the model is in its steady motion afterwards.
  MotionModes modes(int count) {
    MotionModesOptions options;
    options.count = count;
    options.finds_steady_motion = model_.analysis.steady == SteadyState::find;
    options.frame = model_.analysis.frame;
    options.gravity = model_.gravity;
    return find_motion_modes(system_, {q_, z_, a_, lambda_}, options);
  }
  /// What the sensors say, by column; on rank 0.
  std::map<std::string, double> values() {
    const std::vector<double> v = sensors_.measure({0.0, &q_, z_, lambda_}, a_);
    std::map<std::string, double> named;
    for (std::size_t i = 0; i < v.size(); ++i) named[sensors_.header()[i]] = v[i];
    return named;
  }

  /// Writes the linearised equations, sparse and in state-space form, into a folder.
  void write_equations(const std::string& folder, const MotionModes& found) {
    const NaturalUnknowns unknowns(system_, numbering_, meshes_);
    const MovingFrame frame(system_, found.angular_velocity, q_, z_);
    write_matrices(system_, unknowns, found.linearised, folder);
    write_state_space(system_.layout().comm,
                      make_state_space(system_, unknowns, {found.linearised, {q_, z_, a_, lambda_}, &frame}, sensors_), folder);
  }

 private:
  Model model_;
  SolidMeshes meshes_;
  Numbering numbering_;
  System system_;
  Sensors sensors_;
  Configuration q_;
  VecHandle z_, a_, lambda_;
};

}  // namespace sinew::test
