// SPDX-License-Identifier: MIT
// A script that ParaView's in-process engine runs, with its errors, which the engine itself does
// not report.
#pragma once

#include <vtkCPPythonScriptV2Helper.h>
#include <vtkInSituPipeline.h>
#include <vtkNew.h>

#include <cstdint>
#include <string>
#include <vector>

#include "insitu/engine.hpp"
#include "insitu/paraview/error_log.hpp"

namespace tessera {

// VTK counts references, and only VTK itself destroys its objects.
// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor)
class ScriptPipeline : public vtkInSituPipeline {
 public:
  static ScriptPipeline* New();  // NOLINT(readability-identifier-naming): VTK's name
  vtkTypeMacro(ScriptPipeline, vtkInSituPipeline)  // NOLINT

      /// Files that the script writes by relative names go to `folder`.
      void set(Script const& script, std::string folder, ErrorLog& log);

  // Called by the engine.
  bool Initialize() override;
  bool Execute(int step, double time) override;
  bool Finalize() override;

  /// Errors since the last call.
  std::vector<ScriptError> take_errors();
  /// Makes further calls of the engine do nothing, as a pipeline cannot be removed from the engine.
  void retire();

 protected:
  ScriptPipeline() = default;
  ~ScriptPipeline() override = default;

 private:
  /// Keeps the errors in the log as errors of this script; returns `good`.
  bool noted(bool good);

  vtkNew<vtkCPPythonScriptV2Helper> helper_;
  Script script_;
  std::string folder_;
  ErrorLog* log_ = nullptr;
  std::vector<ScriptError> errors_;
  std::int64_t step_ = 0;
  bool started_ = false;
  bool over_ = false;
};

}  // namespace tessera
