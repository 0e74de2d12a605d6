// SPDX-License-Identifier: MIT
#include "insitu/paraview/steering.hpp"

#include <vtkInSituInitializationHelper.h>
#include <vtkSMPropertyHelper.h>
#include <vtkSMProxy.h>
#include <vtkSMProxyManager.h>
#include <vtkSMSessionProxyManager.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "insitu_texts.hpp"

namespace tessera {

void define_steering() {
  vtkSMProxyManager::GetProxyManager()->GetActiveSessionProxyManager()->LoadConfigurationXML(
      text_of_steering_xml);
}

Steering read_steering() {
  Steering asked;
  std::vector<std::pair<std::string, vtkSMProxy*>> proxies;
  vtkInSituInitializationHelper::GetSteerableProxies(proxies);
  for (auto const& named : proxies) {
    vtkSMProxy* const proxy = named.second;
    if (proxy == nullptr || std::strcmp(proxy->GetXMLName(), "TesseraSteering") != 0) continue;
    auto const value = [&](char const* property) {
      return vtkSMPropertyHelper(proxy, property).GetAsDouble();
    };
    if (value("BodyForceFactor") != 1) asked.body_force_factor = value("BodyForceFactor");
    if (value("Tolerance") > 0) asked.tolerance = value("Tolerance");
    if (value("Interval") > 0) asked.interval = static_cast<std::int64_t>(value("Interval"));
    if (value("Fields") != 0) asked.fields = static_cast<std::int64_t>(value("Fields"));
    if (value("Checkpoint") != 0) asked.checkpoint = static_cast<std::int64_t>(value("Checkpoint"));
    asked.stop = asked.stop || value("Stop") != 0;
  }
  return asked;
}

}  // namespace tessera
