// SPDX-License-Identifier: MIT
#include "insitu/script.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/errors.hpp"
#include "insitu/pipelines.hpp"

namespace tessera {
namespace {

Script of_text(std::string text) { return {.name = "s", .file = "s.py", .text = std::move(text)}; }

TEST(Script, APipelineIsFoundByItsName) {
  Script const script = parse_script("slice:--normal z");
  EXPECT_EQ(script.name, "slice");
  EXPECT_EQ(script.arguments, (std::vector<std::string>{"--normal", "z"}));
  EXPECT_TRUE(script.file.empty());
  EXPECT_TRUE(draws(script));
}

TEST(Script, AFileIsReadAndMayHaveAColonInItsName) {
  std::filesystem::path const folder = testing::TempDir();
  auto const file = folder / "look:here.py";
  std::ofstream(file) << "# nothing\n";
  EXPECT_EQ(parse_script(file.string()).text, "# nothing\n");
  EXPECT_TRUE(parse_script(file.string()).arguments.empty());
}

TEST(Script, AMissingFileIsBadInputThatNamesThePipelines) {
  try {
    parse_script("nothing.py");
    FAIL();
  } catch (BadInput const& error) {
    EXPECT_NE(std::string(error.what()).find(pipeline_names()), std::string::npos);
  }
}

TEST(Script, DrawingIsSeenInTheText) {
  EXPECT_TRUE(draws(of_text("e = CreateExtractor('PNG', view)\n")));
  EXPECT_TRUE(draws(of_text("SaveScreenshot('x.png')\n")));
  EXPECT_TRUE(draws(of_text("    Render()\n")));
  EXPECT_FALSE(draws(of_text("view = CreateView('RenderView')\n")));
  EXPECT_FALSE(draws(of_text("CreateExtractor('VTPD', slice1)\n")));
  EXPECT_FALSE(draws(of_text("# SaveScreenshot('x.png')\n")));
}

TEST(Script, ChannelsAreSeenInTheTextAndInTheArguments) {
  EXPECT_TRUE(may_use(of_text("TrivialProducer(registrationName='walls')"), "walls"));
  EXPECT_FALSE(may_use(of_text("TrivialProducer(registrationName='monitor')"), "walls"));
  Script script = of_text("TrivialProducer(registrationName='${args.channel}')");
  script.arguments = {"--channel=walls"};
  EXPECT_TRUE(may_use(script, "walls"));
}

TEST(Pipelines, AllAreCatalystScriptsThatUseAChannel) {
  EXPECT_EQ(pipelines().size(), 5U);
  for (Pipeline const& pipeline : pipelines()) {
    EXPECT_TRUE(pipeline.text.starts_with("# script-version: 2.0\n")) << pipeline.name;
    EXPECT_NE(pipeline.text.find("registrationName=\""), std::string_view::npos) << pipeline.name;
  }
}

}  // namespace
}  // namespace tessera
