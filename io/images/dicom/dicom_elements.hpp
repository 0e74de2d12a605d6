// SPDX-License-Identifier: MIT
// The elements of a DICOM file (DICOM PS3.5, "Data Set Encoding"; PS3.10, "File Format"). For
// io/images/dicom/ alone.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

/// Group and number of an element.
using DicomTag = std::uint32_t;

/// The elements that are read (DICOM PS3.6).
namespace dicom {
inline constexpr DicomTag class_of_file = 0x00020002;
inline constexpr DicomTag transfer_syntax = 0x00020010;
inline constexpr DicomTag slice_thickness = 0x00180050;
inline constexpr DicomTag distance_of_slices = 0x00180088;
inline constexpr DicomTag series_uid = 0x0020000e;
inline constexpr DicomTag image_position = 0x00200032;
inline constexpr DicomTag image_orientation = 0x00200037;
inline constexpr DicomTag samples_per_pixel = 0x00280002;
inline constexpr DicomTag number_of_frames = 0x00280008;
inline constexpr DicomTag rows = 0x00280010;
inline constexpr DicomTag columns = 0x00280011;
inline constexpr DicomTag pixel_spacing = 0x00280030;
inline constexpr DicomTag bits_allocated = 0x00280100;
inline constexpr DicomTag bits_stored = 0x00280101;
inline constexpr DicomTag high_bit = 0x00280102;
inline constexpr DicomTag pixel_representation = 0x00280103;
inline constexpr DicomTag rescale_intercept = 0x00281052;
inline constexpr DicomTag rescale_slope = 0x00281053;
inline constexpr DicomTag modality_table = 0x00283000;
inline constexpr DicomTag pixel_data = 0x7fe00010;
inline constexpr DicomTag item = 0xfffee000;
inline constexpr DicomTag end_of_item = 0xfffee00d;
inline constexpr DicomTag end_of_sequence = 0xfffee0dd;
}  // namespace dicom

class DicomElements {
 public:
  /// Reads a whole file. Throws BadInput if it ends within an element, or has bytes behind the last
  /// one.
  explicit DicomElements(std::filesystem::path const& path);

  bool has(DicomTag tag) const { return values_.contains(tag); }
  /// The bytes of an element of the outermost level; empty if it is missing.
  std::string_view bytes(DicomTag tag) const;
  /// The text of an element without its padding.
  std::string_view text(DicomTag tag) const;
  /// A number of 16 bits; none if the element is missing or has another length.
  std::optional<unsigned> number(DicomTag tag) const;
  /// Decimal numbers, which stand as text with backslashes between them. Throws BadInput for other
  /// text.
  std::vector<double> decimals(DicomTag tag) const;

  bool big_endian() const { return big_endian_; }
  bool pixels_in_words() const { return pixels_in_words_; }
  /// Throws BadInput: the file and why.
  [[noreturn]] void refuse(std::string const& why) const;

 private:
  struct Element {
    DicomTag tag = 0;
    std::string_view kind;  ///< two letters; empty where the file does not have them
    std::uint32_t length = 0;
  };
  std::uint32_t next(std::size_t bytes);
  Element next_element();
  void skip_sequence(int depth);
  void skip_elements_of_item(int depth);
  void skip_value(Element const& element, int depth);
  void choose_syntax();
  void read_elements();

  std::filesystem::path path_;
  std::string file_;
  std::size_t at_ = 0;
  bool kinds_are_said_ = true;
  bool big_endian_ = false;
  bool pixels_in_words_ = false;
  std::map<DicomTag, std::string_view> values_;
};

}  // namespace tessera
