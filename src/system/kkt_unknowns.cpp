#include "system/kkt_unknowns.hpp"

#include "base/composed.hpp"

namespace sinew {

namespace {

constexpr const char* key = "sinew_unknowns";
using Shared = std::shared_ptr<const KktUnknowns>;

}  // namespace

void note_unknowns(PetscMat A, std::shared_ptr<const KktUnknowns> unknowns) {
  compose(A, key, std::make_unique<Shared>(std::move(unknowns)));
}

std::shared_ptr<const KktUnknowns> noted_unknowns(PetscMat A) {
  const Shared* found = composed<Shared>(A, key);
  return found != nullptr ? *found : nullptr;
}

}  // namespace sinew
