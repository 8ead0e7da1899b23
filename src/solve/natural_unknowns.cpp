#include "solve/natural_unknowns.hpp"

#include "linear/matrix_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {

namespace {

constexpr const char* components[] = {"x", "y", "z", "rotation x", "rotation y", "rotation z"};

}  // namespace

NaturalUnknowns::NaturalUnknowns(const System& system, const Numbering& numbering, const SolidMeshes& meshes)
    : system_(system), numbering_(numbering), meshes_(meshes) {
  const Model& model = system.model();
  const LocalModel& local = system.local();
  dofs_before_.push_back(0);
  places_before_.push_back(0);
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const BodySize& size = numbering.size(static_cast<int>(b));
    const std::int64_t instances = model.num_instances(static_cast<int>(b));
    dofs_before_.push_back(dofs_before_.back() + size.dofs() * instances);
    places_before_.push_back(places_before_.back() + size.places() * instances);
  }
  dofs_.resize(static_cast<std::size_t>(local.num_owned_dofs));
  node_of_dof_.assign(dofs_.size(), -1);
  for (int n = 0; n < local.num_owned_nodes; ++n) {
    const NodeHome home = numbering.locate(local.node_id[n]);
    const BodySize& size = numbering.size(home.body);
    const std::int64_t first = dofs_before_[home.body] + home.instance * size.dofs() + size.dofs_before(home.local);
    for (int i = 0; i < local.size(n).dofs; ++i) {
      dofs_[local.dof[n] + i] = first + i;
      node_of_dof_[local.dof[n] + i] = n;
    }
  }
  for (int c = 0; c < local.num_owned_controls; ++c)
    for (int i = 0; i < local.controls[c].num_states; ++i)
      dofs_[local.controls[c].dof + i] = dofs_before_.back() + local.controls[c].natural + i;
  rows_.resize(static_cast<std::size_t>(local.num_owned_rows));
  group_of_row_.resize(rows_.size());
  for (std::size_t g = 0; g < local.rows.size(); ++g)
    for (int i = 0; i < local.rows[g].position_rows + local.rows[g].velocity_rows; ++i) {
      rows_[local.rows[g].first + i] = local.rows[g].natural + i;
      group_of_row_[local.rows[g].first + i] = static_cast<int>(g);
    }
}

std::int64_t NaturalUnknowns::first_place(std::int64_t node) const {
  const NodeHome home = numbering_.locate(node);
  const BodySize& size = numbering_.size(home.body);
  return places_before_[home.body] + home.instance * size.places() + size.places_before(home.local);
}

std::string NaturalUnknowns::dof_name(int i) const {
  const LocalModel& local = system_.local();
  const Model& model = system_.model();
  for (int c = 0; c < local.num_owned_controls; ++c) {
    const LocalControl& control = local.controls[c];
    if (i >= control.dof && i < control.dof + control.num_states)
      return fmt::format("{},state,{}", model.control_name(control.control, control.instance), i - control.dof);
  }
  const int n = node_of_dof_[i], component = i - local.dof[n];
  const NodeHome home = numbering_.locate(local.node_id[n]);
  const Body& body = model.body_at(home.body);
  const std::string scalar = body.reduced() ? "amplitude" : "angle";
  std::string node = fmt::format("{}", home.local), part = local.has_vector(n) ? components[component] : scalar;
  if (body.place_form() == PlaceForm::line) {
    node = fmt::format("{}", home.local / 2);
    if (home.local % 2 == 1) part = "slope " + part;
  }
  if (body.meshed()) {
    const SolidMesh& mesh = meshes_.known.at(home.body);
    const int attachment = home.local - mesh.num_points, point = attachment - static_cast<int>(mesh.groups.size());
    if (attachment >= 0) node = point < 0 ? "surface " + std::to_string(attachment) : "point " + std::to_string(point);
  }
  return fmt::format("{},{},{}", model.body_name(home.body, home.instance), node, part);
}

std::string NaturalUnknowns::row_name(int i) const {
  const OwnedRows& rows = system_.local().rows[group_of_row_[i]];
  const Model& model = system_.model();
  const auto& [kind, item, instance] = rows.origin;
  if (kind == OriginKind::joint) return fmt::format("{},{}", model.joint_name(item, instance), i - rows.first);
  const std::int64_t attachment = (rows.natural - numbering_.attachment_row(item, instance, 0)) / 6;
  const auto mesh = meshes_.known.find(item);
  if (mesh == meshes_.known.end())
    return fmt::format("interface {} of {},{}", attachment, model.body_name(item, instance), i - rows.first);
  const bool is_surface = attachment < static_cast<std::int64_t>(mesh->second.groups.size());
  return fmt::format("{} of {},{}", is_surface ? "surface" : "point", model.body_name(item, instance), i - rows.first);
}

std::vector<MatrixEntry> NaturalUnknowns::dof_block(PetscMat A) const { return entries(A, false); }
std::vector<MatrixEntry> NaturalUnknowns::constraint_block(PetscMat A) const { return entries(A, true); }

/// The natural numbers of the columns come from their owners: dofs as n, constraint rows as -1 - n.
std::vector<MatrixEntry> NaturalUnknowns::entries(PetscMat A, bool of_constraints) const {
  const PetscInt n = system_.layout().num_dofs;
  VecHandle numbers = make_kkt_vector(system_.layout());
  {
    VecWrite x(numbers);
    for (std::size_t i = 0; i < dofs_.size(); ++i) x[static_cast<PetscInt>(i)] = static_cast<double>(dofs_[i]);
    for (std::size_t i = 0; i < rows_.size(); ++i) x[n + static_cast<PetscInt>(i)] = -1.0 - static_cast<double>(rows_[i]);
  }
  PetscInt start = 0, end = 0;
  petsc(MatGetOwnershipRange(A, &start, &end));
  const PetscInt first = of_constraints ? start + n : start, last = of_constraints ? end : start + n;
  std::vector<PetscInt> columns;
  const auto visit = [&](const auto& take) {
    for (PetscInt row = first; row < last; ++row)
      for_entries(A, row, [&](PetscInt column, double value) {
        if (value != 0) take(row, column, value);
      });
  };
  visit([&](PetscInt, PetscInt column, double) { columns.push_back(column); });
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  IsHandle wanted;
  VecHandle here;
  ScatterHandle scatter;
  petsc(ISCreateGeneral(PETSC_COMM_SELF, static_cast<PetscInt>(columns.size()), columns.data(), PETSC_USE_POINTER,
                        wanted.address()));
  petsc(VecCreateSeq(PETSC_COMM_SELF, static_cast<PetscInt>(columns.size()), here.address()));
  petsc(VecScatterCreate(numbers, wanted, here, nullptr, scatter.address()));
  petsc(VecScatterBegin(scatter, numbers, here, INSERT_VALUES, SCATTER_FORWARD));
  petsc(VecScatterEnd(scatter, numbers, here, INSERT_VALUES, SCATTER_FORWARD));
  const VecRead natural(here);
  std::vector<MatrixEntry> list;
  visit([&](PetscInt row, PetscInt column, double value) {
    const auto place = std::lower_bound(columns.begin(), columns.end(), column) - columns.begin();
    const double number = natural[static_cast<PetscInt>(place)];
    if (number < 0) return;
    const PetscInt i = row - first;
    list.push_back({of_constraints ? rows_[i] : dofs_[i], std::llround(number), value});
  });
  return list;
}

}  // namespace sinew
