// SPDX-License-Identifier: MIT
#include "io/images/hdf5/hdf5_type.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <vector>

#include "io/hdf5_handle.hpp"
#include "io/text.hpp"

namespace tessera {
namespace {

std::string member_name(hid_t type, unsigned member) {
  char* const text = H5Tget_member_name(type, member);
  std::string name = text == nullptr ? "" : text;
  H5free_memory(text);
  return name;
}

/// h5py's way of saying so.
bool is_boolean(hid_t enumeration) {
  if (H5Tget_size(enumeration) != 1 || H5Tget_nmembers(enumeration) != 2) return false;
  for (unsigned member = 0; member < 2; ++member) {
    std::string name = member_name(enumeration, member);
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    unsigned char value = 0;
    H5Tget_member_value(enumeration, member, &value);
    if (name != (value == 0 ? "false" : "true") || value > 1) return false;
  }
  return true;
}

std::optional<ElementType> integer_of(hid_t type) {
  std::size_t const bytes = H5Tget_size(type);
  if (bytes > 8 || std::popcount(bytes) != 1) return std::nullopt;
  return ElementType{H5Tget_sign(type) == H5T_SGN_NONE ? ElementType::Kind::unsigned_integer
                                                       : ElementType::Kind::signed_integer,
                     bytes, false};
}

struct MemoryType {
  ElementType::Kind kind;
  std::size_t bytes;
  hid_t type;
};

hid_t number_type_of(ElementType type) {
  for (MemoryType const& known :
       {MemoryType{ElementType::Kind::unsigned_integer, 1, H5T_NATIVE_UINT8},
        {ElementType::Kind::unsigned_integer, 2, H5T_NATIVE_UINT16},
        {ElementType::Kind::unsigned_integer, 4, H5T_NATIVE_UINT32},
        {ElementType::Kind::unsigned_integer, 8, H5T_NATIVE_UINT64},
        {ElementType::Kind::signed_integer, 1, H5T_NATIVE_INT8},
        {ElementType::Kind::signed_integer, 2, H5T_NATIVE_INT16},
        {ElementType::Kind::signed_integer, 4, H5T_NATIVE_INT32},
        {ElementType::Kind::signed_integer, 8, H5T_NATIVE_INT64},
        {ElementType::Kind::real, 4, H5T_NATIVE_FLOAT},
        {ElementType::Kind::real, 8, H5T_NATIVE_DOUBLE}}) {
    if (known.kind == type.kind && known.bytes == type.bytes) return known.type;
  }
  return H5T_NATIVE_UINT8;
}

}  // namespace

std::optional<ElementType> element_of_hdf5(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      return integer_of(type);
    case H5T_FLOAT:  // narrower ones, too, are read as 32 bits
      return ElementType{ElementType::Kind::real,
                         H5Tget_size(type) <= 4 ? std::size_t{4} : std::size_t{8}, false};
    case H5T_ENUM: {
      if (is_boolean(type)) return ElementType{ElementType::Kind::boolean, 1, false};
      Hdf5Handle const numbers{H5Tget_super(type), H5Tclose, "ask for a type"};
      return integer_of(numbers);
    }
    case H5T_BITFIELD:  // PyTables' way of saying bool
      if (H5Tget_size(type) == 1) return ElementType{ElementType::Kind::boolean, 1, false};
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

hid_t memory_type_of_hdf5(hid_t type, ElementType element) {
  H5T_class_t const kind = H5Tget_class(type);
  // Enumerations and bits are converted to nothing but themselves, in this machine's order.
  bool const itself = kind == H5T_ENUM || kind == H5T_BITFIELD;
  return itself ? H5Tget_native_type(type, H5T_DIR_ASCEND) : H5Tcopy(number_type_of(element));
}

std::string name_of_hdf5_type(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_COMPOUND: {
      std::vector<std::string> names(static_cast<std::size_t>(std::max(H5Tget_nmembers(type), 0)));
      for (std::size_t member = 0; member < names.size(); ++member)
        names[member] = printable(member_name(type, static_cast<unsigned>(member)));
      return fmt::format("compounds of {}", joined(names, ", "));
    }
    case H5T_STRING:
      return "texts";
    case H5T_BITFIELD:
      return fmt::format("fields of {} bits", 8 * H5Tget_size(type));
    case H5T_INTEGER:
      return fmt::format("integers of {} bytes", H5Tget_size(type));
    case H5T_ARRAY:
    case H5T_VLEN:
      return "arrays";
    case H5T_REFERENCE:
      return "references";
    default:
      return "no numbers";
  }
}

}  // namespace tessera
