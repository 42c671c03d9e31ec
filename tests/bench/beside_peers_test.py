"""The comparison with PyTorch and Triton, between stand-ins of tilejit_bench and of peers.py."""
import json
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

BENCH = pathlib.Path(__file__).parents[2] / "bench"

OURS = """#!{python}
import json, pathlib, sys
given = sys.argv[1:]
names = [given[i + 1] for i, word in enumerate(given) if word == "--row"]
calls = pathlib.Path({folder!r}) / "calls"
calls.open("a").write("ours\\n")
if {gpu}:
    us = lambda name: {{"unit": "us", "launches": 64, "ours": {{"median": 10.0}}}}
    rate = lambda name: {{"unit": "GB/s", "launches": 0, "ours": {{"median": 4000.0}}}}
    rows = [{{"work": name, "config": "C", **(us(name) if "x256" in name else rate(name))}} for name in names]
    pathlib.Path(given[given.index("--json") + 1]).write_text(json.dumps({{"rows": rows}}))
else:
    print("Nothing measured: no GPU")
"""

THEIRS = """
import json, pathlib, sys
shapes = [word for word in sys.argv[1:] if word[0].isdigit() and "x" in word]
replayed = [sys.argv[i + 1] for i, word in enumerate(sys.argv) if word == "--replay"]
print(json.dumps({first}))
calls = pathlib.Path({folder!r}) / "calls"
if shapes:
    calls.open("a").write("theirs " + " ".join(replayed) + "\\n")
round = calls.read_text().count("theirs") if calls.exists() else 0
for shape in dict.fromkeys(shapes):
    for way, us in (("torch", 100.0), ("triton", 10.0 + round)):
        print(json.dumps(dict(op="softmax", shape=shape, dtype="bf16", way=way, config="8 warps" if way == "triton" else "", us=us, launches=0)))
"""


class BesidePeers(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = pathlib.Path(kept.name)

    def run_program(self, *arguments, gpu=True, first=None):
        bench, peers = self.folder / "bench", self.folder / "peers.py"
        bench.write_text(OURS.format(python=sys.executable, folder=str(self.folder), gpu=gpu))
        bench.chmod(bench.stat().st_mode | stat.S_IXUSR)
        first = first or {"device": "a device", "torch": "2", "triton": "3"}
        peers.write_text(THEIRS.format(folder=str(self.folder), first=repr(first)))
        done = subprocess.run([sys.executable, str(BENCH / "beside_peers.py"), "--bench", str(bench), "--peers", str(peers), *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def test_alternates_and_takes_the_fastest_way(self):
        file = self.folder / "rows.json"
        text = self.run_program("--rounds", "3", "--json", str(file), "16384x256")
        self.assertEqual((self.folder / "calls").read_text().split("\n")[:4], ["ours", "theirs 16384x256", "ours", "theirs 16384x256"])
        row = json.loads(file.read_text())["rows"][0]
        self.assertEqual((row["ours_us"], row["theirs_us"], row["peer"]), (10, 12, "triton (8 warps)"))
        self.assertEqual((row["ratio"], row["lowest"], row["highest"], row["reached"]), (1.2, 1.1, 1.3, True))
        for words in ("softmax 16384x256 bf16", "triton (8 warps)", "1.200", "1.100 to 1.300", "at least 1.05", "reached", "torch 100.00 us"):
            self.assertIn(words, text)

    def test_reads_rates_as_times_and_says_what_is_missed(self):
        text = self.run_program("--rounds", "1", "4096x4096")  # 67 MB at 4000 GB/s: 16.78 us
        self.assertEqual((self.folder / "calls").read_text().split("\n")[1], "theirs ")
        for words in ("16.78 us", "4000 GB/s", "0.656", "MISSED"):
            self.assertIn(words, text)

    def test_says_what_is_missing(self):
        text = self.run_program("16384x256", first={"missing": "torch", "why": "no module"})
        self.assertEqual(text, "Nothing measured: PyTorch is missing here: no module\n")
        self.assertEqual(self.run_program("16384x256", gpu=False).splitlines()[-1], "Nothing measured: no GPU")


class Peers(unittest.TestCase):
    def test_names_each_module_that_is_not_there(self):
        done = subprocess.run([sys.executable, "-I", "-S", str(BENCH / "peers.py")], stdout=subprocess.PIPE, text=True, check=True)
        self.assertEqual([json.loads(line)["missing"] for line in done.stdout.splitlines()], ["triton", "torch"])


if __name__ == "__main__":
    unittest.main()
