#include "integrate/make_integrator.hpp"

#include "integrate/bdf_integrator.hpp"
#include "model/choices.hpp"

#include <fmt/format.h>

#include <string>

namespace sinew {

namespace {

/// The word after a PETSc option; empty where it was not given.
std::string study_option(const char* name) {
  char text[64] = "";
  PetscBool is_set = PETSC_FALSE;
  petsc(PetscOptionsGetString(nullptr, nullptr, name, text, sizeof text, &is_set));
  return is_set ? text : "";
}

IntegratorName integrator_name(const Analysis& analysis) {
  const std::string word = study_option("-sinew_integrator");
  if (word.empty()) return analysis.integrator;
  std::string known;
  for (const Choice<IntegratorName>& choice : choices_of<IntegratorName>()) {
    if (word == choice.name && choice.is_built) return choice.value;
    if (choice.is_built) known += (known.empty() ? "" : ", ") + std::string(choice.name);
  }
  throw InputError(fmt::format("-sinew_integrator {}: choose one of {}", word, known));
}

KktForm kkt_form(KktForm otherwise) {
  const std::string word = study_option("-sinew_kkt");
  if (word.empty()) return otherwise;
  if (word == "block") return KktForm::block;
  if (word == "monolithic") return KktForm::monolithic;
  throw InputError(fmt::format("-sinew_kkt {}: choose block or monolithic", word));
}

AlphaOptions alpha_options(const Analysis& analysis, Method method, KktForm kkt) {
  AlphaOptions o;
  o.method = method;
  o.rho_inf = analysis.rho_inf;
  o.start = analysis.start;
  o.updates = analysis.updates;
  o.states = analysis.states;
  o.newton = analysis.newton;
  o.duration = analysis.end_time;
  o.kkt = kkt;
  return o;
}

AlphaOptions newmark_options(const Analysis& analysis, double beta, double gamma) {
  const Method method = analysis.constraints == ConstraintLevel::position ? Method::index3 : Method::index2;
  AlphaOptions o = alpha_options(analysis, method, KktForm::block);
  o.coefficients = newmark_coefficients(beta, gamma);
  return o;
}

BdfOptions bdf_options(const Analysis& analysis, MultiplierHistory multipliers, KktForm kkt) {
  BdfOptions o;
  o.multipliers = multipliers;
  o.order = analysis.order;
  o.kkt = kkt;
  o.newton = analysis.newton;
  return o;
}

}  // namespace

std::string integrator_word(const Analysis& analysis) {
  const IntegratorName name = integrator_name(analysis);
  for (const Choice<IntegratorName>& choice : choices_of<IntegratorName>())
    if (choice.value == name) return choice.name;
  return {};
}

std::unique_ptr<Integrator> make_integrator(const DynamicSystem& system, const Analysis& analysis, KktForm kkt) {
  const IntegratorName name = integrator_name(analysis);
  const KktForm form = kkt_form(kkt);
  switch (name) {
    case IntegratorName::soi2: return make_alpha_integrator(system, alpha_options(analysis, Method::soi2, form));
    case IntegratorName::gen_alpha: return make_alpha_integrator(system, alpha_options(analysis, Method::index3, form));
    case IntegratorName::gen_alpha_ggl: return make_alpha_integrator(system, alpha_options(analysis, Method::stabilised, form));
    case IntegratorName::newmark: return make_alpha_integrator(system, newmark_options(analysis, analysis.beta, analysis.gamma));
    case IntegratorName::trapezoid: return make_alpha_integrator(system, newmark_options(analysis, 0.25, 0.5));
    case IntegratorName::bdf_si1: return make_bdf_integrator(system, bdf_options(analysis, MultiplierHistory::integrals, form));
    case IntegratorName::bdf_si2: return make_bdf_integrator(system, bdf_options(analysis, MultiplierHistory::values, form));
  }
  throw InputError("this integrator is not known");
}

}  // namespace sinew
