// SPDX-License-Identifier: MIT
// Common parts of pictures of curves and bars. SVG, for any browser.
#pragma once

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>

namespace tessera {

/// Colours that the colour-blind can distinguish, too (Okabe and Ito 2008).
inline constexpr std::array svg_palette = {"#0072b2", "#e69f00", "#d55e00", "#009e73",
                                           "#cc79a7", "#56b4e9", "#f0e442"};

/// Text with the special characters of XML escaped.
std::string svg_escaped(std::string const& text);

/// A round number, 1, 2 or 5 times a power of ten: at most ten of them in `range`.
double tick_of(double range);

/// Calls visit(value) for each multiple of tick_of() from `begin` to `end`.
template <class Visit>
void for_each_tick(double begin, double end, Visit&& visit) {
  double const tick = tick_of(end - begin);
  for (auto n = std::llround(std::ceil(begin / tick)); static_cast<double>(n) * tick <= end; ++n)
    visit(static_cast<double>(n) * tick);
}

/// Text of a picture that grows; all lengths in pixels.
class SvgPicture {
 public:
  /// A white picture, with a title at `title_x` on top.
  SvgPicture(double width, double height, double title_x, std::string const& title);

  template <class... Values>
  void add(fmt::format_string<Values...> format, Values&&... values) {
    text_ += fmt::format(format, std::forward<Values>(values)...);
  }
  /// Adds a square of a colour, and its meaning, below the title.
  void add_legend(double x, char const* colour, std::string const& meaning);
  /// Adds a tick of a horizontal axis at height y, and its label below.
  void add_tick(double x, double y, std::string const& label);
  /// Adds the name of a horizontal axis at height y, below its ticks.
  void add_axis_name(double x, double y, std::string const& name);

  std::string finished() const { return text_ + "</svg>\n"; }

 private:
  std::string text_;
};

}  // namespace tessera
