# SPDX-License-Identifier: MIT
"""Scripts of ParaView Catalyst that are wrong: one clear message, and the flow goes on.
Exits with 77 where there is no ParaView."""

import insitu
from command import BAD_INPUT, FAILED, NOT_CONVERGED


class Mistakes(insitu.InSituTest):
    def test_a_missing_script_is_refused(self):
        self.refused("--insitu", "nothing.py", says="slice, streamlines")

    def test_impossible_options_are_refused(self):
        self.script(insitu.EXTRACTS)
        self.refused("--insitu", "script.py", "--insitu-every", "0", says="1 or more")
        self.refused("--insitu", "script.py", "--insitu-errors", "panic", says="warn or stop")
        self.refused("--insitu", "script.py", "--insitu-pressure", "low", says="wait or drop")

    def failing(self, text, says, step=0):
        """The error is shown, with its traceback; the flow goes on, or ends if asked to."""
        script = self.script(text, "failing.py")
        run = self.flow("--insitu", script, "--insitu-every", "50", "--max-steps", "200",
                        "--out", "warned")
        self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
        self.assertIn(says, run.stderr)
        self.assertIn(f"failing.py: failed at step {step}", run.stderr)
        self.assertEqual(run.stderr.count("failed at step"), 1)
        errors = self.results("warned")["insitu"]["errors"]
        self.assertEqual([error["step"] for error in errors], [step])
        self.assertIn(says, errors[0]["text"])
        self.assertEqual(self.results("warned")["permeability"]["x"]["steps"], 200)
        stopped = self.flow("--insitu", script, "--insitu-every", "50", "--max-steps", "2000",
                            "--insitu-errors", "stop", "--out", "stopped")
        self.assertIn(says, stopped.stderr)
        if step == 0:
            self.assertEqual(stopped.returncode, BAD_INPUT, stopped.stderr)
            self.assertFalse(self.path("stopped").exists(), self.files())
        else:
            self.assertEqual(stopped.returncode, FAILED, stopped.stderr)
            result = self.results("stopped")["permeability"]["x"]
            self.assertEqual(result["stop_reason"], "a script failed")

    def test_a_syntax_error_is_shown(self):
        self.failing(insitu.HEAD + "TrivialProducer(registrationName='fluid'\n", "SyntaxError")

    def test_an_error_at_import_is_shown(self):
        self.failing(insitu.HEAD + "import no_such_module\n", "No module named 'no_such_module'")

    def test_an_error_at_a_later_step_is_shown(self):
        self.failing(insitu.EXTRACTS + "def catalyst_execute(info):\n"
                     "    if info.timestep == 100:\n        raise ValueError('too fast')\n",
                     "ValueError: too fast", step=100)

    def test_a_script_cannot_end_the_program(self):
        self.failing(insitu.EXTRACTS + "import sys\ndef catalyst_execute(info):\n    sys.exit(7)\n",
                     "sys.exit(7)")

    def test_an_unknown_channel_is_named_with_those_there_are(self):
        self.failing(insitu.HEAD + "TrivialProducer(registrationName='fluidd')\n",
                     "fluid, walls, monitor, tiles")

    def test_an_output_that_cannot_be_written_is_reported(self):
        blocked = insitu.EXTRACTS.replace('"extracts"', '"/proc/nothing"')
        run = self.flow("--insitu", self.script(blocked), "--insitu-every", "100",
                        "--max-steps", "100", "--out", "out")
        self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
        self.assertIn("/proc/nothing", run.stderr)

    def test_pictures_without_an_x_server_are_refused(self):
        self.refused("--insitu", "slice", says="xvfb-run -a tessera")
        self.refused("--insitu", "slice", says="xvfb-run", environment={"DISPLAY": ":987"})


if __name__ == "__main__":
    insitu.main()
