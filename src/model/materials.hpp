/// \file
/// Materials and cross-sections.
#pragma once

#include "kernels/algebra/vec.hpp"
#include "model/source_mark.hpp"

#include <array>
#include <optional>
#include <string>

namespace sinew {

/// A law by its place among `registered_laws()`.
enum class MaterialLaw : int {};

/// D = alpha M + beta K.
struct RayleighDamping {
  double alpha = 0;  ///< 1/s
  double beta = 0;   ///< s
};

/// A material of the model file, SI units or any consistent ones.
struct Material {
  std::string name;
  SourceMark mark;
  MaterialLaw law{};          ///< the first one
  double density = 0;         ///< mass per volume, > 0
  double youngs_modulus = 0;  ///< > 0
  double poissons_ratio = 0;  ///< -1 < nu < 0.5; 0 where the file has none
  bool has_poissons_ratio = false;
  RayleighDamping damping;  ///< K is the tangent of the start
  double viscosity = 0;     ///< Kelvin-Voigt
};

/// Stiffness and inertia per length, given as such; order N V2 V3 T M2 M3, axis 1 the tangent.
struct SectionMatrices {
  Mat<double, 6> stiffness;
  Mat<double, 6> inertia;
};

/// Part of a section's area that carries shear where strains are even, k = p (1 + nu)/(q + r nu).
/// Source: Cowper (1966), J. Appl. Mech. 33, 335-340.
struct ShearFactor {
  double p = 0, q = 1, r = 1;
  static ShearFactor constant(double k) { return {k, 1, 1}; }
  double at(double poissons_ratio) const { return p * (1 + poissons_ratio) / (q + r * poissons_ratio); }
};

/// A cross-section: geometry, or matrices per length, which then need no material.
struct Section {
  std::string name;
  SourceMark mark;
  double area = 0;
  double iy = 0;  ///< second moment of area about axis 2
  double iz = 0;  ///< second moment of area about axis 3
  double j = 0;   ///< torsion constant
  std::array<ShearFactor, 2> shear{ShearFactor::constant(5.0 / 6), ShearFactor::constant(5.0 / 6)};  ///< along axes 2 and 3
  std::optional<SectionMatrices> matrices;
};

}  // namespace sinew
