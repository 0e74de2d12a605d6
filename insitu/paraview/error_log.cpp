// SPDX-License-Identifier: MIT
#include "insitu/paraview/error_log.hpp"

#include <vtkLogger.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace tessera {
namespace {

constexpr char const* callback_name = "tessera";

/// ParaView 5.11 to 5.13 say so with every frame where they are built without Conduit; steering by
/// proxies works nevertheless.
constexpr std::string_view false_alarm = "module IOCatalystConduit is disabled";

void note(void* log, vtkLogger::Message const& message) {
  if (std::string_view(message.message).find(false_alarm) != std::string_view::npos) return;
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
