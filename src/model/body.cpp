#include "model/body.hpp"

#include "model/model.hpp"

#include <stdexcept>

namespace sinew {

namespace {

/// What could not be read: its fault is reported, and whatever is said about it would be noise.
class UnreadBody final : public Body {
 public:
  const char* type() const override { return "unreadable"; }
  PlaceForm place_form() const override { return PlaceForm::frame; }
  FieldGroup field_group() const override { return FieldGroup::bodies; }
  BodySize size() const override { return {1, 1, 0}; }
  MatrixNeed matrix_need() const override { return {}; }
  void check(const OneBody&, InstanceCheck&) const override {}
  std::optional<Fault> resolve(const OneBody&, const PlaceItem&, const std::string&, const Indices&,
                               PlaceRef& ref) const override {
    ref.anchor = Anchor::point;
    return {};
  }
  std::unique_ptr<BodyAtStart> at_start(const OneBody&) const override {
    throw std::logic_error("a body that could not be read has no numbers");
  }
};

}  // namespace

bool Body::is_one_node(const PlaceRef& one, const PlaceRef& other) const {
  if (form_of(one) != form_of(other)) return false;
  return form_of(one) == PlaceForm::scalar ? one.node == other.node : !meshed() && size().nodes_in_space() == 1;
}

const Body& BodyItem::body() const {
  static const UnreadBody unread;
  return content ? *content : unread;
}

const BodyItem& OneBody::item() const { return model.bodies[static_cast<std::size_t>(body)]; }
Indices OneBody::indices() const { return item().repeat.indices(instance); }
std::string OneBody::name() const { return model.body_name(body, instance); }

InnerPlace BodyAtStart::inner_place(const CableStation&) const {
  throw std::logic_error("this body has no places inside its elements");
}

LineElement BodyAtStart::line_element(int) const { throw std::logic_error("this body is no line"); }

std::vector<double> BodyAtStart::line_shapes(int, double) const { throw std::logic_error("this body is no line"); }

}  // namespace sinew
