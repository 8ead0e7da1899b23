"""Every YAML snippet of the pages is a model that `sinew check` takes without a warning, or part of one; whole models run; what examples use is
shown; links lead somewhere: docs.snippets of ctest.

Parts of a model are completed from scaffold.yaml. A comment before a block says that it is wrong on purpose and what the program says then:
<!-- snippet refused: words of the message -->, or warns.
"""

import argparse
import glob
import os
import re
import subprocess
import sys
import unittest

import keys
import snippets

try:
    import yaml
except ImportError:
    yaml = None

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PAGES = ("README.md", "CONTRIBUTING.md", "docs/**/*.md", "examples/*/*.md", "perf/*.md", "cluster/*.md")
options = argparse.Namespace(sinew="sinew", scratch=".")


def pages():
    for pattern in PAGES:
        for path in sorted(glob.glob(os.path.join(ROOT, pattern), recursive=True)):
            with open(path, encoding="utf-8") as file:
                yield os.path.relpath(path, ROOT), file.read()


def sinew(*words):
    """Exit code and everything that is said."""
    done = subprocess.run([options.sinew, *words], capture_output=True, text=True, errors="replace", timeout=60, check=False)
    return done.returncode, done.stdout + done.stderr


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        os.makedirs(options.scratch, exist_ok=True)
        snippets.write_mesh(os.path.join(options.scratch, "rod.msh"))
        snippets.write_lines(os.path.join(options.scratch, "net.msh"))
        for table, head in (("road.csv", "time,height\n"), ("fan.txt", "")):
            with open(os.path.join(options.scratch, table), "w", encoding="utf-8") as file:
                file.write(head + "0,0\n1,2\n")
        with open(os.path.join(options.scratch, "fan-map.csv"), "w", encoding="utf-8") as file:
            file.write("speed/angle,0,1\n0,0,0\n100,2,3\n")
        with open(os.path.join(HERE, "scaffold.yaml"), encoding="utf-8") as file:
            cls.scaffold = snippets.sections_of(file.read())
        cls.all = [snippet for name, page in pages() for snippet in snippets.snippets_of(name, page)]

    def written(self, snippet):
        path = os.path.join(options.scratch, "model.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(snippet.text if snippet.is_model() else snippets.completed(snippet, self.scaffold))
        return path

    def judge(self, snippet, code, said):
        kind, words = snippet.mark or (None, "")
        self.assertEqual(code, 2 if kind == "refused" else 0, said)
        if kind:
            self.assertIn(words, said)
        else:
            self.assertNotIn("warning", said)

    def test_every_snippet_is_taken_without_a_warning(self):
        self.assertGreater(len(self.all), 30)
        for snippet in self.all:
            with self.subTest(snippet.where):
                self.judge(snippet, *sinew("check", self.written(snippet)))

    def test_whole_models_run(self):
        models = [snippet for snippet in self.all if snippet.is_model() and not snippet.mark]
        self.assertGreater(len(models), 3)
        for snippet in models:
            with self.subTest(snippet.where):
                words = ["run", self.written(snippet), "-o", os.path.join(options.scratch, "out")]
                if "type: static" not in snippet.text and "type: modes" not in snippet.text and "type: buckling" not in snippet.text:
                    words += ["--set", "analysis.end_time=0.01"]
                self.judge(snippet, *sinew(*words))


@unittest.skipIf(yaml is None, "this Python has no yaml")
class Keys(unittest.TestCase):
    def test_every_key_that_an_example_uses_stands_in_a_snippet(self):
        shown = set()
        for name, page in pages():
            for snippet in snippets.snippets_of(name, page):
                shown |= keys.keys_of(yaml.safe_load(snippet.text))
        for path in sorted(glob.glob(os.path.join(ROOT, "examples/*/*.yaml"))):
            with self.subTest(os.path.relpath(path, ROOT)), open(path, encoding="utf-8") as file:
                self.assertEqual(sorted(keys.keys_of(yaml.safe_load(file)) - shown), [])

    def test_keys_are_told_from_names(self):
        text = ("bodies: {a: {type: rigid, points: {p: [0, 0, 0]}}}\ncontrols: {c: {output: {u: 1}}}\n"
                "sensors: {s: {type: point, record: [velocity.x]}}")
        self.assertEqual(keys.keys_of(yaml.safe_load(text)),
                         {"bodies", "bodies.*", "bodies.*.type", "bodies.*.type=rigid", "bodies.*.points", "bodies.*.points.*", "controls",
                          "controls.*", "controls.*.output", "controls.*.output.*", "sensors", "sensors.*", "sensors.*.type", "sensors.*.type=point",
                          "sensors.*.record", "sensors.*.record=velocity"})


class Links(unittest.TestCase):
    """Other pages and their headings, by the names that GitHub gives them."""

    LINK = re.compile(r"\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)")

    @staticmethod
    def anchors(page):
        headings = re.findall(r"^#+ +(.*)$", snippets.FENCE.sub("", page), re.M)
        return {re.sub(r"[^\w\- ]", "", re.sub(r"\]\([^)]*\)", "", heading)).lower().replace(" ", "-") for heading in headings}

    def test_links_lead_to_files_and_headings_that_are_there(self):
        for name, page in pages():
            for file, anchor in self.LINK.findall(snippets.FENCE.sub("", page)):
                with self.subTest(name, link=f"{file}#{anchor}"):
                    target = os.path.normpath(os.path.join(ROOT, os.path.dirname(name), file)) if file else os.path.join(ROOT, name)
                    self.assertTrue(os.path.exists(target))
                    if anchor:
                        with open(target, encoding="utf-8") as text:
                            self.assertIn(anchor, self.anchors(text.read()))


class Snippets(unittest.TestCase):
    """The reader of pages itself."""

    def test_blocks_lists_of_analyses_and_sections_in_the_text_are_found(self):
        page = "a `analysis: {end_time: 1}` b `output: {...}`\n\n```yaml\nanalysis: {type: static}\nanalysis: {type: modes}\n```\n\n```sh\nls\n```\n"
        self.assertEqual([snippet.text for snippet in snippets.snippets_of("page", page)],
                         ["analysis: {type: static}\n", "analysis: {type: modes}\n", "analysis: {end_time: 1}\n"])

    def test_a_block_without_a_language_that_holds_a_model_is_found(self):
        self.assertEqual(len(snippets.snippets_of("page", "```\njoints:\n  a: {type: fixed}\n```\n")), 1)

    def test_what_is_wrong_on_purpose_is_marked(self):
        (snippet,) = snippets.snippets_of("page", "<!-- snippet refused: unknown key -->\n```yaml\nbodie: {}\n```\n")
        self.assertEqual(snippet.mark, ("refused", "unknown key"))

    def test_parts_are_completed_by_what_they_name(self):
        scaffold = snippets.sections_of("bodies:\n  a: {material: b}\n  c: {}\nmaterials:\n  b: {}\nanalysis: {}\n")
        (snippet,) = snippets.snippets_of("page", "```yaml\njoints:\n  x: {of: a}\n```\n")
        self.assertEqual(snippets.completed(snippet, scaffold),
                         "sinew: 1\nanalysis: {}\njoints:\n  x: {of: a}\nbodies:\n  a: {material: b}\nmaterials:\n  b: {}\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--sinew", required=True, help="the command")
    parser.add_argument("--scratch", required=True, help="folder for models and results")
    options, rest = parser.parse_known_args()
    unittest.main(argv=sys.argv[:1] + rest)
