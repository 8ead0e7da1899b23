#include "petsc_options.hpp"

#include "base/petsc.hpp"
#include "model/choices.hpp"
#include "model/nearest_name.hpp"
#include "solve/newton_options.hpp"
#include "standard_output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <petscsnes.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>
#include <utility>

namespace sinew {

namespace {

/// Options of Sinew itself.
const std::vector<std::string> own_options = {"sinew_kkt",    "sinew_integrator",   "sinew_deterministic", "sinew_regularization",
                                              "sinew_solids", "sinew_memory_apart", "sinew_substructures"};
/// Solvers that may iterate: then they have two more inside, of the border and of the solids.
const std::vector<std::string> iterating = {"sinew_",       "sinew_projection_", "sinew_start_",    "sinew_acceleration_",
                                            "sinew_error_", "sinew_redundancy_", "sinew_reactions_"};
const std::vector<std::string> others = {
    "sinew_projection_krylov_", "sinew_static_",      "sinew_static_path_", "sinew_steady_",      "sinew_modes_",
    "sinew_modes_st_",          "sinew_modes_scale_", "sinew_buckling_",    "sinew_buckling_st_", "sinew_buckling_linear_"};

std::vector<std::string> all_solvers() {
  std::vector<std::string> all;
  for (const std::string& solver : iterating)
    for (const char* part : {"", "border_", "solid_"}) all.push_back(solver + part);
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

/// What stands between `sinew_` and PETSc's own name, for every solver: see docs/petsc-options.md.
const std::vector<std::string> solvers = all_solvers();
/// How PETSc's and SLEPc's own names begin: the object, or a solver inside a preconditioner.
const std::vector<std::string> objects = {"snes_",       "ksp_", "pc_",  "mat_",       "eps_",       "st_",
                                          "bv_",         "ds_",  "rg_",  "sub_",       "redundant_", "mg_",
                                          "fieldsplit_", "asm_", "ilu_", "telescope_", "npc_",       "vec_"};
/// What is often given, for suggestions.
const std::vector<std::string> common = {"snes_monitor",
                                         "snes_converged_reason",
                                         "snes_view",
                                         "snes_type",
                                         "snes_rtol",  // these three are refused by the solver, which says why
                                         "snes_atol",
                                         "snes_stol",
                                         "snes_convergence_test",
                                         "snes_max_it",
                                         "snes_linesearch_type",
                                         "snes_linesearch_monitor",
                                         "ksp_type",
                                         "ksp_rtol",
                                         "ksp_atol",
                                         "ksp_max_it",
                                         "ksp_monitor",
                                         "ksp_monitor_true_residual",
                                         "ksp_converged_reason",
                                         "ksp_view",
                                         "ksp_gmres_restart",
                                         "pc_type",
                                         "pc_factor_mat_solver_type",
                                         "pc_factor_mat_ordering_type",
                                         "pc_factor_levels",
                                         "mat_mumps_icntl_4",
                                         "mat_mumps_icntl_7",
                                         "mat_mumps_icntl_14",
                                         "mat_mumps_icntl_28",
                                         "mat_mumps_icntl_29",
                                         "eps_tol",
                                         "eps_max_it",
                                         "eps_ncv",
                                         "eps_monitor",
                                         "eps_view",
                                         "eps_converged_reason"};

struct Option {
  std::string name, value;
};

bool begins_with(const std::string& text, const std::string& start) { return text.compare(0, start.size(), start) == 0; }

/// Those that nothing has asked for; PETSc's names do not tell small letters from capitals.
std::vector<Option> unused_options() {
  PetscInt count = 0;
  char **names = nullptr, **values = nullptr;
  petsc(PetscOptionsLeftGet(nullptr, &count, &names, &values));
  std::vector<Option> options;
  for (PetscInt i = 0; i < count; ++i) {
    Option option{names[i], values[i] ? values[i] : ""};
    for (char& c : option.name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    options.push_back(std::move(option));
  }
  petsc(PetscOptionsLeftRestore(nullptr, &count, &names, &values));
  return options;
}

/// The prefix of the solver that an option is for, the longest that fits; empty where PETSc's own name does not follow.
std::string solver_of(const std::string& name) {
  std::string found;
  for (const std::string& solver : solvers)
    for (const std::string& object : objects)
      if (begins_with(name, solver + object) && solver.size() > found.size()) found = solver;
  return found;
}

/// `-sinew_ksp_type`: the known option that is nearest to a name.
std::string nearest_option(const std::string& name) {
  std::vector<std::string> known = own_options;
  for (const std::string& solver : solvers)
    for (const std::string& option : common) known.push_back(solver + option);
  const std::string near = nearest_name(name, known);
  constexpr int slip = 3;  // letters that a misspelt name may differ by
  return near.empty() || near == name || edit_distance(near, name) > slip ? std::string()
                                                                          : fmt::format("; did you mean -{}?", near);
}

void check_name(const Option& option) {
  if (std::find(own_options.begin(), own_options.end(), option.name) != own_options.end() || !solver_of(option.name).empty())
    return;
  throw InputError(
      fmt::format("-{}: Sinew has no such option{} (its own are -{}; those of PETSc follow the name of a solver: -{})",
                  option.name, nearest_option(option.name), fmt::join(own_options, ", -"), fmt::join(solvers, "..., -")));
}

std::vector<std::string> names_in(PetscFunctionList list) {
  const char** names = nullptr;
  int count = 0;
  petsc(PetscFunctionListGet(list, &names, &count));
  std::vector<std::string> all;
  for (int i = 0; i < count; ++i)
    if (names[i] != nullptr) all.emplace_back(names[i]);  // some versions count the end mark
  petsc(PetscFree(names));
  return all;
}

void check_choice(const Option& option, const std::string& ending, const std::vector<std::string>& known) {
  const std::string& name = option.name;
  if (name.size() < ending.size() || name.compare(name.size() - ending.size(), ending.size(), ending) != 0) return;
  if (std::find(known.begin(), known.end(), option.value) != known.end()) return;
  const std::string hint = suggestion(option.value, known);
  throw InputError(
      fmt::format("-{} {}: PETSc has nothing of this name{}", name, option.value, hint.empty() ? hint : " (" + hint + ")"));
}

bool knows_package(const std::string& package) {
  PetscBool is_known = PETSC_FALSE;
  petsc(MatSolverTypeGet(package.c_str(), MATSEQAIJ, MAT_FACTOR_LU, &is_known, nullptr, nullptr));
  return is_known == PETSC_TRUE;
}

/// The solvers that are Newton's method.
bool is_newton(const std::string& prefix) { return prefix == "sinew_" || prefix == "sinew_static_"; }

void check_package(const Option& option) {
  if (option.name.find("pc_factor_mat_solver_type") == std::string::npos || knows_package(option.value)) return;
  std::vector<std::string> known;
  for (const char* package :
       {"petsc", "mumps", "superlu", "superlu_dist", "umfpack", "klu", "cholmod", "mkl_pardiso", "strumpack"})
    if (knows_package(package)) known.emplace_back(package);
  throw InputError(
      fmt::format("-{} {}: this PETSc has no such package ({})", option.name, option.value, suggestion(option.value, known)));
}

std::vector<std::string> built_integrators() {
  std::vector<std::string> names;
  for (const Choice<IntegratorName>& choice : choices_of<IntegratorName>())
    if (choice.is_built) names.emplace_back(choice.name);
  return names;
}

/// Numbers that Sinew itself asks PETSc for, and choices: a wrong one is found before anything is built.
void check_value(const Option& option) {
  const auto refuse = [&](const std::string& wanted) {
    throw InputError(fmt::format("-{} {}: {}", option.name, option.value, wanted));
  };
  const auto number = [&] {
    char* end = nullptr;
    const double value = std::strtod(option.value.c_str(), &end);
    return end == option.value.c_str() || *end != '\0' ? std::numeric_limits<double>::quiet_NaN() : value;
  };
  const auto is_one_of = [&](const std::vector<std::string>& words) {
    return std::find(words.begin(), words.end(), option.value) != words.end();
  };
  const std::string iterations = "snes_max_it";
  const bool is_switch = option.name == "sinew_deterministic" || option.name == "sinew_memory_apart";
  if (option.name == "sinew_regularization") {
    if (!(number() >= 0)) refuse("a number from 0 on is due, 1e-10 for example");
  } else if (is_switch) {
    if (!is_one_of({"", "true", "false", "yes", "no", "on", "off", "1", "0"})) refuse("true or false is due");
  } else if (option.name == "sinew_solids") {
    if (!is_one_of({"automatic", "iterations", "factors"})) refuse("automatic, iterations or factors is due");
  } else if (option.name == "sinew_substructures") {
    if (!is_one_of({"sparse", "batched", "cudss"})) refuse("sparse, batched or cudss is due");
  } else if (option.name == "sinew_kkt") {
    if (!is_one_of({"block", "monolithic"})) refuse("choose block or monolithic");
  } else if (option.name == "sinew_integrator") {
    if (!is_one_of(built_integrators())) refuse(fmt::format("choose one of {}", fmt::join(built_integrators(), ", ")));
  } else if (option.name.size() > iterations.size() &&
             option.name.compare(option.name.size() - iterations.size(), iterations.size(), iterations) == 0) {
    const double count = number();
    if (!(count >= 1) || count != std::floor(count)) refuse("a whole number from 1 on is due");
  }
}

/// -mat_type and -vec_type: types that our matrices and vectors cannot take on end a run in the middle, or crash PETSc.
void check_object_type(const Option& option) {
  const bool is_matrix = option.name == "mat_type";
  if (!is_matrix && option.name != "vec_type") return;
  int ranks = 1;
  MPI_Comm_size(PETSC_COMM_WORLD, &ranks);
  petsc(VecInitializePackage());
  const std::vector<std::string> known = names_in(is_matrix ? MatList : VecList);
  const std::string ours = is_matrix ? "aij" : "", &value = option.value;
  const auto begins_as = [&](const std::string& start) { return begins_with(value, start + ours); };
  const bool is_of_others = ranks > 1 ? begins_as("seq") : is_matrix && begins_as("mpi"),
             is_plain = begins_with(value, is_matrix ? "aij" : "");
  const bool is_ours = is_plain || begins_as("seq") || begins_as("mpi");
  const auto knows = [&](const std::string& name) { return std::find(known.begin(), known.end(), name) != known.end(); };
  const bool is_there = knows(value) || knows("seq" + value);  // `aij` stands for one on one rank and another on several
  if (is_there && is_ours && !is_of_others) return;
  throw InputError(fmt::format("-{} {}: {} on {} rank{} are of types like {}", option.name, value,
                               is_matrix ? "matrices" : "vectors", ranks, ranks == 1 ? "" : "s",
                               is_matrix ? "aij, and aijkokkos or aijcusparse where PETSc has them"
                                         : "standard, and kokkos, cuda or hip where PETSc has them"));
}

/// Options of those that begin when a motion or a state of rest has been found.
bool searches_values(const std::string& name) {
  return begins_with(name, "sinew_modes_") || begins_with(name, "sinew_buckling_");
}

/// Options that PETSc looks at when it ends.
bool belongs_to_the_end(const std::string& name) {
  for (const char* start : {"options_", "log_", "malloc", "memory_", "objects_"})
    if (begins_with(name, start)) return true;
  return false;
}

}  // namespace

void check_petsc_options() {
  petsc(MatInitializePackage());
  petsc(PCInitializePackage());
  petsc(KSPInitializePackage());
  petsc(SNESInitializePackage());
  const std::vector<std::string> krylov = names_in(KSPList), preconditioners = names_in(PCList), newton = names_in(SNESList);
  for (const Option& option : unused_options()) {
    check_object_type(option);
    if (!begins_with(option.name, "sinew")) continue;
    check_name(option);
    check_choice(option, "_snes_type", newton);
    check_choice(option, "_ksp_type", krylov);
    check_choice(option, "_pc_type", preconditioners);
    check_package(option);
    check_value(option);
    const std::string prefix = solver_of(option.name);
    if (is_newton(prefix) && begins_with(option.name, prefix + "snes_")) refuse_other_judges(prefix);
  }
}

std::vector<std::string> overrides_of_options() {
  char word[64] = "";
  PetscBool is_set = PETSC_FALSE;
  petsc(PetscOptionsGetString(nullptr, nullptr, "-sinew_integrator", word, sizeof word, &is_set));
  if (!is_set) return {};
  return {std::string("analysis.integrator=") + word};
}

std::vector<std::string> warn_of_unused_options(OptionsOf which) {
  static std::set<std::string> named;
  std::vector<std::string> warnings;
  for (const Option& option : unused_options()) {
    const bool is_ours = begins_with(option.name, "sinew_");
    if (which == OptionsOf::sinew && searches_values(option.name)) continue;
    if (belongs_to_the_end(option.name) || (which == OptionsOf::sinew && !is_ours) || !named.insert(option.name).second) continue;
    warnings.push_back(
        fmt::format("warning: nothing asked for the option -{}{}{}", option.name, option.value.empty() ? "" : " ", option.value) +
        (is_ours ? nearest_option(option.name) : std::string(" (options with one dash are PETSc's, Sinew's have two)")));
    warn_once(PETSC_COMM_WORLD, warnings.back());
  }
  return warnings;
}

void OptionWatch::observe(const Snapshot& snapshot) {
  if (snapshot.number != 1) return;
  for (std::string& warning : warn_of_unused_options(OptionsOf::sinew)) warnings_.push_back(std::move(warning));
}

}  // namespace sinew
