#include "verify/general_dae.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

namespace sinew {

namespace {

std::vector<double> local_values(PetscVec v, int n) {
  std::vector<double> x(n, 0.0);
  if (v == nullptr) return x;
  const VecRead values(v);
  std::copy_n(values.data(), n, x.begin());
  return x;
}

void set_local_values(PetscVec v, const std::vector<double>& x) {
  VecWrite values(v);
  std::copy(x.begin(), x.end(), values.data());
}

std::vector<double> host_values(const Configuration& q) {
  const auto host = Kokkos::create_mirror_view_and_copy(HostSpace(), q.values);
  return {host.data(), host.data() + host.extent(0)};
}

VecHandle zero_vector(PetscInt n) {
  VecHandle v;
  petsc(VecCreateMPI(MPI_COMM_SELF, n, PETSC_DETERMINE, v.address()));
  petsc(VecSet(v, 0.0));
  return v;
}

/// The arguments as scalars that carry derivatives.
template <class S>
struct Seeded {
  S t{0.0};
  std::vector<S> y, z, lambda;

  template <class Numbers>
  explicit Seeded(const Numbers& x)
      : t(x.t), y(x.y.begin(), x.y.end()), z(x.z.begin(), x.z.end()), lambda(x.lambda.begin(), x.lambda.end()) {}

  DaePoint<S> point(const DaeSizes& n) const {
    return {t, y.data(), z.data(), lambda.data(), lambda.data() + n.position_rows, z.data() + n.dofs};
  }
};

}  // namespace

/// A stage in plain numbers.
struct GeneralDae::Numbers {
  double t = 0;
  std::vector<double> y, z, lambda;
};

GeneralDae::GeneralDae(std::unique_ptr<const DaeFunctions> functions)
    : functions_(std::move(functions)), sizes_(functions_->sizes()) {
  if (sizes_.dofs < 1 || sizes_.position_rows < 0 || sizes_.velocity_rows < 0 || sizes_.states < 0)
    throw InputError("a differential-algebraic equation needs at least one unknown and no negative number of rows or states");
  layout_.num_dofs = sizes_.dofs + sizes_.states;
  layout_.states.resize(sizes_.states);
  std::iota(layout_.states.begin(), layout_.states.end(), PetscInt{sizes_.dofs});
  layout_.num_rows = sizes_.position_rows + sizes_.velocity_rows;
  layout_.row_is_velocity.assign(layout_.num_rows, 0);
  std::fill(layout_.row_is_velocity.begin() + sizes_.position_rows, layout_.row_is_velocity.end(), char{1});
}

VecHandle GeneralDae::make_dof_vector() const { return zero_vector(layout_.num_dofs); }
VecHandle GeneralDae::make_row_vector() const { return zero_vector(layout_.num_rows); }
Configuration GeneralDae::make_configuration() const {
  return {DeviceArray<double>("configuration", static_cast<std::size_t>(sizes_.dofs))};
}

Configuration GeneralDae::configuration(std::span<const double> y) const {
  if (y.size() != static_cast<std::size_t>(sizes_.dofs))
    throw InputError("a configuration of this problem holds " + std::to_string(sizes_.dofs) + " numbers, not " +
                     std::to_string(y.size()));
  Configuration q = make_configuration();
  const auto host = Kokkos::create_mirror_view(q.values);
  std::copy(y.begin(), y.end(), host.data());
  Kokkos::deep_copy(q.values, host);
  return q;
}

std::vector<double> GeneralDae::values(const Configuration& q) const { return host_values(q); }

void GeneralDae::retract(const Configuration& q0, PetscVec w, Configuration& q1) const {
  std::vector<double> y = host_values(q0);
  const VecRead increment(w);
  for (int i = 0; i < sizes_.dofs; ++i) y[i] += increment[i];
  const auto host = Kokkos::create_mirror_view(q1.values);
  std::copy(y.begin(), y.end(), host.data());
  Kokkos::deep_copy(q1.values, host);
}

void GeneralDae::difference(const Configuration& q0, const Configuration& q1, PetscVec w) const {
  const std::vector<double> from = host_values(q0);
  std::vector<double> y = host_values(q1);
  for (int i = 0; i < sizes_.dofs; ++i) y[i] -= from[i];
  y.resize(layout_.num_dofs, 0.0);
  set_local_values(w, y);
}

void GeneralDae::chart_step(PetscVec base, double b, PetscVec z, PetscVec w) const {
  petsc(VecWAXPY(w, b, z, base));
  VecWrite increment(w);
  for (const PetscInt i : layout_.states) increment[i] = 0.0;
}

void GeneralDae::commutator(PetscVec, PetscVec, PetscVec out) const { petsc(VecSet(out, 0.0)); }

double GeneralDae::largest_coordinate(const Configuration& q) const {
  double largest = 0;
  for (const double y : host_values(q)) largest = std::max(largest, std::abs(y));
  return largest;
}

void GeneralDae::error_sizes(const Configuration& q, PetscVec z, PetscVec q_size, PetscVec z_size) const {
  {
    VecWrite sizes(q_size);
    const std::vector<double> y = host_values(q);
    for (const PetscInt i : layout_.states) sizes[i] = 0.0;
    std::transform(y.begin(), y.end(), sizes.data(), [](double value) { return std::abs(value); });
  }
  petsc(VecCopy(z, z_size));
  petsc(VecAbs(z_size));
}

GeneralDae::Numbers GeneralDae::numbers(const Stage& stage) const {
  return {stage.t, host_values(*stage.q), local_values(stage.z, static_cast<int>(layout_.num_dofs)),
          local_values(stage.lambda, sizes_.position_rows + sizes_.velocity_rows)};
}

void GeneralDae::mass_times(const Stage& stage, PetscVec a, PetscVec out) const {
  const int n = sizes_.dofs;
  const std::vector<double> y = host_values(*stage.q), x = local_values(a, n + sizes_.states);
  last_mass_.assign(static_cast<std::size_t>(n) * n, 0.0);
  functions_->mass(stage.t, y.data(), last_mass_.data());
  std::vector<double> Ma = x;  // the states' part stays
  std::fill_n(Ma.begin(), n, 0.0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) Ma[i] += last_mass_[i * n + j] * x[j];
  set_local_values(out, Ma);
}

/// f, then the rates of the states.
template <class S>
void GeneralDae::all_forces(const DaePoint<S>& x, S* f) const {
  functions_->force(x, f);
  if (sizes_.states > 0) functions_->rates(x, f + sizes_.dofs);
}

void GeneralDae::forces(const Stage& stage, PetscVec out) const {
  const Seeded<double> x(numbers(stage));
  std::vector<double> f(layout_.num_dofs, 0.0);
  all_forces(x.point(sizes_), f.data());
  set_local_values(out, f);
}

void GeneralDae::force_magnitudes(const Stage& stage, PetscVec out) const {
  forces(stage, out);
  petsc(VecAbs(out));
}

void GeneralDae::force_change(const Stage& stage, PetscVec change, PetscVec out) const {
  Seeded<double> x(numbers(stage));
  std::vector<double> before(layout_.num_dofs, 0.0), after(layout_.num_dofs, 0.0);
  all_forces(x.point(sizes_), before.data());
  const std::vector<double> d = local_values(change, static_cast<int>(x.lambda.size()));
  for (std::size_t i = 0; i < d.size(); ++i) x.lambda[i] += d[i];
  all_forces(x.point(sizes_), after.data());
  for (PetscInt i = 0; i < layout_.num_dofs; ++i) after[i] -= before[i];
  set_local_values(out, after);
}

void GeneralDae::constraints(const Stage& stage, PetscVec position, PetscVec velocity) const {
  const int m = sizes_.position_rows, r = m + sizes_.velocity_rows;
  const Numbers at = numbers(stage);
  if (position != nullptr) {
    std::vector<double> g(r, 0.0);
    functions_->position(Seeded<double>(at).point(sizes_), g.data());
    set_local_values(position, g);
  }
  if (velocity == nullptr) return;
  std::vector<double> rates(r, 0.0);
  functions_->nonholonomic(Seeded<double>(at).point(sizes_), rates.data() + m);
  Seeded<Dual1> along(at);
  along.t.grad = 1.0;
  for (int i = 0; i < sizes_.dofs; ++i) along.y[i].grad = at.z[i];
  std::vector<Dual1> g(m);
  functions_->position(along.point(sizes_), g.data());
  for (int i = 0; i < m; ++i) rates[i] = g[i].grad;
  set_local_values(velocity, rates);
}

void GeneralDae::constraint_drift(const Stage& stage, PetscVec drift) const {
  const int m = sizes_.position_rows, p = sizes_.velocity_rows;
  const Numbers at = numbers(stage);
  Seeded<Dual2> twice(at);
  twice.t = Dual2(Dual1(at.t, 1.0), Dual1(1.0));
  for (int i = 0; i < sizes_.dofs; ++i) twice.y[i] = Dual2(Dual1(at.y[i], at.z[i]), Dual1(at.z[i]));
  std::vector<Dual2> g(m);
  functions_->position(twice.point(sizes_), g.data());
  Seeded<Dual1> once(at);
  once.t.grad = 1.0;
  for (int i = 0; i < sizes_.dofs; ++i) once.y[i].grad = at.z[i];
  std::vector<Dual1> k(p);
  functions_->nonholonomic(once.point(sizes_), k.data());
  std::vector<double> rates(m + p);
  for (int i = 0; i < m; ++i) rates[i] = g[i].grad.grad;
  for (int i = 0; i < p; ++i) rates[m + i] = k[i].grad;
  set_local_values(drift, rates);
}

MatHandle GeneralDae::make_tangent_matrix() const {
  const PetscInt size = layout_.num_dofs + layout_.num_rows;
  MatHandle A;
  petsc(MatCreateSeqAIJ(MPI_COMM_SELF, size, size, size, nullptr, A.address()));
  set_values(std::vector<double>(static_cast<std::size_t>(size * size), 0.0), A);
  return A;
}

void GeneralDae::set_values(const std::vector<double>& A, PetscMat matrix) const {
  std::vector<PetscInt> index(layout_.num_dofs + layout_.num_rows);
  std::iota(index.begin(), index.end(), PetscInt{0});
  const auto size = static_cast<PetscInt>(index.size());
  petsc(MatSetValues(matrix, size, index.data(), size, index.data(), A.data(), INSERT_VALUES));
  petsc(MatAssemblyBegin(matrix, MAT_FINAL_ASSEMBLY));
  petsc(MatAssemblyEnd(matrix, MAT_FINAL_ASSEMBLY));
}

void GeneralDae::assemble_tangent(const Stage& stage, const TangentShift& shift, PetscVec /*w*/, PetscMat matrix) const {
  const std::size_t size = layout_.num_dofs + layout_.num_rows;
  std::vector<double> A(size * size, 0.0);
  const Numbers at = numbers(stage);
  add_momentum_rows(at, shift, A);
  if (shift.rows == ConstraintRows::curvature || shift.rows == ConstraintRows::velocity)
    add_curvature_rows(at, shift.velocity_row_q, A);
  if (shift.rows != ConstraintRows::curvature)
    add_gradient_rows(at, shift.rows == ConstraintRows::stage ? shift.velocity_row_q : 0.0, A);
  set_values(A, matrix);
}

/// a M - (q f_y + v f_z) and -f_lambda, likewise for the states and their rates: one dual sweep a column.
void GeneralDae::add_momentum_rows(const Numbers& at, const TangentShift& shift, std::vector<double>& A) const {
  const int n = sizes_.dofs, all = n + sizes_.states, size = all + sizes_.position_rows + sizes_.velocity_rows;
  std::vector<double> own_mass;
  if (last_mass_.empty()) {
    own_mass.assign(static_cast<std::size_t>(n) * n, 0.0);
    functions_->mass(at.t, at.y.data(), own_mass.data());
  }
  const std::vector<double>& M = last_mass_.empty() ? own_mass : last_mass_;
  Seeded<Dual1> x(at);
  std::vector<Dual1> f(all);
  const auto seed = [&](int j, double q, double v, double l) {
    if (j < n) x.y[j].grad = q;
    (j < all ? x.z[j] : x.lambda[j - all]).grad = j < n ? v : j < all ? v * shift.state_v + q * shift.state_q : l;
  };
  for (int j = 0; j < size; ++j) {
    std::fill(f.begin(), f.end(), Dual1());
    seed(j, shift.q, shift.v, 1.0);
    all_forces(x.point(sizes_), f.data());
    seed(j, 0, 0, 0);
    for (int i = 0; i < all; ++i) A[i * size + j] = -f[i].grad;
    for (int i = 0; i < n && j < n; ++i) A[i * size + j] += shift.a * M[i * n + j];
    if (j >= n && j < all) A[j * size + j] += shift.a * shift.state_a;
  }
}

/// g_y and k_z + velocity_row_q k_y.
void GeneralDae::add_gradient_rows(const Numbers& at, double velocity_row_q, std::vector<double>& A) const {
  const int n = sizes_.dofs, m = sizes_.position_rows, p = sizes_.velocity_rows, first = n + sizes_.states, size = first + m + p;
  Seeded<Dual1> x(at);
  std::vector<Dual1> g(m), k(p);
  for (int j = 0; j < n; ++j) {
    std::fill(g.begin(), g.end(), Dual1());
    std::fill(k.begin(), k.end(), Dual1());
    x.y[j].grad = 1.0;
    functions_->position(x.point(sizes_), g.data());
    x.y[j].grad = velocity_row_q;
    x.z[j].grad = 1.0;
    functions_->nonholonomic(x.point(sizes_), k.data());
    x.y[j].grad = x.z[j].grad = 0.0;
    for (int i = 0; i < m; ++i) A[(first + i) * size + j] += g[i].grad;
    for (int i = 0; i < p; ++i) A[(first + m + i) * size + j] += k[i].grad;
  }
}

/// velocity_row_q times (g_t + g_y z)_y and k_y, z frozen.
void GeneralDae::add_curvature_rows(const Numbers& at, double velocity_row_q, std::vector<double>& A) const {
  const int n = sizes_.dofs, m = sizes_.position_rows, p = sizes_.velocity_rows, first = n + sizes_.states, size = first + m + p;
  Seeded<Dual2> along(at);
  along.t.value.grad = 1.0;
  for (int i = 0; i < n; ++i) along.y[i].value.grad = at.z[i];
  Seeded<Dual1> x(at);
  std::vector<Dual2> g(m);
  std::vector<Dual1> k(p);
  for (int j = 0; j < n; ++j) {
    std::fill(g.begin(), g.end(), Dual2());
    std::fill(k.begin(), k.end(), Dual1());
    along.y[j].grad.value = x.y[j].grad = velocity_row_q;
    functions_->position(along.point(sizes_), g.data());
    functions_->nonholonomic(x.point(sizes_), k.data());
    along.y[j].grad.value = x.y[j].grad = 0.0;
    for (int i = 0; i < m; ++i) A[(first + i) * size + j] += g[i].grad.grad;
    for (int i = 0; i < p; ++i) A[(first + m + i) * size + j] += k[i].grad;
  }
}

MatHandle GeneralDae::make_projection_matrix() const { return make_tangent_matrix(); }

void GeneralDae::assemble_projection(const Stage& stage, PetscMat matrix) const {
  const int n = static_cast<int>(layout_.num_dofs), size = n + static_cast<int>(layout_.num_rows);
  std::vector<double> A(static_cast<std::size_t>(size) * size, 0.0);
  add_gradient_rows(numbers(stage), 0.0, A);
  for (int j = 0; j < n; ++j) {
    A[j * size + j] = 1.0;
    for (int i = n; i < size; ++i) A[j * size + i] = A[i * size + j];
  }
  set_values(A, matrix);
}

}  // namespace sinew
