// SPDX-License-Identifier: MIT
#include "insitu/paraview/script_pipeline.hpp"

#include <vtkInSituInitializationHelper.h>
#include <vtkObjectFactory.h>
#include <vtkSMPropertyHelper.h>
#include <vtkSMProxy.h>

#include <filesystem>
#include <utility>

namespace tessera {

vtkStandardNewMacro(ScriptPipeline);

void ScriptPipeline::set(Script const& script, std::string folder, ErrorLog& log) {
  script_ = script;
  folder_ = std::move(folder);
  log_ = &log;
}

bool ScriptPipeline::Initialize() {
  if (over_) return false;
  step_ = vtkInSituInitializationHelper::GetTimeStep();
  log_->take();  // what has been said before is not the script's
  if (!helper_->PrepareFromScript(script_.file.string()) || !helper_->Import(script_.arguments))
    return noted(false);
  // An absolute name stays what it is.
  vtkSMPropertyHelper folder(helper_->GetOptions(), "ExtractsOutputDirectory");
  folder.Set((std::filesystem::path(folder_) / folder.GetAsString()).c_str());
  helper_->GetOptions()->UpdateVTKObjects();
  started_ = helper_->CatalystInitialize();
  return noted(started_);
}

bool ScriptPipeline::Execute(int step, double time) {
  if (over_) return true;
  step_ = step;
  log_->take();
  return noted(helper_->CatalystExecute(step, time));
}

bool ScriptPipeline::Finalize() {
  if (over_ || !started_) return true;
  log_->take();
  return noted(helper_->CatalystFinalize());
}

void ScriptPipeline::retire() {
  Finalize();
  over_ = true;
}

bool ScriptPipeline::noted(bool good) {
  for (std::string& text : log_->take())
    errors_.push_back({script_.name, step_, std::move(text), false});
  if (good) return true;
  if (errors_.empty()) errors_.push_back({script_.name, step_, "it failed without a message"});
  errors_.back().dropped = true;
  over_ = true;
  return false;
}

std::vector<ScriptError> ScriptPipeline::take_errors() { return std::exchange(errors_, {}); }

}  // namespace tessera
