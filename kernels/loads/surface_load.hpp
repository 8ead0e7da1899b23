/// \file
/// What loads on the surfaces of solids have in common.
///
/// A SURFACE LOAD (kernels/loads, `sinew_register_surface_load`) is a force on the nodes of one face of a mesh: a struct template
/// over the shapes of kernels/shape/faces.hpp, with the functions of a force over points (kernels/contract.hpp) and
///   static constexpr const char* load;   // its type in the model file, `pressure`
///   static Params make(const Setup&);    // from the places of the nodes at the start, the keys of the model file and
///                                        // `side`: 1 where the nodes go round counter-clockwise seen from outside, or -1
#pragma once

#include "kernels/describe.hpp"
#include "kernels/elements/sample.hpp"
#include "kernels/shape/faces.hpp"

namespace sinew {

/// "LOAD-SHAPE", the name of a family of faces.
template <class Face, class Load>
struct SurfaceLoadName {
  char text[64] = {};
  constexpr SurfaceLoadName() {
    int n = 0;
    for (const char* c = Load::load; *c != 0; ++c) text[n++] = *c;
    text[n++] = '-';
    for (const char* c = Face::name; *c != 0; ++c) text[n++] = *c;
  }
};
template <class Face, class Load>
inline constexpr SurfaceLoadName<Face, Load> surface_load_name{};

/// x,1 and x,2 at a point, and N there; n da = side x,1 x x,2 dxi_1 dxi_2 points outwards.
template <class Face, class S>
struct FaceTangents {
  double N[Face::num_nodes], dN[2][Face::num_nodes];
  Vec3<S> along[2];

  KOKKOS_INLINE_FUNCTION FaceTangents(const FacePoint& point, const Vec3<S> (&x)[Face::num_nodes]) {
    Face::evaluate(point, N, dN);
    for (int a = 0; a < Face::num_nodes; ++a)
      for (int i = 0; i < 2; ++i) along[i] += dN[i][a] * x[a];
  }
  KOKKOS_INLINE_FUNCTION Vec3<S> normal() const { return cross(along[0], along[1]); }
};

/// A face of random places for the generic tests, and the values of its keys.
template <class Face>
Setup sample_face(unsigned seed) {
  Sampler sample(seed);
  Setup setup;
  for (int a = 0; a < Face::num_nodes; ++a) {
    Place place;
    place.can_turn = false;
    place.frame.x = sample.vector(1);
    setup.places.push_back(place);
  }
  setup.fields.set("side", {seed % 2 == 0 ? 1.0 : -1.0});
  return setup;
}

}  // namespace sinew
