// SPDX-License-Identifier: MIT
#include "io/vtk/complaints.hpp"

#include <fmt/format.h>

#include <iostream>
#include <string_view>

#include "base/errors.hpp"
#include "io/text.hpp"

namespace tessera {

/// Keeps what VTK would show.
class Complaints::Listener : public vtkOutputWindow {
 public:
  static Listener* New() {
    auto* const made = new Listener;
    made->InitializeObjectBase();
    return made;
  }
  void DisplayText(char const* text) override { text_ += text; }
  std::string const& text() const { return text_; }

 private:
  std::string text_;
};

void refuse(std::filesystem::path const& path, std::string const& why) {
  throw BadInput(fmt::format("{}: {}", path.string(), why));
}

Complaints::Complaints()
    : listener_(vtkSmartPointer<Listener>::New()),
      window_(vtkOutputWindow::GetInstance()),
      verbosity_(vtkLogger::GetCurrentVerbosityCutoff()),
      stream_(std::cerr.rdbuf(text_.rdbuf())) {
  vtkOutputWindow::SetInstance(listener_);
  vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);
}

Complaints::~Complaints() {
  vtkLogger::SetStderrVerbosity(verbosity_);
  vtkOutputWindow::SetInstance(window_);
  std::cerr.rdbuf(stream_);
}

void Complaints::refuse_if_any(std::filesystem::path const& path) const {
  std::string all = listener_->text() + text_.str();
  if (all.empty()) return;
  // "ERROR: In vtkThis.cxx, line 12\nvtkThis (0x1234): why"
  auto const object = all.find("): ");
  if (object != std::string::npos) all.erase(0, object + 3);
  all.erase(0, all.find_first_not_of(" \n"));
  std::string_view const line = std::string_view(all).substr(0, all.find('\n'));
  refuse(path, fmt::format("not a readable file ({})", printable(line)));
}

}  // namespace tessera
