// SPDX-License-Identifier: MIT
// Frames in the words of Conduit's Mesh Blueprint, which Catalyst 2 speaks: a tree of named values.
//
// Protocol: "ParaView Catalyst Blueprint", docs.paraview.org. The words go to a NodeWriter, so that
// they can be looked at without Conduit.
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
  /// Another element of a list.
  virtual void append_text(std::string const& path, std::string const& value) = 0;
  /// Copied.
  virtual void reals(std::string const& path, std::span<double const> values) = 0;
  /// Borrowed: they hold as long as the frame.
  virtual void borrow(std::string const& path, std::span<float const> values) = 0;
  /// Every third of them, from the one with this number on.
  virtual void borrow_component(std::string const& path, std::span<float const> values,
                                std::size_t component) = 0;
  virtual void borrow(std::string const& path, std::span<std::int64_t const> values) = 0;
  virtual void borrow(std::string const& path, std::span<std::int32_t const> values) = 0;
  virtual void borrow(std::string const& path, std::span<std::uint8_t const> values) = 0;
};

/// What catalyst_initialize() takes.
void describe_scripts(std::vector<Script> const& scripts, std::filesystem::path const& folder,
                      NodeWriter& node);
/// What catalyst_execute() takes.
void describe_frame(Frame const& frame, NodeWriter& node);

}  // namespace tessera
