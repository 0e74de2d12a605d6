// SPDX-License-Identifier: MIT
// What a user says of an image: labels, thresholds, shapes, parts, lengths.
#include "io/images/labels.hpp"

#include "io/images/spelling.hpp"
#include "io/quantity.hpp"
#include "tests/fuzz/target.hpp"

std::vector<std::string> tessera::fuzz::seeds() {
  return {"0,3-5,-2--1", "<=0.5", ">= 1e-3", "64,64,64", "0:4,0:4,1:3", "2.25um", "5.3e-6 m"};
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  using namespace tessera;
  std::string_view const text(reinterpret_cast<char const*>(data), size);
  Image image;
  image.path = "rock.npy";
  image.shape = {5, 1, 1};
  image.voxels = std::vector<double>{0, 1, -1, 0.5, 1e300};
  auto const answer = [&](auto&& work) {
    try {
      work();
    } catch (BadInput const&) {  // repeats the user's own text
    }
  };
  answer([&] {
    PoreRule rule;
    rule.pore = LabelSet::parse(text);
    LabelSet const again = LabelSet::parse(rule.pore->text());
    if (again.text() != rule.pore->text()) __builtin_trap();
    label_pores(image, rule);
  });
  answer([&] {
    PoreRule rule;
    rule.threshold = Threshold::parse(text);
    label_pores(image, rule);
  });
  shape_in(text);
  crop_in(text);
  length_in(text);
  return 0;
}
