#include "linear/border_complement.hpp"

#include "linear/matrix_rows.hpp"
#include "partition/exchange.hpp"

#include <algorithm>
#include <tuple>

namespace sinew {

namespace {

std::size_t at(PetscInt i) { return static_cast<std::size_t>(i); }

/// An unknown of the border has entries in rows of a body.
struct Contact {
  PetscInt unknown;
  std::int64_t body;
  bool operator<(const Contact& other) const { return std::tie(unknown, body) < std::tie(other.unknown, other.body); }
  bool operator==(const Contact& other) const { return unknown == other.unknown && body == other.body; }
};

void sort_out(std::vector<Contact>& contacts) {
  std::sort(contacts.begin(), contacts.end());
  contacts.erase(std::unique(contacts.begin(), contacts.end()), contacts.end());
}

}  // namespace

BorderComplement::BorderComplement(PetscMat B, PetscMat D, const std::vector<std::int64_t>& body) {
  petsc(PetscObjectGetComm(reinterpret_cast<PetscObject>(B), &comm_));
  PetscInt end = 0;
  petsc(MatGetOwnershipRange(D, &first_, &end));
  num_own_ = end - first_;
  petsc(MatGetSize(D, &size_, nullptr));
  find_contacts(B, body);
  choose_colours();
  VecHandle bulk;
  petsc(MatCreateVecs(B, right_.address(), bulk.address()));
  product_ = duplicate(right_);
  for (VecHandle& w : W_) w = duplicate(bulk);
  petsc(VecScatterCreateToAll(right_, to_all_.address(), everything_.address()));
  solution_ = duplicate(everything_);
  petsc(VecSet(solution_, 0.0));
  prepare(D);
}

/// Which bodies every unknown of the border touches.
void BorderComplement::find_contacts(PetscMat B, const std::vector<std::int64_t>& body) {
  PetscInt first = 0, end = 0;
  petsc(MatGetOwnershipRange(B, &first, &end));
  std::vector<Contact> contacts;
  for (PetscInt i = first; i < end; ++i)
    for_entries(B, i, [&](PetscInt j, PetscScalar) {
      const Contact contact{j, body[at((i - first) / 3)]};
      if (contacts.empty() || !(contacts.back() == contact)) contacts.push_back(contact);
    });
  sort_out(contacts);
  contacts = gather_from_all(comm_, contacts);
  sort_out(contacts);
  std::vector<std::int64_t> bodies;
  for (const Contact& contact : contacts) bodies.push_back(contact.body);
  std::sort(bodies.begin(), bodies.end());
  bodies.erase(std::unique(bodies.begin(), bodies.end()), bodies.end());
  num_bodies_ = static_cast<int>(bodies.size());
  const auto number = [&bodies](std::int64_t b) {
    const auto found = std::lower_bound(bodies.begin(), bodies.end(), b);
    return found != bodies.end() && *found == b ? static_cast<int>(found - bodies.begin()) : -1;
  };
  for (const std::int64_t b : body) body_.push_back(number(b));
  touches_.resize(at(size_));
  for (const Contact& contact : contacts) touches_[at(contact.unknown)].push_back(number(contact.body));
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
  int num_colours = 0;
  for (PetscInt j = 0; j < size_; ++j) {
    if (touches_[at(j)].empty()) continue;
    std::vector<char> is_taken(at(num_colours) + 1, 0);
    for (const int a : touches_[at(j)])
      for (const int b : neighbours[at(a)])
        for (const int c : used[at(b)]) is_taken[at(c)] = 1;
    const int colour = static_cast<int>(std::find(is_taken.begin(), is_taken.end(), 0) - is_taken.begin());
    colour_[at(j)] = colour;
    num_colours = std::max(num_colours, colour + 1);
    for (const int a : touches_[at(j)]) used[at(a)].push_back(colour);
  }
  W_.resize(at(num_colours));
  column_.assign(at(num_bodies_) * W_.size(), -1);
  for (PetscInt j = 0; j < size_; ++j)
    for (const int a : touches_[at(j)]) column_[at(a) * W_.size() + at(colour_[at(j)])] = j;
}

/// The pattern of S: that of D, and of C W.
void BorderComplement::prepare(PetscMat D) {
  std::vector<Entry> entries;
  for (PetscInt i = 0; i < num_own_; ++i) {
    for_entries(D, first_ + i, [&](PetscInt j, PetscScalar) { entries.push_back({first_ + i, j}); });
  }
  for (PetscInt i = 0; i < num_own_; ++i) {
    std::vector<PetscInt> columns;
    for (const int a : touches_[at(first_ + i)])
      for (std::size_t c = 0; c < W_.size(); ++c)
        if (const PetscInt j = column_[at(a) * W_.size() + c]; j >= 0) columns.push_back(j);
    std::sort(columns.begin(), columns.end());
    columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
    for (const PetscInt j : columns) {
      entries.push_back({first_ + i, j});
      filled_.push_back({i, colour_[at(j)]});
    }
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
  VecHandle column;
  if (!W_.empty()) column = duplicate(W_.front());
  for (std::size_t c = 0; c < W_.size(); ++c) {
    {
      VecWrite e(right_);
      for (PetscInt i = 0; i < num_own_; ++i) e[i] = colour_[at(first_ + i)] == static_cast<int>(c) ? 1.0 : 0.0;
    }
    petsc(MatMult(B, right_, column));
    inverse(column, W_[c]);
  }
}

bool BorderComplement::factorise(PetscMat C, PetscMat D) {
  if (size_ == 0) return true;
  std::vector<double> values;
  for (PetscInt i = 0; i < num_own_; ++i)
    for_entries(D, first_ + i, [&](PetscInt, PetscScalar value) { values.push_back(value); });
  const std::size_t before = values.size();
  values.resize(before + filled_.size());
  for (std::size_t c = 0; c < W_.size(); ++c) {
    petsc(MatMult(C, W_[c], product_));
    const VecRead filled(product_);
    for (std::size_t k = 0; k < filled_.size(); ++k)
      if (filled_[k].colour == static_cast<int>(c)) values[before + k] = -filled[filled_[k].row];
  }
  values = gather_from_all(comm_, values);
  petsc(MatSetValuesCOO(S_, values.data(), INSERT_VALUES));
  if (!solver_) solver_ = make_klu_solver(1);
  return solver_ && solver_->factorise(S_);
}

bool BorderComplement::solve(PetscVec u, PetscVec y) {
  if (size_ == 0) return true;
  petsc(VecScatterBegin(to_all_, u, everything_, INSERT_VALUES, SCATTER_FORWARD));
  petsc(VecScatterEnd(to_all_, u, everything_, INSERT_VALUES, SCATTER_FORWARD));
  if (!solver_->solve(everything_, solution_)) return false;
  const VecRead from(solution_);
  VecWrite to(y);
  std::copy(from.data() + first_, from.data() + first_ + num_own_, to.data());
  return true;
}

void BorderComplement::subtract(PetscVec t) const {
  if (W_.empty()) return;
  const VecRead y(solution_);
  std::vector<double> share(column_.size());
  for (std::size_t k = 0; k < column_.size(); ++k) share[k] = column_[k] < 0 ? 0.0 : y[column_[k]];
  VecWrite to(t);
  for (std::size_t c = 0; c < W_.size(); ++c) {
    const VecRead w(W_[c]);
    for (std::size_t n = 0; n < body_.size(); ++n) {
      if (body_[n] < 0) continue;
      const double factor = share[at(body_[n]) * W_.size() + c];
      for (std::size_t i = 3 * n; i < 3 * n + 3; ++i) to[static_cast<PetscInt>(i)] -= factor * w[static_cast<PetscInt>(i)];
    }
  }
}

}  // namespace sinew
