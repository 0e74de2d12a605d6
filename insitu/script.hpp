// SPDX-License-Identifier: MIT
// The scripts that a user names by `--insitu`: files, or pipelines that come with Tessera.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tessera {

struct Script {
  std::string name;            ///< as the user wrote it, without the arguments
  std::filesystem::path file;  ///< empty for a pipeline that has not been written to a file yet
  std::vector<std::string> arguments;
  std::string text;  ///< of the script; empty for a package (a folder or .zip)
};

/// `script.py`, `slice`, either with arguments behind a colon: `script.py:--colour speed`. Throws
/// BadInput, one line that begins with `asked_by`, if there is no such script, or it cannot be
/// read.
Script parse_script(std::string const& text, std::string const& asked_by = "--insitu");

/// Names of the pipelines that come with Tessera, for messages: "slice, streamlines, ...".
std::string pipeline_names();

/// Writes a pipeline that comes with Tessera into the folder, where users can change it; a file of
/// the user's is not moved. `writes`: false if another process writes the file.
void place_script(Script& script, std::filesystem::path const& folder, bool writes = true);

/// Whether the script draws pictures, for which ParaView needs an X server, judged by its text; a
/// package is assumed to provide what it needs.
bool draws(Script const& script);
/// Whether the script may read the channel, judged by its text: it may name the channel and not
/// read it.
bool may_use(Script const& script, std::string_view channel);

/// Connects to the X server of $DISPLAY; false if there is none. Without one ParaView would abort
/// the whole process at the first picture. The connection is kept to the end: a server without a
/// client, such as xvfb-run's between two windows of ParaView, restarts and refuses clients
/// meanwhile, and ParaView aborts again. A $DISPLAY without a server is removed from the
/// environment.
bool hold_display();
/// Makes Mesa draw on the calling thread only, unless $LP_NUM_THREADS is set: without a graphics
/// card Mesa draws with a thread for each core, which compete with StarPU's workers for the cores.
/// Call it before there are other threads.
void draw_on_one_thread();

}  // namespace tessera
