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
/// BadInput, one line that begins with who asked for it, if there is no such script, or it cannot
/// be read.
Script parse_script(std::string const& text, std::string const& asked_by = "--insitu");

/// Names of the pipelines that come with Tessera, for messages: "slice, streamlines, ...".
std::string pipeline_names();

/// Writes a pipeline that comes with Tessera into the folder, where users find it to change it; a
/// file of the user's stays where it is. `writes`: else another process does.
void place_script(Script& script, std::filesystem::path const& folder, bool writes = true);

/// Whether the script draws pictures, for which ParaView needs an X server. By its text; a package
/// is believed to bring what it needs.
bool draws(Script const& script);
/// Whether it may read the channel. By its text: it may say so and not do it.
bool may_use(Script const& script, std::string_view channel);

/// Connects to the X server of $DISPLAY; false if there is none. Without one ParaView would abort
/// the whole process at the first picture. The connection is kept to the end: a server with no
/// client, as xvfb-run's between two windows of ParaView, starts anew and refuses clients
/// meanwhile, and ParaView aborts again. A name that leads nowhere is taken out of the environment.
bool hold_display();
/// Without a graphics card Mesa draws with a thread for each core, which then fight StarPU's
/// workers for them. From now on with the thread that asks for the picture, unless $LP_NUM_THREADS
/// says otherwise. To be called before there are other threads.
void draw_on_one_thread();

}  // namespace tessera
