#include "integrate/make_integrator.hpp"

#include "integrate/bdf_integrator.hpp"

#include <fmt/format.h>

#include <string>

namespace sinew {

namespace {

KktForm kkt_form(KktForm otherwise) {
  char text[64] = "";
  PetscBool is_set = PETSC_FALSE;
  petsc(PetscOptionsGetString(nullptr, nullptr, "-sinew_kkt", text, sizeof text, &is_set));
  if (!is_set) return otherwise;
  const std::string word = text;
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

std::unique_ptr<Integrator> make_integrator(const DynamicSystem& system, const Analysis& analysis, KktForm kkt) {
  const KktForm form = kkt_form(kkt);
  switch (analysis.integrator) {
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
