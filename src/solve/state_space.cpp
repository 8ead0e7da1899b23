#include "solve/state_space.hpp"

#include "base/timing.hpp"
#include "kernels/sweep/surface_loads.hpp"
#include "solve/sensor_slopes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace sinew {

namespace {

/// The matrices of the equations, dofs in natural order, and the spaces that the constraints leave.
struct Parts {
  Dense M, D, K, G, H;  ///< G: rows in front of w, of nonholonomic constraints in front of w'; H: the latter's in front of w
  Dense Z, Y, P;
};

/// Rows of A that are, or are not, marked.
Dense selected(const Dense& A, const std::vector<char>& marks, char wanted) {
  Dense S(static_cast<int>(std::count(marks.begin(), marks.end(), wanted)), A.columns);
  for (int i = 0, k = 0; i < A.rows; ++i)
    if (marks[i] == wanted) {
      for (int j = 0; j < A.columns; ++j) S(k, j) = A(i, j);
      ++k;
    }
  return S;
}

Dense stacked(const Dense& A, const Dense& B) {
  Dense S(A.rows + B.rows, A.columns);
  for (int j = 0; j < A.columns; ++j) {
    std::copy_n(A.column(j), A.rows, S.column(j));
    std::copy_n(B.column(j), B.rows, S.column(j) + A.rows);
  }
  return S;
}

Dense beside(const Dense& A, const Dense& B) {
  Dense S(A.rows, A.columns + B.columns);
  std::copy(A.values.begin(), A.values.end(), S.values.begin());
  std::copy(B.values.begin(), B.values.end(), S.values.begin() + static_cast<std::ptrdiff_t>(A.values.size()));
  return S;
}

/// Which constraint rows, in natural order, hold for rates.
std::vector<char> rate_rows(const System& system, const NaturalUnknowns& unknowns, bool has_rates) {
  std::vector<char> marks(static_cast<std::size_t>(unknowns.num_rows()), 0);
  const auto& is_velocity = system.layout().row_is_velocity;
  for (std::size_t i = 0; has_rates && i < is_velocity.size(); ++i)
    if (is_velocity[i]) marks[unknowns.rows()[i]] = 1;
  MPI_Allreduce(MPI_IN_PLACE, marks.data(), static_cast<int>(marks.size()), MPI_SIGNED_CHAR, MPI_MAX, system.layout().comm);
  return marks;
}

Parts make_parts(const System& system, const NaturalUnknowns& unknowns, const LinearisedSystem& s) {
  const MPI_Comm comm = system.layout().comm;
  const std::int64_t n = unknowns.num_dofs(), m = unknowns.num_rows();
  Parts p;
  p.M = gather_dense(comm, unknowns.dof_block(s.M), n, n);
  p.D = gather_dense(comm, unknowns.dof_block(s.D), n, n);
  p.K = gather_dense(comm, unknowns.dof_block(s.K), n, n);
  const Dense in_w = gather_dense(comm, unknowns.constraint_block(s.K), m, n);
  const std::vector<char> marks = rate_rows(system, unknowns, s.has_rates);
  const Dense position = selected(in_w, marks, 0);
  p.H = selected(in_w, marks, 1);
  p.Z = RowSpace(position).null_space();
  if (!s.has_rates) {
    p.G = in_w;
    p.Y = Dense(p.Z.columns, p.Z.columns);
    for (int i = 0; i < p.Y.rows; ++i) p.Y(i, i) = 1;
    p.P = Dense(p.Z.columns, p.Z.columns);
    return p;
  }
  const Dense in_rates = gather_dense(comm, unknowns.constraint_block(s.D), m, n);
  p.G = in_rates;
  for (int i = 0; i < p.G.rows; ++i)
    for (int j = 0; marks[i] == 0 && j < p.G.columns; ++j) p.G(i, j) = in_w(i, j);
  const RowSpace rates(product(selected(in_rates, marks, 1), p.Z));
  p.Y = rates.null_space();
  p.P = rates.shortest(product(p.H, p.Z));
  return p;
}

/// What the numbers of a load are called: `x`, `y`, `z` of its vector, others by their keys.
std::vector<std::string> signal_names(const FamilyEntry& entry) {
  std::vector<std::string> names;
  for (const FieldSpec& field : entry.fields) {
    if (field.type == FieldType::signal3) names.insert(names.end(), {"x", "y", "z"});
    if (field.type == FieldType::signal) names.emplace_back(field.name);
  }
  return names;
}

/// All numbers of the model's loads, and their names.
std::vector<LoadComponent> list_loads(const Model& model, std::vector<std::string>& names) {
  std::vector<LoadComponent> loads;
  for (std::size_t f = 0; f < model.forces.size(); ++f) {
    const ForceItem& item = model.forces[f];
    const FamilyEntry& entry = *find_force_type(item.type);
    if (!entry.shape.is_load) continue;
    const std::vector<std::string> components = signal_names(entry);
    for (std::int64_t instance = 0; instance < item.repeat.count(); ++instance)
      for (std::size_t k = 0; k < components.size(); ++k) {
        loads.push_back({static_cast<int>(f), instance, static_cast<int>(k)});
        names.push_back(item.name.expand(item.repeat.indices(instance)) + '.' + components[k]);
      }
  }
  return loads;
}

/// What one unit of each load does, as columns in natural order.
Dense load_columns(const System& system, const NaturalUnknowns& unknowns, const Stage& stage,
                   const std::vector<LoadComponent>& loads) {
  Dense b(static_cast<int>(unknowns.num_dofs()), static_cast<int>(loads.size()));
  VecHandle f = system.make_dof_vector();
  for (std::size_t j = 0; j < loads.size(); ++j) {
    system.load_direction(loads[j], stage, f);
    const VecRead column(f);
    for (std::size_t i = 0; i < unknowns.dofs().size(); ++i)
      b(static_cast<int>(unknowns.dofs()[i]), static_cast<int>(j)) = column[static_cast<PetscInt>(i)];
  }
  MPI_Allreduce(MPI_IN_PLACE, b.values.data(), static_cast<int>(b.values.size()), MPI_DOUBLE, MPI_SUM, system.layout().comm);
  return b;
}

}  // namespace

Dense gather_dense(MPI_Comm comm, const std::vector<MatrixEntry>& mine, std::int64_t rows, std::int64_t columns) {
  Dense A(static_cast<int>(rows), static_cast<int>(columns));
  for (const MatrixEntry& e : mine) A(static_cast<int>(e.row), static_cast<int>(e.column)) = e.value;
  MPI_Allreduce(MPI_IN_PLACE, A.values.data(), static_cast<int>(A.values.size()), MPI_DOUBLE, MPI_SUM, comm);
  return A;
}

StateSpace make_state_space(const System& system, const NaturalUnknowns& unknowns, const LinearisedState& about,
                            const Sensors& sensors) {
  const TimedPhase timed(Phase::solve);
  if (unknowns.num_dofs() > most_state_space_dofs)
    throw InputError(fmt::format("the state-space form is dense and serves up to {} degrees of freedom, this model has {}",
                                 most_state_space_dofs, unknowns.num_dofs()));
  StateSpace s;
  const Parts p = make_parts(system, unknowns, about.equations);
  const Stage stage{0.0, &about.state.q, about.state.z, about.state.lambda};
  const std::vector<LoadComponent> loads = list_loads(system.model(), s.inputs);
  const Dense b = load_columns(system, unknowns, stage, loads);
  // w' = R x: (-Z P, Z Y); v' from the equations of motion along Z Y
  const Dense V = product(p.Z, p.Y), lag = product(p.Z, p.P), Vt = transposed(V);
  const int n = p.Z.rows, nz = p.Z.columns, nv = V.columns, states = nz + nv, inputs = b.columns;
  s.T = stacked(beside(p.Z, Dense(n, nv)), beside(sum(Dense(n, nz), -1.0, lag), V));
  const Dense inertia = product(Vt, product(p.M, V));
  const Dense D = sum(p.D, -1.0, product(p.M, product(lag, transposed(p.Z))));  // M w'' has -M Z P y', y' = Z^T w'
  const Dense in_w = product(p.K, beside(p.Z, Dense(n, nv)));
  const Dense in_rate = product(D, beside(sum(Dense(n, nz), -1.0, lag), V));
  const char* const masses = "the mass matrix of the motions that the constraints leave (is a body without mass not held?)";
  const Dense acceleration = solution(inertia, sum(Dense(nv, states), -1.0, product(Vt, sum(in_w, 1.0, in_rate))), masses);
  const Dense by_load = solution(inertia, product(Vt, b), masses);
  const Dense rates = beside(sum(Dense(nz, nz), -1.0, p.P), p.Y);
  s.A = stacked(rates, acceleration);
  s.B = stacked(Dense(nz, inputs), by_load);
  // w'' = Z y'' = V v' - lag y', and G^T mu = b u - M w'' - D w' - K w
  const Dense second = sum(product(V, acceleration), -1.0, product(lag, rates)), second_by_load = product(V, by_load);
  const RowSpace constraints(p.G);
  const Dense w = beside(p.Z, Dense(n, nv)), rate = beside(sum(Dense(n, nz), -1.0, lag), V);
  const Dense load = sum(sum(product(p.M, second), 1.0, product(p.D, rate)), 1.0, in_w);
  const Dense mu = constraints.multipliers(sum(Dense(n, states), -1.0, load));
  const Dense mu_by_load = constraints.multipliers(sum(b, -1.0, product(p.M, second_by_load)));
  const int outputs = static_cast<int>(sensors.num_columns());
  s.outputs = sensors.header();
  s.C = Dense(outputs, states);
  s.D = Dense(outputs, inputs);
  if (outputs == 0) return s;
  SensorSlopes slopes(system, unknowns, about.state, about.frame, sensors);
  const auto put = [&slopes](const StateChange& change, double* column) {
    const std::vector<double> y = slopes.along(change);
    std::copy(y.begin(), y.end(), column);
  };
  for (int j = 0; j < states; ++j) {
    if (j == nz) slopes.forget_sizes();
    put({j < nz ? w.column(j) : nullptr, rate.column(j), second.column(j), mu.column(j)}, s.C.column(j));
  }
  slopes.forget_sizes();
  for (int j = 0; j < inputs; ++j)
    put({nullptr, nullptr, second_by_load.column(j), mu_by_load.column(j), &loads[static_cast<std::size_t>(j)]}, s.D.column(j));
  return s;
}

}  // namespace sinew
