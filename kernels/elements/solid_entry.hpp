/// \file
/// What the host knows of the registered solids: how an element of the mesh becomes parameters, and the stress in it.
#pragma once

#include "kernels/algebra/vec.hpp"

#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace sinew {

/// What every isotropic law makes its parameters of, and the rest of a solid's material. SI units, or any consistent ones.
struct SolidMaterialValues {
  double youngs_modulus = 0, poissons_ratio = 0;
  double density = 0;
  double alpha = 0, beta = 0;  ///< Rayleigh damping
  double viscosity = 0;        ///< Kelvin-Voigt
};

struct SolidEntry {
  std::string family;       ///< the name of the element
  std::string cell;         ///< of the mesh: hex8
  std::string formulation;  ///< enhanced or displacement
  std::string law;
  bool finite_strain = true;
  int num_nodes = 0;
  /// Parameters of an element with these reference vertices, as the doubles of its Params.
  std::function<std::vector<double>(const std::vector<Vec3<double>>& x, const SolidMaterialValues&)> make_params;
  /// Cauchy stress in the centre, xx, yy, zz, xy, yz, xz, from the parameters and the places of the nodes.
  std::function<void(const double* params, const Vec3<double>* x, double (&sigma)[6])> stress;
};

/// In the order of registration.
const std::vector<SolidEntry>& registered_solids();

/// The solid for these cells and that law, in that formulation or, where the cell has another one alone, in that; null for cells
/// and laws that are unknown.
inline const SolidEntry* find_solid(const std::string& cell, const std::string& formulation, const std::string& law) {
  const SolidEntry* found = nullptr;
  for (const SolidEntry& entry : registered_solids())
    if (entry.cell == cell && entry.law == law && (found == nullptr || entry.formulation == formulation)) found = &entry;
  return found;
}

/// A law as the model file names it.
struct SolidLaw {
  std::string name;
  bool finite_strain = true;  ///< false: a turned body is strained
};

/// The laws of all solids, in the order of registration.
inline const std::vector<SolidLaw>& registered_laws() {
  static const std::vector<SolidLaw> laws = [] {
    std::vector<SolidLaw> found;
    for (const SolidEntry& entry : registered_solids()) {
      bool is_known = false;
      for (const SolidLaw& law : found) is_known = is_known || law.name == entry.law;
      if (!is_known) found.push_back({entry.law, entry.finite_strain});
    }
    return found;
  }();
  return laws;
}

template <class E>
SolidEntry make_solid_entry() {
  using Params = typename E::Params;
  static_assert(std::is_trivially_copyable_v<Params>);
  SolidEntry entry;
  entry.family = E::name;
  entry.cell = entry.family.substr(0, entry.family.find('-'));
  entry.formulation = E::formulation;
  entry.law = E::LawType::name;
  entry.finite_strain = E::LawType::finite_strain;
  entry.num_nodes = E::num_nodes;
  entry.make_params = [](const std::vector<Vec3<double>>& x, const SolidMaterialValues& values) {
    typename E::Material m;
    m.law = E::LawType::Params::from_youngs(values.youngs_modulus, values.poissons_ratio);
    m.density = values.density;
    m.alpha = values.alpha;
    m.beta = values.beta;
    m.viscosity = values.viscosity;
    Vec3<double> vertices[E::num_nodes];
    for (int a = 0; a < E::num_nodes; ++a) vertices[a] = x[static_cast<std::size_t>(a)];
    const Params p = E::make(vertices, m);
    std::vector<double> words(sizeof p / sizeof(double));
    std::memcpy(words.data(), &p, sizeof p);
    return words;
  };
  entry.stress = [](const double* params, const Vec3<double>* x, double(&sigma)[6]) {
    Params p;
    std::memcpy(static_cast<void*>(&p), params, sizeof p);
    typename E::States states;
    for (int a = 0; a < E::num_nodes; ++a) states.x[a] = x[a];
    E::stress(p, states, sigma);
  };
  return entry;
}

}  // namespace sinew
