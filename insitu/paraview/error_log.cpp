// SPDX-License-Identifier: MIT
#include "insitu/paraview/error_log.hpp"

#include <vtkLogger.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace tessera {
namespace {

constexpr char const* callback_name = "tessera";

/// What ParaView logs as errors and is none of a script.
constexpr std::string_view false_alarms[] = {
    // 5.11 to 5.13 say so with every frame where they are built without Conduit; steering by
    // proxies works nevertheless.
    "module IOCatalystConduit is disabled",
    // A ParaView that looked at the running flow has left.
    "vtkClientSocket (",
    "vtkSocketCommunicator (",
};

void note(void* log, vtkLogger::Message const& message) {
  std::string_view const text = message.message;
  auto const is_in_text = [text](std::string_view alarm) {
    return text.find(alarm) != std::string_view::npos;
  };
  if (std::ranges::none_of(false_alarms, is_in_text))
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
