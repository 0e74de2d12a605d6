// SPDX-License-Identifier: MIT
#include "insitu/paraview/error_log.hpp"

#include <vtkLogger.h>

#include <algorithm>
#include <utility>

namespace tessera {
namespace {

constexpr char const* callback_name = "tessera";

void note(void* log, vtkLogger::Message const& message) {
  static_cast<ErrorLog*>(log)->add(message.message);
}

}  // namespace

ErrorLog::ErrorLog() {
  vtkLogger::SetStderrVerbosity(vtkLogger::VERBOSITY_OFF);
  vtkLogger::AddCallback(callback_name, note, this, vtkLogger::VERBOSITY_ERROR);
}

ErrorLog::~ErrorLog() { vtkLogger::RemoveCallback(callback_name); }

void ErrorLog::add(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  if (std::ranges::find(errors_, text) == errors_.end()) errors_.push_back(std::move(text));
}

std::vector<std::string> ErrorLog::take() { return std::exchange(errors_, {}); }

}  // namespace tessera
