#include "solve/modal_reduction.hpp"

#include "base/error.hpp"
#include "base/reduction.hpp"
#include "kernels/elements/modal_body.hpp"
#include "linear/direct_solver.hpp"
#include "linear/kkt_solver.hpp"
#include "model/reduced_body.hpp"
#include "solve/dense_pencil.hpp"
#include "solve/eigenmodes.hpp"
#include "solve/mesh_alone.hpp"
#include "solve/quadratic_forms.hpp"
#include "solve/shape_scale.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {

namespace {

/// Of the frame at an interface.
constexpr int frame_dofs = 6;
/// Frequencies closer than this part are those of one eigenspace, of a mesh that is as symmetric as its geometry is rounded.
constexpr double alike = 1e-6;
/// Dimension that eigenspaces of symmetric bodies may have: two of a shaft, three of a ball, and one to see where they end.
constexpr int most_alike = 3;

std::vector<PetscVec> handles(const std::vector<VecHandle>& vectors) { return {vectors.begin(), vectors.end()}; }

/// The mesh with its interfaces held. Fields of it are KKT vectors without multipliers.
class HeldMesh {
 public:
  HeldMesh(MPI_Comm comm, Model model)
      : model_(std::move(model)),
        meshes_(read_solid_meshes(comm, model_)),
        numbering_(model_, meshes_),
        system_(model_, distribute(comm, model_, meshes_, numbering_)) {
    Configuration q = system_.make_configuration();
    const VecHandle rest = system_.make_dof_vector();
    system_.hold(0.0, 0.0);
    system_.initial_state(q, rest);
    equations_ = linearise(system_, q, no_multipliers_, rest);
    equations_.is_damped = false;
    const std::vector<double> config = system_.host_values(q);
    for (int n = 0; n < local().num_owned_nodes; ++n) {
      const double* x = config.data() + local().config_offset[static_cast<std::size_t>(n)];
      places_.push_back({{x[0], x[1], x[2]}});
    }
    weigh();
  }

  const std::vector<std::string>& warnings() const { return meshes_.warnings; }

  ModalShapes shapes(int modes, double damping_ratio) {
    std::vector<VecHandle> span = answers();
    for (const VecHandle& mode : held_modes(modes)) span.push_back(field_of(mode));
    for (const VecHandle& field : span) take_out_rigid_motion(field);
    ModalShapes found;
    found.mass = mass_;
    found.centre = centre_;
    found.inertia = inertia_;
    found.unknowns = system_.global_dofs() + system_.global_rows();
    for (int i = 0; i < num_interfaces(); ++i) found.places.push_back(mesh().attachment_place(attachment(i)) - centre_);
    const Vibrations free = vibrations(span);
    std::vector<ModalBody::Shape> alone;
    Dense C = damping(free.shapes);
    for (std::size_t k = 0; k < free.shapes.size(); ++k) {
      const double omega = free.omega[k], mass = product(equations_.M, free.shapes[k], free.shapes[k]);
      const int row = frame_dofs + static_cast<int>(k);
      C(row, row) += 2 * damping_ratio * omega * mass;
      alone.push_back({mass, omega * omega * mass});
      found.shapes.push_back(shape_at_interfaces(free.shapes[k], omega));
    }
    for (int i = 0; i < frame_dofs; ++i)
      for (int j = 0; j < frame_dofs; ++j) found.drag(i, j) = C(i, j);
    found.numbers = numbers(alone, free.shapes, C.values);
    return found;
  }

 private:
  const LocalModel& local() const { return system_.local(); }
  const SolidMesh& mesh() const { return meshes_.known.at(0); }
  int num_interfaces() const { return static_cast<int>(model_.joints.size()); }
  /// The frame of an interface, by its number among the mesh's.
  int attachment(int interface) const {
    return mesh().attachment(model_.place(model_.joints[static_cast<std::size_t>(interface)].places[1], {}));
  }
  bool is_material(int n) const { return local().kinds[static_cast<std::size_t>(n)] == NodeKind::point; }
  std::size_t dof(int n) const { return static_cast<std::size_t>(local().dof[static_cast<std::size_t>(n)]); }

  /// A field by what it does to a node at X: displacement, and turn of a frame.
  template <class NodeMotion>
  VecHandle field(const NodeMotion& motion) const {
    VecHandle made = make_kkt_vector(system_.layout());
    VecWrite out(made);
    for (int n = 0; n < local().num_owned_nodes; ++n) {
      const auto [displacement, turn] = motion(n, places_[static_cast<std::size_t>(n)]);
      double* own = out.data() + dof(n);
      for (int i = 0; i < 3; ++i) {
        own[i] = displacement[i];
        if (!is_material(n)) own[3 + i] = turn[i];
      }
    }
    return made;
  }
  struct Motion {
    Vec3<double> displacement, turn;
  };
  /// One component of something, as a field along the first axis. Masses of solids are the same along all axes: products of
  /// such fields in M are int rho a b.
  template <class Component>
  VecHandle component(const Component& value) const {
    return field([&](int n, const Vec3<double>& X) { return Motion{{{is_material(n) ? value(n, X) : 0.0, 0, 0}}, {}}; });
  }

  /// Mass, centre, inertia; rigid motions about the centre and their momenta.
  void weigh() {
    const VecHandle ones = component([](int, const Vec3<double>&) { return 1.0; });
    mass_ = product(equations_.M, ones, ones);
    for (int i = 0; i < 3; ++i)
      centre_[i] = product(equations_.M, ones, component([i](int, const Vec3<double>& X) { return X[i]; })) / mass_;
    for (int k = 0; k < frame_dofs; ++k) {
      Vec3<double> axis;
      axis[k % 3] = 1;
      rigid_.push_back(field([&](int, const Vec3<double>& X) {
        return k < 3 ? Motion{axis, {}} : Motion{cross(axis, X - centre_), axis};
      }));
      momenta_.push_back(duplicate(rigid_.back()));
      petsc(MatMult(equations_.M, rigid_.back(), momenta_.back()));
    }
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        PetscScalar entry = 0;
        petsc(VecDot(rigid_[static_cast<std::size_t>(3 + i)], momenta_[static_cast<std::size_t>(3 + j)], &entry));
        inertia_(i, j) = entry;
      }
  }

  VecHandle field_of(PetscVec displacements) const {
    VecHandle made = make_kkt_vector(system_.layout());
    join_kkt(displacements, no_multipliers_, made);
    return made;
  }

  /// The lowest modes with all interfaces held, so many and those that are as fast as the last: of a round shaft's two bending
  /// modes one alone would be any of their mixtures.
  std::vector<VecHandle> held_modes(int count) const {
    std::vector<VecHandle> found;
    if (count == 0) return found;
    double last = 0;
    for (Mode& mode : find_modes(system_, equations_, count + most_alike)) {
      if (static_cast<int>(found.size()) >= count && mode.omega() > last * (1 + alike)) break;
      last = mode.omega();
      found.push_back(std::move(mode.shape));
    }
    return found;
  }

  /// What the mesh does where one interface moves along one direction: all interfaces but the first.
  std::vector<VecHandle> answers() const {
    std::vector<VecHandle> found;
    if (num_interfaces() == 1) return found;
    const KspHandle ksp = make_direct_solver("sinew_reduction_", equations_.K, system_.is_compact());
    refine_solutions(ksp);
    const VecHandle gaps = make_kkt_vector(system_.layout());
    for (int i = 1; i < num_interfaces(); ++i) {
      const std::int64_t moved = numbering_.node(0, 0, mesh().num_points + attachment(i));
      for (int k = 0; k < frame_dofs; ++k) {
        Vec3<double> axis;
        axis[k % 3] = 1;
        const VecHandle unit = field([&](int n, const Vec3<double>&) {
          if (local().node_id[static_cast<std::size_t>(n)] != moved) return Motion{};
          return k < 3 ? Motion{axis, {}} : Motion{{}, axis};
        });
        petsc(MatMult(equations_.K, unit, gaps));
        keep_rows_of_joints(gaps);
        found.push_back(make_kkt_vector(system_.layout()));
        const bool is_solved = solve_linear(ksp, gaps, found.back());
        clear_multipliers(found.back());
        if (!is_solved || !moves_alone(found.back(), frame_dofs * i + k))
          refuse("its interfaces cannot be moved independently of each other",
                 "are all of them apart, each wider than a line, with elements enough between them and across?");
      }
    }
    return found;
  }

  /// Do the interfaces stand still in a field, but for one of their six numbers each, which is 1?
  bool moves_alone(PetscVec field, int moved) const {
    constexpr double rounding = 1e-6;  // of solutions whose digits count; where rows depend on each other none is left
    std::vector<double> at = at_interfaces(field);
    at[static_cast<std::size_t>(moved)] -= 1;
    const auto size = [&](int number) { return number % frame_dofs < 3 ? 1 / system_.extent() : 1.0; };
    for (int k = 0; k < static_cast<int>(at.size()); ++k)
      if (!(std::abs(at[static_cast<std::size_t>(k)]) * size(k) <= rounding * size(moved))) return false;
    return true;
  }

  [[noreturn]] void refuse(const std::string& fault, const std::string& remedy) const {
    throw InputError(fmt::format("{}: error: body '{}' cannot be reduced: {} ({})",
                                 model_.source.locate(model_.bodies.front().mark), model_.body_name(0, 0), fault, remedy));
  }

  /// Of what stands in the rows, all but those of joints becomes zero.
  void keep_rows_of_joints(PetscVec v) const {
    VecWrite x(v);
    const PetscInt dofs = system_.layout().num_dofs;
    std::fill_n(x.data(), dofs, 0.0);
    for (const OwnedRows& rows : local().rows)
      if (rows.origin.kind != OriginKind::joint) std::fill_n(x.data() + dofs + rows.first, frame_dofs, 0.0);
  }
  void clear_multipliers(PetscVec v) const {
    VecWrite x(v);
    std::fill_n(x.data() + system_.layout().num_dofs, system_.layout().num_rows, 0.0);
  }

  void take_out_rigid_motion(PetscVec field) const {
    const std::vector<PetscVec> momenta = handles(momenta_);
    std::array<PetscScalar, frame_dofs> p{};
    petsc(VecMDot(field, frame_dofs, momenta.data(), p.data()));
    const Vec3<double> turn = inverse(inertia_, determinant(inertia_)) * Vec3<double>{{p[3], p[4], p[5]}};
    for (int k = 0; k < frame_dofs; ++k)
      petsc(VecAXPY(field, k < 3 ? -p[static_cast<std::size_t>(k)] / mass_ : -turn[k - 3], rigid_[static_cast<std::size_t>(k)]));
  }

  /// a_j^T A a_k, symmetric to the last bit.
  static Dense products(PetscMat A, const std::vector<PetscVec>& all) {
    const int n = static_cast<int>(all.size());
    Dense found(n, n);
    if (n == 0) return found;
    const VecHandle image = duplicate(all.front());
    for (int k = 0; k < n; ++k) {
      petsc(MatMult(A, all[static_cast<std::size_t>(k)], image));
      petsc(VecMDot(image, n, all.data(), found.column(k)));
    }
    const Dense other = transposed(found);
    for (std::size_t i = 0; i < found.values.size(); ++i) found.values[i] = 0.5 * (found.values[i] + other.values[i]);
    return found;
  }

  /// Shapes with their frequencies, rad/s.
  struct Vibrations {
    std::vector<VecHandle> shapes;
    std::vector<double> omega;
  };
  /// Those of the free body within a span, by rising frequency, of largest displacement L, the mesh's extent.
  Vibrations vibrations(const std::vector<VecHandle>& span) const {
    std::vector<PetscVec> all = handles(span);
    std::vector<PencilPair> pairs = real_pairs(products(equations_.K, all), products(equations_.M, all));
    std::sort(pairs.begin(), pairs.end(), [](const PencilPair& a, const PencilPair& b) { return a.theta < b.theta; });
    if (pairs.size() != span.size())
      refuse("its shapes do not differ from each other", "ask for fewer modes, or for interfaces that are farther apart");
    if (!pairs.empty() && !(pairs.front().theta > 0))
      refuse("a part of its mesh is not held by the rest", "do all its pieces share nodes?");
    Vibrations found;
    for (PencilPair& pair : pairs) {
      const VecHandle& shape = found.shapes.emplace_back(make_kkt_vector(system_.layout()));
      petsc(VecMAXPY(shape, static_cast<PetscInt>(all.size()), pair.x.data(), all.data()));
      take_out_rigid_motion(shape);  // what rounding has left of it
      petsc(VecScale(shape, 1 / std::sqrt(product(equations_.M, shape, shape))));
    }
    const std::vector<PetscVec> shapes = handles(found.shapes);
    for (std::size_t first = 0, last = 0; first < pairs.size(); first = last) {
      double sum = pairs[first].theta;
      for (last = first + 1; last < pairs.size() && pairs[last].theta <= pairs[last - 1].theta * (1 + 2 * alike); ++last)
        sum += pairs[last].theta;
      settle_shapes(system_,
                    {shapes.begin() + static_cast<std::ptrdiff_t>(first), shapes.begin() + static_cast<std::ptrdiff_t>(last)});
      found.omega.resize(last, std::sqrt(sum / static_cast<double>(last - first)));  // as alike as the body is symmetric
    }
    for (const VecHandle& shape : found.shapes) petsc(VecScale(shape, system_.extent() / largest_displacement(shape)));
    return found;
  }

  double largest_displacement(PetscVec field) const {
    double largest = 0;
    {
      const VecRead x(field);
      for (int n = 0; n < local().num_owned_nodes; ++n) {
        const double* own = x.data() + dof(n);
        if (is_material(n)) largest = std::max(largest, std::hypot(own[0], own[1], own[2]));
      }
    }
    return largest_of_all(local().comm, largest);
  }

  /// Six numbers of each, on all ranks.
  std::vector<double> at_interfaces(PetscVec field) const {
    std::vector<double> found(static_cast<std::size_t>(frame_dofs * num_interfaces()), 0.0);
    {
      const VecRead x(field);
      for (int i = 0; i < num_interfaces(); ++i) {
        const int n = local().local_node(numbering_.node(0, 0, mesh().num_points + attachment(i)));
        if (n >= 0 && n < local().num_owned_nodes) std::copy_n(x.data() + dof(n), frame_dofs, found.data() + frame_dofs * i);
      }
    }
    MPI_Allreduce(MPI_IN_PLACE, found.data(), static_cast<int>(found.size()), MPI_DOUBLE, MPI_SUM, local().comm);
    return found;
  }

  ModalShapes::Shape shape_at_interfaces(PetscVec field, double omega) const {
    ModalShapes::Shape shape;
    shape.omega = omega;
    const std::vector<double> at = at_interfaces(field);
    for (std::size_t i = 0; i < at.size(); i += frame_dofs) {
      shape.displacements.push_back({{at[i], at[i + 1], at[i + 2]}});
      shape.turns.push_back({{at[i + 3], at[i + 4], at[i + 5]}});
    }
    return shape;
  }

  /// That of the mesh in rigid motions about the centre and in shapes.
  Dense damping(const std::vector<VecHandle>& shapes) const {
    std::vector<PetscVec> all = handles(rigid_);
    all.insert(all.end(), shapes.begin(), shapes.end());
    return products(equations_.D, all);
  }

  std::vector<double> numbers(const std::vector<ModalBody::Shape>& alone, const std::vector<VecHandle>& fields,
                              const std::vector<double>& C) const {
    std::vector<VecHandle> components;  // three of X, then of every field
    for (int i = 0; i < 3; ++i) components.push_back(component([&](int, const Vec3<double>& X) { return X[i] - centre_[i]; }));
    for (const VecHandle& one : fields) {
      const VecRead x(one);
      for (int i = 0; i < 3; ++i)
        components.push_back(
            component([&](int n, const Vec3<double>&) { return x.data()[dof(n) + static_cast<std::size_t>(i)]; }));
    }
    const Dense integrals = products(equations_.M, handles(components));
    const auto integral = [&](int j, int k) {
      Mat3<double> found;
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) found(a, b) = integrals(3 * j + a, 3 * k + b);
      return found;
    };
    std::vector<Mat3<double>> B, D;
    const int n = static_cast<int>(fields.size());
    for (int j = 1; j <= n; ++j) {
      B.push_back(integral(0, j));
      for (int k = j; k <= n; ++k) D.push_back(integral(j, k));
    }
    return ModalBody::numbers(alone, B, D, C);
  }

  Model model_;
  SolidMeshes meshes_;
  Numbering numbering_;
  System system_;
  LinearisedSystem equations_;
  VecHandle no_multipliers_ = system_.make_row_vector();
  std::vector<Vec3<double>> places_;  ///< of owned nodes
  double mass_ = 0;
  Vec3<double> centre_;
  Mat3<double> inertia_;
  std::vector<VecHandle> rigid_, momenta_;
};

}  // namespace

Model with_modal_shapes(MPI_Comm comm, Model model) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const ReducedBody* reduced = model.bodies[b].body().reduced();
    if (reduced == nullptr || reduced->shapes) continue;
    HeldMesh mesh(comm, mesh_alone(model, static_cast<int>(b)));
    model.warnings.insert(model.warnings.end(), mesh.warnings().begin(), mesh.warnings().end());
    model.bodies[b].content =
        reduced->with(std::make_shared<const ModalShapes>(mesh.shapes(reduced->modes, reduced->damping_ratio)));
  }
  return model;
}

}  // namespace sinew
