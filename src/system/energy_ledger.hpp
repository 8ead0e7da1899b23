/// \file
/// What a model's forces, drives and dampers exchange with its motion: integrals of their powers over the accepted states.
#pragma once

#include "partition/local_model.hpp"
#include "system/archive.hpp"

#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace sinew {

class System;

/// Energy that dampers have taken from a motion, and that loads, actuators and drives have brought in, J; or both per time, W.
struct EnergyExchange {
  double dissipated = 0, work = 0;
};

/// Of the whole system, and of every force and joint whose exchange a sensor records, by the trapezoidal rule: of second order,
/// like the integrators.
///
/// The power of an element is f . z over its own degrees of freedom. Of loads, actuators and joints (-G^T lambda . z, which is
/// zero of ideal joints and the power of drives) all of it is work. What f(q, 0) . z of other forces does is in their strain
/// energy, and f(q, 0) . z - f(q, z) . z is dissipated.
class EnergyLedger {
 public:
  /// Opens the accounts that the model's sensors ask for. Throws InputError where one names nothing. Collective.
  EnergyLedger(const Model&, const LocalModel&);

  /// Does a sensor record anything? The same on all ranks.
  bool is_kept() const { return keeps_whole_ || !families_.empty(); }
  /// Are there accounts of single joints?
  bool wants_impulses() const { return has_joints_; }
  /// Everything counts from the next state on.
  void forget();
  /// Shares of ranks go as their sum, to the first rank that has a part of the account. Collective.
  void persist(Archive&);
  /// A state that is part of the solution. Collective.
  void accept(const System&, const Stage&);
  /// Velocities that have changed in no time by the impulses -G^T Lambda, Lambda those of `after`. They bring in the work of the
  /// mean velocity: the whole is the change of the kinetic energy. Collective.
  void accept_impulse(const System&, PetscVec before, const Stage& after);

  const EnergyExchange& whole() const { return whole_; }
  /// This rank's part of what a force or joint has exchanged; that of all ranks adds up.
  EnergyExchange share(OriginKind kind, int item, std::int64_t instance) const;

 private:
  using Account = std::tuple<OriginKind, int, std::int64_t>;
  /// An element that belongs to an account.
  struct Part {
    int element = 0;
    std::size_t account = 0;
  };
  using Rates = std::vector<EnergyExchange>;
  static void persist_whole(Archive&, const std::string& name, EnergyExchange&);
  void persist_shares(Archive&, const std::string& name, Rates&) const;
  void open_accounts(const Model&);
  void find_parts(const LocalModel&);
  double power(const System&, std::size_t family, const Part&, const std::vector<double>& slots, const double* z) const;
  Rates rates(const System&, const Stage&) const;

  bool keeps_whole_ = false, has_joints_ = false;
  std::map<Account, std::size_t> accounts_;  ///< place in `shares_`
  std::vector<std::size_t> families_;        ///< with parts on any rank: indices into LocalModel::families
  std::vector<std::vector<Part>> parts_;     ///< of each of these, on this rank
  EnergyExchange whole_, whole_rate_;
  Rates shares_, share_rates_;
  std::optional<double> last_time_;
};

}  // namespace sinew
