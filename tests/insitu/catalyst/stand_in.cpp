// SPDX-License-Identifier: MIT
#include "stand_in.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

namespace tessera::test {

CatalystCalls& catalyst_calls() {
  static CatalystCalls calls;
  return calls;
}

namespace {

struct Node {
  std::map<std::string, std::unique_ptr<Node>> children;
  std::optional<std::string> text;
  std::function<std::vector<double>()> numbers;  ///< reads them where they are
  bool borrowed = false;

  Node& at(std::string const& path) {
    std::size_t const slash = path.find('/');
    auto& child = children[path.substr(0, slash)];
    if (!child) child = std::make_unique<Node>();
    return slash == std::string::npos ? *child : child->at(path.substr(slash + 1));
  }
};

Node& node_of(conduit_node* node) { return *static_cast<Node*>(node); }

template <class Value>
void borrow(conduit_node* node, char const* path, Value const* values, conduit_index_t count,
            conduit_index_t offset = 0, conduit_index_t stride = sizeof(Value)) {
  Node& leaf = node_of(node).at(path);
  leaf.borrowed = true;
  leaf.numbers = [=] {
    std::vector<double> read;
    read.reserve(static_cast<std::size_t>(count));
    auto const* const bytes = reinterpret_cast<std::byte const*>(values) + offset;
    for (conduit_index_t i = 0; i < count; ++i)
      read.push_back(static_cast<double>(*reinterpret_cast<Value const*>(bytes + i * stride)));
    return read;
  };
}

void keep(conduit_node* node, char const* path, std::vector<double> values) {
  node_of(node).at(path).numbers = [values = std::move(values)] { return values; };
}

void flatten(Node const& node, std::string const& path, ConduitTree& tree) {
  if (node.text) tree.texts[path] = *node.text;
  if (node.numbers) {
    tree.numbers[path] = node.numbers();
    tree.borrowed[path] = node.borrowed;
  }
  for (auto const& [name, child] : node.children)
    flatten(*child, path.empty() ? name : fmt::format("{}/{}", path, name), tree);
}

ConduitTree tree_of(conduit_node const* node) {
  ConduitTree tree;
  flatten(*static_cast<Node const*>(node), "", tree);
  return tree;
}

}  // namespace
}  // namespace tessera::test

using namespace tessera::test;

conduit_node* conduit_node_create() { return new Node; }
void conduit_node_destroy(conduit_node* node) { delete &node_of(node); }
conduit_node* conduit_node_fetch(conduit_node* node, char const* path) {
  return &node_of(node).at(path);
}
conduit_node* conduit_node_append(conduit_node* node) {
  return &node_of(node).at(std::to_string(node_of(node).children.size()));
}
void conduit_node_set_char8_str(conduit_node* node, char const* value) {
  node_of(node).text = value;
}
void conduit_node_set_path_char8_str(conduit_node* node, char const* path, char const* value) {
  node_of(node).at(path).text = value;
}
void conduit_node_set_path_int64(conduit_node* node, char const* path, int64_t value) {
  keep(node, path, {static_cast<double>(value)});
}
void conduit_node_set_path_float64(conduit_node* node, char const* path, double value) {
  keep(node, path, {value});
}
void conduit_node_set_path_float64_ptr(conduit_node* node, char const* path, double* values,
                                       conduit_index_t count) {
  keep(node, path, {values, values + count});
}
void conduit_node_set_path_external_float32_ptr(conduit_node* node, char const* path, float* values,
                                                conduit_index_t count) {
  borrow(node, path, values, count);
}
void conduit_node_set_path_external_float32_ptr_detailed(conduit_node* node, char const* path,
                                                         float* values, conduit_index_t count,
                                                         conduit_index_t offset,
                                                         conduit_index_t stride,
                                                         conduit_index_t /*element_bytes*/,
                                                         conduit_index_t /*endianness*/) {
  borrow(node, path, values, count, offset, stride);
}
void conduit_node_set_path_external_int64_ptr(conduit_node* node, char const* path, int64_t* values,
                                              conduit_index_t count) {
  borrow(node, path, values, count);
}
void conduit_node_set_path_external_int32_ptr(conduit_node* node, char const* path, int32_t* values,
                                              conduit_index_t count) {
  borrow(node, path, values, count);
}
void conduit_node_set_path_external_uint8_ptr(conduit_node* node, char const* path, uint8_t* values,
                                              conduit_index_t count) {
  borrow(node, path, values, count);
}

catalyst_status catalyst_initialize(conduit_node const* parameters) {
  catalyst_calls().initialised.push_back(tree_of(parameters));
  return catalyst_calls().answer;
}
catalyst_status catalyst_execute(conduit_node const* parameters) {
  catalyst_calls().executed.push_back(tree_of(parameters));
  return catalyst_calls().answer;
}
catalyst_status catalyst_finalize(conduit_node const* /*parameters*/) {
  ++catalyst_calls().finalised;
  return catalyst_calls().answer;
}
