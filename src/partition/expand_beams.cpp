#include "kernels/elements/beam.hpp"
#include "partition/expand.hpp"

namespace sinew {

namespace {

/// The parameters of an element: the section's, and the unstressed line from the nodes' frames at the start.
template <int N>
std::vector<double> beam_params(const BeamInstance& beam, int element) {
  typename Beam<N>::Params p;
  Frame<double> frames[N];
  for (int a = 0; a < N; ++a) frames[a] = beam.frame(element * (N - 1) + a);
  Beam<N>::set_reference(frames, p);
  p.stiffness = beam.stiffness;
  p.mass_per_length = beam.mass_per_length;
  p.inertia = beam.inertia;
  p.tau = beam.damping_beta;
  p.alpha = beam.damping_alpha;
  return packed(p);
}

}  // namespace

const BeamInstance& Expansion::beam(int body, std::int64_t instance) const {
  if (known_beam_.body != body || known_beam_.instance != instance) known_beam_ = {body, instance, model_.beam(body, instance)};
  return known_beam_.beam;
}

void Expansion::add_beam_element(int body, std::int64_t instance, int element, Records& out) const {
  const BeamInstance& line = beam(body, instance);
  ElementRecord e;
  e.origin = {OriginKind::body, body, instance};
  for (int a = 0; a <= line.order; ++a) e.nodes.push_back(numbering_.node(body, instance, element * line.order + a));
  e.key = e.anchor = e.nodes[0];
  switch (line.order) {
    case 1:
      e.family = element_family(Beam<2>::name);
      e.params = beam_params<2>(line, element);
      break;
    case 2:
      e.family = element_family(Beam<3>::name);
      e.params = beam_params<3>(line, element);
      break;
    default:
      e.family = element_family(Beam<4>::name);
      e.params = beam_params<4>(line, element);
      break;
  }
  out.elements.push_back(std::move(e));
}

}  // namespace sinew
