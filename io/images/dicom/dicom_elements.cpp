// SPDX-License-Identifier: MIT
#include "io/images/dicom/dicom_elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>

#include "base/errors.hpp"
#include "io/images/packed_bytes.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

namespace fs = std::filesystem;
using namespace std::string_view_literals;

constexpr std::uint32_t undefined_length = 0xffffffff;  // a mark ends the value

/// Whether elements of this kind have a length of 32 bits.
bool has_long_length(std::string_view kind) {
  constexpr std::array long_ones{"OB"sv, "OD"sv, "OF"sv, "OL"sv, "OV"sv, "OW"sv, "SQ"sv,
                                 "SV"sv, "UC"sv, "UN"sv, "UR"sv, "UT"sv, "UV"sv};
  return std::ranges::find(long_ones, kind) != long_ones.end();
}

}  // namespace

DicomElements::DicomElements(fs::path const& path) : path_(path), file_(bytes_from(path, 0)) {
  constexpr std::size_t preamble = 128;
  at_ = preamble + 4;
  if (file_.size() < at_) refuse("truncated: it ends before its first element");
  read_elements();
}

void DicomElements::refuse(std::string const& why) const {
  throw BadInput(fmt::format("{}: {}", path_.string(), why));
}

std::string_view DicomElements::bytes(DicomTag tag) const {
  auto const found = values_.find(tag);
  return found == values_.end() ? std::string_view() : found->second;
}

std::string_view DicomElements::text(DicomTag tag) const {
  std::string_view text = bytes(tag);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\0')) text.remove_suffix(1);
  while (text.starts_with(' ')) text.remove_prefix(1);
  return text;
}

std::optional<unsigned> DicomElements::number(DicomTag tag) const {
  std::string_view const two = bytes(tag);
  if (two.size() != 2) return std::nullopt;
  auto const first = static_cast<unsigned>(static_cast<unsigned char>(two[0]));
  auto const second = static_cast<unsigned>(static_cast<unsigned char>(two[1]));
  return big_endian_ ? first << 8U | second : second << 8U | first;
}

std::vector<double> DicomElements::decimals(DicomTag tag) const {
  std::vector<double> numbers;
  std::string_view rest = text(tag);
  while (!rest.empty()) {
    std::string_view word = rest.substr(0, rest.find('\\'));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    while (word.starts_with(' ') || word.starts_with('+')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    double value = 0;
    auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size()) {
      refuse(fmt::format("element ({:04x},{:04x}) is \"{}\": expected numbers", tag >> 16U,
                         tag & 0xffffU, printable(text(tag).substr(0, 60))));
    }
    numbers.push_back(value);
  }
  return numbers;
}

std::uint32_t DicomElements::next(std::size_t bytes) {
  if (bytes > file_.size() - at_)
    refuse(fmt::format("truncated: {} bytes, but they end within an element", file_.size()));
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    auto const byte = static_cast<std::uint32_t>(static_cast<unsigned char>(file_[at_ + i]));
    value |= byte << (8 * (big_endian_ ? bytes - 1 - i : i));
  }
  at_ += bytes;
  return value;
}

DicomElements::Element DicomElements::next_element() {
  Element element;
  element.tag = next(2) << 16U;
  element.tag |= next(2);
  bool const is_mark = element.tag >> 16U == dicom::item >> 16U;
  if (kinds_are_said_ && !is_mark) {
    if (file_.size() - at_ >= 2) element.kind = std::string_view(file_).substr(at_, 2);
    next(2);
    if (!has_long_length(element.kind)) {
      element.length = next(2);
      return element;
    }
    next(2);
  }
  element.length = next(4);
  return element;
}

void DicomElements::skip_value(Element const& element, int depth) {
  constexpr int most_depth = 32;
  if (depth > most_depth) refuse("damaged: sequences in sequences without end");
  if (element.length == undefined_length) {
    if (element.tag == dicom::pixel_data)
      refuse("packed pixels: decompress it first (gdcmconv --raw)");
    // The elements of a sequence of unknown kind (UN) are written without their kinds.
    bool const said = kinds_are_said_;
    if (element.kind == "UN") kinds_are_said_ = false;
    skip_sequence(depth);
    kinds_are_said_ = said;
    return;
  }
  if (element.length > file_.size() - at_) {
    refuse(fmt::format("truncated: {} bytes, but an element ends at byte {}", file_.size(),
                       at_ + element.length));
  }
  at_ += element.length;
}

void DicomElements::skip_sequence(int depth) {
  while (true) {
    Element const element = next_element();
    if (element.tag == dicom::end_of_sequence) return;
    if (element.tag != dicom::item) refuse("damaged: a sequence of something else than items");
    if (element.length == undefined_length) {
      skip_elements_of_item(depth + 1);
    } else {
      skip_value(element, depth + 1);
    }
  }
}

void DicomElements::skip_elements_of_item(int depth) {
  while (true) {
    Element const element = next_element();
    if (element.tag == dicom::end_of_item) return;
    skip_value(element, depth);
  }
}

/// Called once the group of the file itself has been read.
void DicomElements::choose_syntax() {
  std::string_view const syntax = text(dicom::transfer_syntax);
  kinds_are_said_ = syntax != "1.2.840.10008.1.2";
  big_endian_ = syntax == "1.2.840.10008.1.2.2";
  bool const plain = !kinds_are_said_ || big_endian_ || syntax == "1.2.840.10008.1.2.1";
  if (plain) return;
  refuse(
      fmt::format("compressed DICOM (transfer syntax {}); decompress it first, such as by "
                  "gdcmconv --raw",
                  printable(syntax)));
}

void DicomElements::read_elements() {
  constexpr std::uint32_t group_of_file = 2;
  bool in_file_group = true;
  while (at_ < file_.size()) {
    bool const nothing_more = file_.find_first_not_of('\0', at_) == std::string::npos;
    if (nothing_more && !values_.empty()) return;
    if (in_file_group && file_.size() - at_ >= 2 &&
        static_cast<unsigned char>(file_[at_]) != group_of_file) {
      in_file_group = false;
      choose_syntax();
    }
    Element const element = next_element();
    bool const behind_pixels = has(dicom::pixel_data) && element.tag < dicom::pixel_data;
    if (behind_pixels || has(element.tag)) {
      refuse(
          fmt::format("damaged, or longer than it says: element ({:04x},{:04x}) is out of order "
                      "at byte {}",
                      element.tag >> 16U, element.tag & 0xffffU, at_));
    }
    std::size_t const begin = at_;
    skip_value(element, 0);
    values_[element.tag] = std::string_view(file_).substr(begin, at_ - begin);
    if (element.tag == dicom::pixel_data) pixels_in_words_ = element.kind != "OB";
  }
}

}  // namespace tessera
