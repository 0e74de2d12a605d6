// SPDX-License-Identifier: MIT
// A script as ParaView's in-process engine runs it, with what the engine itself does not tell:
// whether it failed, and why.
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

// VTK counts references, and lets only itself destroy its objects.
// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor)
class ScriptPipeline : public vtkInSituPipeline {
 public:
  static ScriptPipeline* New();  // NOLINT(readability-identifier-naming): VTK's name
  vtkTypeMacro(ScriptPipeline, vtkInSituPipeline)  // NOLINT

      /// What it writes by relative names goes to `folder`.
      void set(Script const& script, std::string folder, ErrorLog& log);

  // Called by the engine.
  bool Initialize() override;
  bool Execute(int step, double time) override;
  bool Finalize() override;

  /// Errors since it was last asked.
  std::vector<ScriptError> take_errors();
  /// From now on the engine calls it in vain: it cannot be told to forget a pipeline.
  void retire();

 protected:
  ScriptPipeline() = default;
  ~ScriptPipeline() override = default;

 private:
  /// Keeps what is in the log as errors of this script; returns `good`.
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
