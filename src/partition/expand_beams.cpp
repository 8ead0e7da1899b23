#include "kernels/elements/beam.hpp"
#include "partition/expand.hpp"

namespace sinew {

namespace {

/// The parameters of an element: of the unstressed line between its nodes' frames at the start, and of the sections there.
template <int N>
std::vector<double> beam_params(const BeamInstance& beam, int element) {
  using Line = LobattoLine<N>;
  typename Beam<N>::Params p;
  Frame<double> line[N];
  Vec3<double> centre[N];
  for (int a = 0; a < N; ++a) {
    line[a] = beam.frame(element * (N - 1) + a);
    centre[a] = beam.centre(element * (N - 1) + a);
  }
  Beam<N>::set_reference(line, centre, p);
  for (int q = 0; q < Line::num_points; ++q)
    Beam<N>::set_stiffness(q, beam.section(beam.division.at({element, Line::point(q)}), BeamSide::after).stiffness, p);
  const double length = beam.line.length() * (beam.division.start(element + 1) - beam.division.start(element));
  for (int a = 0; a < N; ++a) {
    const Mat<double, 6> inertia =
        beam.section(beam.division.at({element, Line::node(a)}), a == N - 1 ? BeamSide::before : BeamSide::after).inertia;
    typename Beam<N>::Matter matter{inertia(0, 0), first_moment(inertia), {}};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) matter.second_moments(i, j) = inertia(3 + i, 3 + j);
    Beam<N>::set_inertia(a, matter, centre[a], Line::node_weight(a) * length, p);
  }
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
  for (int a = 0; a <= line.division.order(); ++a)
    e.nodes.push_back(numbering_.node(body, instance, element * line.division.order() + a));
  e.key = e.anchor = e.nodes[0];
  switch (line.division.order()) {
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
