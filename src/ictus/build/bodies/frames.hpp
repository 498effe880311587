#pragma once

#include <ictus/build/mistakes.hpp>
#include <ictus/mechanics/frame/beam_frame.hpp>
#include <ictus/scene/text/document.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ictus::build {

model::Section make_section(const scene::SectionSpec& spec);

/// A member between two named nodes that follow one another on it.
struct FrameSpan {
  std::string from, to;
  std::size_t elements;
};
/// A member cut where it passes through named nodes.
std::vector<FrameSpan> frame_spans(const scene::FrameSpec& frame, const scene::FrameMemberSpec& member);

/// What a frame of a scene is made of; joints are its named nodes in their order. Members are cut where they pass
/// through a named node.
mechanics::FrameProperties frame_properties(const std::string& name, const scene::FrameSpec& spec,
                                            const math::Vec3& gravity, Mistakes& mistakes);

/// Number of a named node, or a mistake at `key`.
std::optional<std::size_t> find_node(const scene::FrameSpec& spec, const std::string& node, const std::string& key,
                                     Mistakes& mistakes);

/// A table for people of a frame's sections and masses, one line each.
std::vector<std::string> describe_frame(const std::string& name, const scene::FrameSpec& spec);

}  // namespace ictus::build
