// SPDX-License-Identifier: MIT
#include "io/results/svg.hpp"

#include "io/json.hpp"

namespace tessera {
namespace {

constexpr char const* replacement = "\xef\xbf\xbd";  // U+FFFD

/// UTF-8 without control characters: file names may be any bytes, and pages may not.
std::string valid_text(std::string const& text) {
  std::string const utf8 =
      Json::parse(Json(text).dump(-1, ' ', false, Json::error_handler_t::replace));
  std::string valid;
  for (std::size_t at = 0; at < utf8.size(); ++at) {
    auto const byte = static_cast<unsigned char>(utf8[at]);
    bool const of_two = byte == 0xc2 && static_cast<unsigned char>(utf8[at + 1]) < 0xa0;
    if ((byte < ' ' && byte != '\n' && byte != '\t') || byte == 0x7f || of_two) {
      valid += replacement;
      at += of_two ? 1 : 0;
    } else {
      valid += utf8[at];
    }
  }
  return valid;
}

}  // namespace

std::string svg_escaped(std::string const& text) {
  std::string result;
  std::string const valid = valid_text(text);
  for (char const c : valid) {
    if (c == '&') {
      result += "&amp;";
    } else if (c == '<') {
      result += "&lt;";
    } else {
      result += c;
    }
  }
  return result;
}

double tick_of(double range) {
  double const power = std::pow(10, std::floor(std::log10(range / 10)));
  for (double const factor : {1, 2, 5}) {
    if (range / (factor * power) <= 10) return factor * power;
  }
  return 10 * power;
}

SvgPicture::SvgPicture(double width, double height, double title_x, std::string const& title) {
  add("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{:.0f}\" height=\"{:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"13\">\n"
      "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<text x=\"{:.0f}\" y=\"20\">{}</text>\n",
      width, height, title_x, svg_escaped(title));
}

void SvgPicture::add_legend(double x, char const* colour, std::string const& meaning) {
  add("<rect x=\"{0:.0f}\" y=\"34\" width=\"14\" height=\"14\" fill=\"{1}\"/>\n"
      "<text x=\"{2:.0f}\" y=\"46\">{3}</text>\n",
      x, colour, x + 20, svg_escaped(meaning));
}

void SvgPicture::add_tick(double x, double y, std::string const& label) {
  add("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.0f}\" y2=\"{2:.0f}\" stroke=\"black\"/>\n"
      "<text x=\"{0:.1f}\" y=\"{3:.0f}\" text-anchor=\"middle\">{4}</text>\n",
      x, y, y + 5, y + 19, svg_escaped(label));
}

void SvgPicture::add_axis_name(double x, double y, std::string const& name) {
  add("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>\n", x, y + 38,
      svg_escaped(name));
}

}  // namespace tessera
