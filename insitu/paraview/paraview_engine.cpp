// SPDX-License-Identifier: MIT
// ParaView's in-process engine.
//
// ParaView 5.11 can be started once in a process, and cannot forget a pipeline or a producer; so
// pipelines of earlier series are retired.
#include <dlfcn.h>
#include <fmt/format.h>
#include <mpi.h>
#include <vtkInSituInitializationHelper.h>
#include <vtkLogger.h>
#include <vtkPVTrivialProducer.h>
#include <vtkPVVersion.h>
#include <vtkPythonInterpreter.h>
#include <vtkSMProxyManager.h>
#include <vtkSMSessionProxyManager.h>
#include <vtkSMSourceProxy.h>
#include <vtkSmartPointer.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "insitu/engine.hpp"
#include "insitu/paraview/channels.hpp"
#include "insitu/paraview/error_log.hpp"
#include "insitu/paraview/script_pipeline.hpp"
#include "insitu/paraview/steering.hpp"
#include "insitu_texts.hpp"

// Python.h is good for nothing else here.
extern "C" int Py_IsInitialized();  // NOLINT(readability-identifier-naming): Python's name

namespace tessera {
namespace {

/// Modules of Python expect its symbols in the program; so they must be visible to all, which
/// those of this module's other libraries are not.
void show_python_to_all() {
  Dl_info python{};
  if (dladdr(reinterpret_cast<void*>(&Py_IsInitialized), &python) != 0)
    dlopen(python.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

/// The communicator, if the process is one of several; ParaView does not need MPI.
vtkTypeUInt64 communicator() {
  int started = 0;
  MPI_Initialized(&started);
  return started != 0 ? static_cast<vtkTypeUInt64>(MPI_Comm_c2f(MPI_COMM_WORLD)) : 0;
}

class ParaviewEngine : public Engine {
 public:
  ParaviewEngine() { start(); }
  ~ParaviewEngine() override {
    for (auto const& pipeline : pipelines_) pipeline->retire();
    pipelines_.clear();
    vtkInSituInitializationHelper::Finalize();
  }
  ParaviewEngine(ParaviewEngine const&) = delete;
  ParaviewEngine& operator=(ParaviewEngine const&) = delete;

  void begin(std::vector<Script> const& scripts, std::filesystem::path const& folder) override {
    end();
    for (Script const& script : scripts) {
      auto pipeline = vtkSmartPointer<ScriptPipeline>::New();
      pipeline->set(script, std::filesystem::absolute(folder).string(), log_);
      vtkInSituInitializationHelper::AddPipeline(pipeline);
      pipelines_.push_back(std::move(pipeline));
    }
  }

  std::vector<ScriptError> execute(Frame const& frame) override {
    produce("fluid", fluid_channel(frame), frame.time);
    produce("walls", walls_channel(frame), frame.time);
    produce("monitor", monitor_channel(frame), frame.time);
    produce("tiles", tiles_channel(frame), frame.time);
    vtkInSituInitializationHelper::ExecutePipelines(static_cast<int>(frame.step), frame.time);
    return errors();
  }

  Steering steering() const override { return read_steering(); }

  std::vector<ScriptError> end() override {
    for (auto const& pipeline : pipelines_) pipeline->retire();
    std::vector<ScriptError> last = errors();
    pipelines_.clear();
    return last;
  }

  std::string description() const override {
    return fmt::format("ParaView {} (in-process)", PARAVIEW_VERSION_FULL);
  }

 private:
  static void start() {
    show_python_to_all();
    vtkLogger::EnableUnsafeSignalHandler = false;  // signals are the program's
    vtkInSituInitializationHelper::Initialize(communicator());
    define_steering();
    vtkSMSessionProxyManager* const proxies =
        vtkSMProxyManager::GetProxyManager()->GetActiveSessionProxyManager();
    std::string names;
    for (char const* channel : channel_names) {
      auto const source = vtkSmartPointer<vtkSMSourceProxy>::Take(
          vtkSMSourceProxy::SafeDownCast(proxies->NewProxy("sources", "PVTrivialProducer2")));
      vtkInSituInitializationHelper::SetProducer(channel, source);
      names += fmt::format("'{}',", channel);
    }
    vtkPythonInterpreter::Initialize();
    vtkPythonInterpreter::RunSimpleString(
        fmt::format("{}\n_install(({}))\n", text_of_hooks, names).c_str());
  }

  static void produce(char const* channel, vtkDataObject* data, double time) {
    vtkSMSourceProxy* const source = vtkInSituInitializationHelper::GetProducer(channel);
    vtkPVTrivialProducer::SafeDownCast(source->GetClientSideObject())->SetOutput(data, time);
    vtkInSituInitializationHelper::MarkProducerModified(source);
  }

  std::vector<ScriptError> errors() {
    std::vector<ScriptError> all;
    for (auto const& pipeline : pipelines_)
      std::ranges::move(pipeline->take_errors(), std::back_inserter(all));
    return all;
  }

  ErrorLog log_;
  std::vector<vtkSmartPointer<ScriptPipeline>> pipelines_;
};

}  // namespace
}  // namespace tessera

extern "C" tessera::Engine* tessera_make_engine() { return new tessera::ParaviewEngine; }
