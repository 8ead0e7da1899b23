/// \file
/// A random specimen of any element, for the generic tests. Host code.
///
/// An element may give
///   static Params example(unsigned seed);                       // parameters of a sensible specimen, of size about 1
///   static NodeStates<double, ...> example_reference(const Params&);   // its unstrained state at rest
///   static constexpr bool frame_invariant = false;              // where forces do not turn with the element
///   static constexpr bool is_slope(int node);                   // a node that a rigid translation leaves as it is
/// and over an open number of nodes
///   static constexpr int example_nodes(unsigned seed);          // how many
/// and with numbers of its own
///   static std::vector<double> example_numbers(unsigned seed, int nodes);
/// Without `example`, the parameters come from `fields` and `make`, with random values; without `example_reference`, the nodes
/// lie anywhere.
#pragma once

#include "kernels/describe.hpp"
#include "kernels/elements/sample.hpp"

#include <type_traits>

namespace sinew {

/// One element: its parameters as doubles, its reference configuration (node by node as their manifolds have it).
struct ElementExample {
  std::vector<double> params;
  std::vector<double> config;
  std::vector<char> slope;  ///< by node: whether a rigid translation leaves it as it is
  bool frame_invariant = true;
};

/// A value that the checks of a field let pass.
inline std::vector<double> sample_field(const FieldSpec& field, Sampler& sample) {
  const double low = field.check == FieldCheck::any ? -1.0 : 0.2;
  if (field.type == FieldType::inertia) {
    const double a = sample.uniform(0.2, 1), b = sample.uniform(0.2, 1),
                 c = sample.uniform(0.2, 1);  // b + c, c + a, a + b is possible
    return {b + c, 0, 0, 0, c + a, 0, 0, 0, a + b};
  }
  if (field.type == FieldType::matrix6) {
    std::vector<double> m(36);
    for (std::size_t i = 0; i < 6; ++i) m[7 * i] = sample.uniform(0.2, 2);
    return m;
  }
  if (field.type == FieldType::table || field.type == FieldType::points) {  // along the first axis, from about -1.5 to 1.5
    std::vector<double> rows;
    for (int k = 0; k < 4; ++k) {
      rows.push_back(k - 1.5 + sample.uniform(-0.2, 0.2));
      for (int i = 0; i < (field.type == FieldType::table ? 1 : 2); ++i) rows.push_back(sample.uniform(-0.5, 0.5));
    }
    return rows;
  }
  const bool three = field.type == FieldType::vector || field.type == FieldType::direction || field.type == FieldType::flags;
  std::vector<double> values;
  for (int i = 0; i < (three ? 3 : 1); ++i) values.push_back(field.type == FieldType::flags ? 1.0 : sample.uniform(low, 2));
  if (field.type == FieldType::direction) {
    const double r = math::sqrt(values[0] * values[0] + values[1] * values[1] + values[2] * values[2]);
    for (double& v : values) v /= r;
  }
  return values;
}

namespace detail {
template <class E, class = void>
struct has_example : std::false_type {};
template <class E>
struct has_example<E, std::void_t<decltype(E::example(0U))>> : std::true_type {};
template <class E, class = void>
struct has_reference : std::false_type {};
template <class E>
struct has_reference<E, std::void_t<decltype(E::example_reference(std::declval<typename E::Params>()))>> : std::true_type {};
template <class E, class = void>
struct turns_with_frame : std::true_type {};
template <class E>
struct turns_with_frame<E, std::void_t<decltype(E::frame_invariant)>> : std::bool_constant<E::frame_invariant> {};
template <class E, class = void>
struct has_slopes : std::false_type {};
template <class E>
struct has_slopes<E, std::void_t<decltype(E::is_slope(0))>> : std::true_type {};
}  // namespace detail

/// Whether node k of an element is a slope, which a rigid translation leaves as it is. A rigid turn moves it like any vector.
template <class E>
constexpr bool is_slope(int k) {
  if constexpr (detail::has_slopes<E>::value) return E::is_slope(k);
  return k < 0;
}

/// Parameters of a specimen, from `example` or from `fields` and `make`.
template <class E>
typename E::Params example_params(unsigned seed) {
  if constexpr (detail::has_example<E>::value) {
    return E::example(seed);
  } else {
    Sampler sample(seed);
    Setup setup;
    for (const FieldSpec& field : E::fields()) setup.fields.set(field.name, sample_field(field, sample));
    return E::make(setup);
  }
}

/// How many nodes a specimen has.
template <class E>
int example_nodes(unsigned seed) {
  if constexpr (HasOpenList<E>)
    return E::example_nodes(seed);
  else
    return NodesOf<E>::count;
}

/// The specimen of element type E that belongs to the seed.
template <class E>
ElementExample make_example(unsigned seed) {
  static_assert(sizeof(typename E::Params) % sizeof(double) == 0, "Params must hold doubles only");
  const typename E::Params params = example_params<E>(seed);
  const double* words = reinterpret_cast<const double*>(&params);
  ElementExample example;
  example.frame_invariant = detail::turns_with_frame<E>::value;
  example.params.assign(words, words + sizeof(params) / sizeof(double));
  Sampler sample(seed + 1000);
  const int nodes = example_nodes<E>(seed);
  if constexpr (HasNumbers<E>) {
    const std::vector<double> numbers = E::example_numbers(seed, nodes);
    example.params.insert(example.params.end(), numbers.begin(), numbers.end());
  }
  for (int k = 0; k < nodes; ++k) {
    example.slope.push_back(is_slope<E>(k));
    Vec3<double> x = sample.vector(1);
    if (NodesOf<E>::kind(k) == NodeKind::scalar) {
      example.config.push_back(x[0]);
      continue;
    }
    if constexpr (detail::has_reference<E>::value && is_over<E>(NodeKind::point)) x = E::example_reference(params).x[k];
    if constexpr (detail::has_reference<E>::value && is_over<E>(NodeKind::frame)) x = E::example_reference(params).frame[k].x;
    example.config.insert(example.config.end(), x.data, x.data + 3);
    if (NodesOf<E>::kind(k) == NodeKind::frame) {
      Quaternion q = exp_quaternion(sample.vector(1));
      if constexpr (detail::has_reference<E>::value && is_over<E>(NodeKind::frame))
        q = quaternion_of(E::example_reference(params).frame[k].R);
      const double wxyz[4] = {q.w, q.x, q.y, q.z};
      example.config.insert(example.config.end(), wxyz, wxyz + 4);
    }
  }
  return example;
}

}  // namespace sinew
