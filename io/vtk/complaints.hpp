// SPDX-License-Identifier: MIT
// Errors of VTK as one-line messages: VTK itself continues after an error, and prints it in a
// window of its own or on stderr.
#pragma once

#include <vtkLogger.h>
#include <vtkOutputWindow.h>
#include <vtkSmartPointer.h>

#include <filesystem>
#include <sstream>
#include <streambuf>
#include <string>

namespace tessera {

/// Throws BadInput: the file and why.
[[noreturn]] void refuse(std::filesystem::path const& path, std::string const& why);

/// Collects, while an object exists, errors of VTK and of its MetaIO, which writes to stderr.
class Complaints {
 public:
  Complaints();
  ~Complaints();
  Complaints(Complaints const&) = delete;
  Complaints& operator=(Complaints const&) = delete;

  /// Throws BadInput with the first error, if there is one.
  void refuse_if_any(std::filesystem::path const& path) const;

 private:
  class Listener;
  vtkSmartPointer<Listener> listener_;
  vtkSmartPointer<vtkOutputWindow> window_;
  vtkLogger::Verbosity verbosity_;
  std::ostringstream text_;
  std::streambuf* stream_;
};

}  // namespace tessera
