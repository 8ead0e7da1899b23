#include "linear/border_complement.hpp"

#include "base/index.hpp"
#include "base/reduction.hpp"
#include "linear/border_contact.hpp"
#include "linear/matrix_rows.hpp"
#include "partition/exchange.hpp"

#include <algorithm>

namespace sinew {

namespace {

/// Columns of W that are kept whole. Of more W y is found as P^-1 (B y), from where it reads less memory: incomplete factors of
/// hexahedra have 40 entries a row, of 12 bytes each and read twice, a column one of 8.
constexpr int most_whole = 64;

/// Columns from which S, full in what touches one body, goes to MUMPS. With 306 of them, in a box of 2,000 unknowns, iterations
/// take 2.1 s where they took 4.9 with KLU; with 1206 masses take 6 s for 39.
constexpr int many_colours = 64;

}  // namespace

BorderComplement::BorderComplement(PetscMat B, PetscMat D, const std::vector<std::int64_t>& body) {
  comm_ = comm_of(B);
  PetscInt end = 0;
  petsc(MatGetOwnershipRange(D, &first_, &end));
  num_own_ = end - first_;
  petsc(MatGetSize(D, &size_, nullptr));
  find_contacts(B, body);
  choose_colours();
  petsc(MatCreateVecs(B, right_.address(), bulk_.address()));
  product_ = duplicate(right_);
  if (num_colours_ <= most_whole) W_.resize(at(num_colours_));
  for (VecHandle& w : W_) w = duplicate(bulk_);
  petsc(VecScatterCreateToAll(right_, to_all_.address(), everything_.address()));
  solution_ = duplicate(everything_);
  petsc(VecSet(solution_, 0.0));
  prepare(D);
}

/// Which bodies every unknown of the border touches.
void BorderComplement::find_contacts(PetscMat B, const std::vector<std::int64_t>& body) {
  PetscInt first = 0, end = 0;
  petsc(MatGetOwnershipRange(B, &first, &end));
  std::vector<BorderContact> contacts;
  for (PetscInt i = first; i < end; ++i) {
    const std::size_t before = contacts.size();
    for_entries(B, i, [&](PetscInt j, PetscScalar) {
      const BorderContact contact{j, body[at((i - first) / 3)]};
      contacts.push_back(contact);
    });
    if (contacts.size() > before) read_rows_.push_back(i - first);
  }
  sort_out(contacts);
  contacts = gather_from_all(comm_, contacts);
  sort_out(contacts);
  std::vector<std::int64_t> bodies;
  for (const BorderContact& contact : contacts) bodies.push_back(contact.body);
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  num_bodies_ = static_cast<int>(bodies.size());
  const auto number = [&bodies](std::int64_t b) {
    const auto found = std::lower_bound(bodies.begin(), bodies.end(), b);
    return found != bodies.end() && *found == b ? static_cast<int>(found - bodies.begin()) : -1;
  };
  for (const std::int64_t b : body) body_.push_back(number(b));
  touches_.resize(at(size_));
  for (const BorderContact& contact : contacts) touches_[at(contact.unknown)].push_back(number(contact.body));
}

/// Greedily. Two unknowns that touch bodies of one neighbourhood (a body and those that share an unknown of the border with it)
/// differ in colour: then C W of a colour shows in every row one of them only.
void BorderComplement::choose_colours() {
  std::vector<std::vector<int>> neighbours(at(num_bodies_));
  for (const std::vector<int>& bodies : touches_)
    for (const int a : bodies) neighbours[at(a)].insert(neighbours[at(a)].end(), bodies.begin(), bodies.end());
  for (std::vector<int>& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  std::vector<std::vector<int>> used(at(num_bodies_));  // colours that touch a body
  colour_.assign(at(size_), -1);
  for (PetscInt j = 0; j < size_; ++j) {
    if (touches_[at(j)].empty()) continue;
    std::vector<char> is_taken(at(num_colours_) + 1, 0);
    for (const int a : touches_[at(j)])
      for (const int b : neighbours[at(a)])
        for (const int c : used[at(b)]) is_taken[at(c)] = 1;
    const int colour = static_cast<int>(std::find(is_taken.begin(), is_taken.end(), 0) - is_taken.begin());
    colour_[at(j)] = colour;
    num_colours_ = std::max(num_colours_, colour + 1);
    for (const int a : touches_[at(j)]) used[at(a)].push_back(colour);
  }
  column_.assign(at(num_bodies_) * at(num_colours_), -1);
  for (PetscInt j = 0; j < size_; ++j)
    for (const int a : touches_[at(j)]) column_[place_of(a, colour_[at(j)])] = j;
}

/// The pattern of S: that of D, and of C W.
void BorderComplement::prepare(PetscMat D) {
  std::vector<Entry> entries;
  for (PetscInt i = 0; i < num_own_; ++i) {
    for_entries(D, first_ + i, [&](PetscInt j, PetscScalar) { entries.push_back({first_ + i, j}); });
  }
  std::vector<std::vector<Entry>> filled(at(num_colours_));
  for (PetscInt i = 0; i < num_own_; ++i) {
    std::vector<PetscInt> columns;
    for (const int a : touches_[at(first_ + i)])
      for (int c = 0; c < num_colours_; ++c)
        if (const PetscInt j = column_[place_of(a, c)]; j >= 0) columns.push_back(j);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (const PetscInt j : columns) filled[at(colour_[at(j)])].push_back({first_ + i, j});
  }
  for (const std::vector<Entry>& of_colour : filled) {
    entries.insert(entries.end(), of_colour.begin(), of_colour.end());
    std::vector<PetscInt>& rows = filled_.emplace_back();
    for (const Entry& entry : of_colour) rows.push_back(entry.row - first_);
  }
  entries = gather_from_all(comm_, entries);
  std::vector<PetscInt> rows, columns;
  for (const Entry& entry : entries) {
    rows.push_back(entry.row);
    columns.push_back(entry.column);
  }
  petsc(MatCreate(PETSC_COMM_SELF, S_.address()));
  petsc(MatSetSizes(S_, size_, size_, size_, size_));
  petsc(MatSetType(S_, MATSEQAIJ));
  petsc(MatSetPreallocationCOO(S_, static_cast<PetscCount>(rows.size()), rows.data(), columns.data()));
}

void BorderComplement::find_columns(PetscMat B, const Inverse& inverse) {
  inverse_ = inverse;
  read_.resize(at(num_colours_));
  VecHandle whole;
  if (W_.empty()) whole = duplicate(bulk_);
  for (int c = 0; c < num_colours_; ++c) {
    {
      VecWrite e(right_);
      for (PetscInt i = 0; i < num_own_; ++i) e[i] = colour_[at(first_ + i)] == c ? 1.0 : 0.0;
    }
    PetscVec w = W_.empty() ? whole.get() : W_[at(c)].get();
    petsc(MatMult(B, right_, bulk_));
    inverse(bulk_, w);
    const VecRead from(w);
    read_[at(c)].clear();
    for (const PetscInt i : read_rows_) read_[at(c)].push_back(from[i]);
  }
  if (!W_.empty() || num_colours_ == 0) return;
  petsc(MatDuplicate(B, MAT_COPY_VALUES, B_.address()));
}

bool BorderComplement::factorise(PetscMat C, PetscMat D) {
  if (size_ == 0) return true;
  std::vector<double> values;
  for (PetscInt i = 0; i < num_own_; ++i)
    for_entries(D, first_ + i, [&](PetscInt, PetscScalar value) { values.push_back(value); });
  petsc(VecSet(bulk_, 0.0));
  for (std::size_t c = 0; c < filled_.size(); ++c) {
    {
      VecWrite w(bulk_);
      for (std::size_t k = 0; k < read_rows_.size(); ++k) w[read_rows_[k]] = read_[c][k];
    }
    petsc(MatMult(C, bulk_, product_));
    const VecRead product(product_);
    for (const PetscInt row : filled_[c]) values.push_back(-product[row]);
  }
  values = gather_from_all(comm_, values);
  petsc(MatSetValuesCOO(S_, values.data(), INSERT_VALUES));
  if (!solver_ && num_colours_ >= many_colours) solver_ = make_mumps_solver(true);
  if (!solver_) solver_ = make_klu_solver(1);
  if (!solver_) solver_ = make_mumps_solver(true);  // KLU is for indices of 32 bits
  return is_so_on_all(comm_, solver_ && solver_->factorise(S_));
}

bool BorderComplement::solve(PetscVec u, PetscVec y) {
  if (size_ == 0) return true;
  petsc(VecScatterBegin(to_all_, u, everything_, INSERT_VALUES, SCATTER_FORWARD));
  petsc(VecScatterEnd(to_all_, u, everything_, INSERT_VALUES, SCATTER_FORWARD));
  if (!is_so_on_all(comm_, solver_->solve(everything_, solution_))) return false;
  const VecRead from(solution_);
  VecWrite to(y);
  std::copy(from.data() + first_, from.data() + first_ + num_own_, to.data());
  return true;
}

void BorderComplement::subtract(PetscVec t) {
  if (num_colours_ == 0) return;
  const VecRead y(solution_);
  if (W_.empty()) {
    {
      VecWrite own(right_);
      for (PetscInt i = 0; i < num_own_; ++i) own[i] = y[first_ + i];
    }
    const VecHandle product = duplicate(bulk_);
    petsc(MatMult(B_, right_, bulk_));
    inverse_(bulk_, product);
    petsc(VecAXPY(t, -1.0, product));
    return;
  }
  std::vector<double> share(column_.size());
  for (std::size_t k = 0; k < column_.size(); ++k) share[k] = column_[k] < 0 ? 0.0 : y[column_[k]];
  VecWrite to(t);
  for (int c = 0; c < num_colours_; ++c) {
    const VecRead w(W_[at(c)]);
    for (std::size_t n = 0; n < body_.size(); ++n) {
      if (body_[n] < 0) continue;
      const double factor = share[place_of(body_[n], c)];
      for (std::size_t i = 3 * n; i < 3 * n + 3; ++i) to[static_cast<PetscInt>(i)] -= factor * w[static_cast<PetscInt>(i)];
    }
  }
}

}  // namespace sinew
