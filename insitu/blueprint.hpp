// SPDX-License-Identifier: MIT
// Frames as Conduit's Mesh Blueprint, the protocol of Catalyst 2: a tree of named values.
//
// Protocol: "ParaView Catalyst Blueprint", docs.paraview.org. The values go to a NodeWriter, so
// that they can be tested without Conduit.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "insitu/frame.hpp"
#include "insitu/script.hpp"

namespace tessera {

/// A tree of values; "a/b/c" is value c in b in a.
class NodeWriter {
 public:
  NodeWriter() = default;
  virtual ~NodeWriter() = default;
  NodeWriter(NodeWriter const&) = delete;
  NodeWriter& operator=(NodeWriter const&) = delete;

  virtual void text(std::string const& path, std::string const& value) = 0;
  virtual void integer(std::string const& path, std::int64_t value) = 0;
  virtual void real(std::string const& path, double value) = 0;
  /// Appends an element to a list.
  virtual void append_text(std::string const& path, std::string const& value) = 0;
  /// Sets values, which are copied.
  virtual void reals(std::string const& path, std::span<double const> values) = 0;
  /// Sets values without copying them; they are valid as long as the frame.
  virtual void borrow(std::string const& path, std::span<float const> values) = 0;
  /// Sets every third value, from the one with the number `component` on, without copying them.
  virtual void borrow_component(std::string const& path, std::span<float const> values,
                                std::size_t component) = 0;
  virtual void borrow(std::string const& path, std::span<std::int64_t const> values) = 0;
  virtual void borrow(std::string const& path, std::span<std::int32_t const> values) = 0;
  virtual void borrow(std::string const& path, std::span<std::uint8_t const> values) = 0;
};

/// Writes the argument of catalyst_initialize().
void describe_scripts(std::vector<Script> const& scripts, std::filesystem::path const& folder,
                      NodeWriter& node);
/// Writes the argument of catalyst_execute().
void describe_frame(Frame const& frame, NodeWriter& node);

}  // namespace tessera
