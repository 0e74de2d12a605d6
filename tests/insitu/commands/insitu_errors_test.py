# SPDX-License-Identifier: MIT
"""Scripts of ParaView Catalyst that are wrong: one clear message, and the flow goes on.
Exits with 77 where there is no ParaView."""

import subprocess

import insitu
from command import BAD_INPUT, FAILED, NOT_CONVERGED


def at_step_100(statement):
    return (insitu.EXTRACTS + "def catalyst_execute(info):\n"
            f"    if info.timestep == 100:\n        {statement}\n")


# Name of the script, what is wrong with it, what is said of it, and at which step.
MISTAKES = [
    ("syntax", insitu.HEAD + "TrivialProducer(registrationName='fluid'\n", "SyntaxError", 0),
    ("import", insitu.HEAD + "import no_such_module\n", "No module named 'no_such_module'", 0),
    ("channel", insitu.HEAD + "TrivialProducer(registrationName='fluidd')\n",
     "fluid, walls, monitor, tiles", 0),
    ("raise", at_step_100("raise ValueError('too fast')"), "ValueError: too fast", 100),
    ("interrupt", at_step_100("raise KeyboardInterrupt"), "KeyboardInterrupt", 100),
    ("leave", at_step_100("__import__('sys').exit(7)"), "sys.exit(7)", 100),
    ("os_exit", at_step_100("__import__('os')._exit(7)"), "os._exit()", 100),
    ("posix_exit", at_step_100("__import__('posix')._exit(7)"), "os._exit()", 100),
    ("ctypes_exit", at_step_100("__import__('ctypes').CDLL(None)._exit(0)"), "asked ctypes for _exit()", 100),
    ("libc_exit", at_step_100("__import__('ctypes').CDLL('libc.so.6')['_Exit'](0)"), "asked ctypes for _Exit()", 100),
    ("exec", at_step_100("__import__('os').execv('/bin/true', ['true'])"), "os.exec*()", 100),
    ("execvp", at_step_100("__import__('os').execlp('true', 'true')"), "os.exec*()", 100),
]


class Mistakes(insitu.InSituTest):
    def test_a_missing_script_is_refused(self):
        self.refused("--insitu", "nothing.py", says="slice, streamlines")

    def test_a_script_is_one_word(self):
        self.assert_refused("permeability", "--insitu", "slice", "missing.raw", "--shape", "4,4,4",
                            "--out", "out", says="missing.raw")

    def test_impossible_options_are_refused(self):
        self.script(insitu.EXTRACTS)
        self.refused("--insitu", "script.py", "--insitu-every", "0", says="1 or more")
        self.refused("--insitu", "script.py", "--insitu-errors", "panic", says="warn or stop")
        self.refused("--insitu", "script.py", "--insitu-pressure", "low", says="wait or drop")

    def test_mistakes_are_shown_and_the_flow_goes_on(self):
        """All of them in one run, with a script whose folder cannot be written to, and a good one."""
        scripts = {name: text for name, text, _, _ in MISTAKES}
        scripts["blocked"] = insitu.EXTRACTS.replace('"extracts"', '"/proc/nothing"')
        # Other programs may be run, and ctypes be used.
        scripts["good"] = at_step_100("import ctypes, os, subprocess\n"
                                      "        subprocess.run(['true'], check=True)\n"
                                      "        child = os.fork() or os.execlp('true', 'true')\n"
                                      "        assert os.waitpid(child, 0)[1] == 0\n"
                                      "        ctypes.CDLL(None).getpid()")
        arguments = [word for name, text in scripts.items()
                     for word in ("--insitu", self.script(text, name + ".py"))]
        run = self.flow(*arguments, "--insitu-every", "50", "--max-steps", "200", "--out", "out")
        self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
        self.assertEqual(self.results()["permeability"]["x"]["steps"], 200)
        errors = self.results()["insitu"]["errors"]
        for name, _, says, step in MISTAKES:
            with self.subTest(script=name):
                own = [error for error in errors if error["script"] == name + ".py"]
                self.assertEqual([error["step"] for error in own], [step])
                self.assertIn(says, own[0]["text"])
                self.assertEqual(run.stderr.count(f"{name}.py: failed at step {step}"), 1)
                self.assertIn(own[0]["text"], run.stderr)
        self.assertIn("/proc/nothing", run.stderr)
        self.assertFalse([error for error in errors if error["script"] == "good.py"])
        self.assertTrue(self.path("out/insitu/extracts/fluid_000200.vtpd").is_file())

    def stopped(self, name):
        """The run of one of them that is to end it."""
        text, says = next((text, says) for n, text, says, _ in MISTAKES if n == name)
        run = self.flow("--insitu", self.script(text), "--insitu-every", "50", "--max-steps", "2000",
                        "--insitu-errors", "stop", "--out", "out")
        self.assertIn(says, run.stderr)
        return run

    def test_one_at_step_0_may_end_the_run_and_leaves_nothing(self):
        run = self.stopped("syntax")
        self.assertEqual(run.returncode, BAD_INPUT, run.stderr)
        self.assertFalse(self.path("out").exists(), self.files())

    def test_one_at_a_later_step_may_end_the_run(self):
        run = self.stopped("raise")
        self.assertEqual(run.returncode, FAILED, run.stderr)
        self.assertEqual(self.results()["permeability"]["x"]["stop_reason"], "a script failed")

    def test_a_crash_does_not_end_the_run(self):
        """What the flow gives is the same as without."""
        self.path("leave.c").write_text("#include <unistd.h>\nvoid leave(void) { _exit(0); }\n", encoding="utf-8")
        subprocess.run(["cc", "-shared", "-fPIC", "-o", "leave.so", "leave.c"], cwd=self.folder, check=True)
        limit = ["--max-steps", "200", "--out"]
        self.flow(*limit, "plain")
        for statement, says in (("__import__('ctypes').string_at(0)", "segmentation fault"),
                                (f"__import__('ctypes').CDLL('{self.path('leave.so')}').leave()", "_exit()")):
            with self.subTest(statement=statement):
                run = self.flow("--insitu", self.script(at_step_100(statement)), "--insitu-every", "50", *limit, "out")
                self.assertEqual(run.returncode, NOT_CONVERGED, run.stderr)
                errors = self.results()["insitu"]["errors"]
                self.assertEqual([error["step"] for error in errors], [100])
                self.assertIn(says, errors[0]["text"])
                self.assertEqual(self.results()["permeability"], self.results("plain")["permeability"])

    def test_pictures_without_an_x_server_are_refused(self):
        self.refused("--insitu", "slice", says="xvfb-run -a tessera")
        self.refused("--insitu", "slice", says="xvfb-run", environment={"DISPLAY": ":987"})


if __name__ == "__main__":
    insitu.main()
