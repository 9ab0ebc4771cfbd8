import fc from "fast-check";
import { expect, test } from "vitest";
import { findPythonName } from "../../src/contract/exported-names.ts";

test.each([
  ["an assignment", "graph = build()", "there"],
  ["an import", "from a import (\n  other,\n  graph,\n)", "there"],
  ["a definition", "async def graph(x):\n  pass", "there"],
  ["a class", "class graph: pass", "there"],
  ["a block at the top", "if debug:\n  graph = 1", "there"],
  ["a line that carries on", "other, \\\n  graph = 1, 2", "there"],
  ["a global inside a function", "def make():\n  global graph\n  graph = 1", "there"],
  ["a name inside a function", "def make():\n  graph = 1", "missing"],
  ["an attribute", "builder.graph = 1", "missing"],
  ["a longer name", "graph_2 = 1", "missing"],
  ["a comment", "# graph = 1", "missing"],
  ["a text", "x = \"graph = 1\"\ny = '''\ngraph = 1\n'''", "missing"],
  ["a star", "from a import *", "unknown"],
  ["names that are made while it runs", "globals()['gra' + 'ph'] = 1", "unknown"],
  ["a text without an end", 'x = "graph', "unknown"],
])("%s: %j is %s", (_what, text, verdict) => {
  expect(findPythonName(text, "graph")).toBe(verdict);
});

test("any text has a verdict, and a longer one takes no more than its share of time", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom("graph", "=", '"', "'", "\n", "\\", "(", ")", " ", "#") }),
      (text) => {
        expect(["there", "missing", "unknown"]).toContain(findPythonName(text, "graph"));
      },
    ),
  );
  for (const piece of ['"', "'''", "(", "x = \\\n", "import ", '"a" ']) {
    expect(["missing", "unknown"]).toContain(findPythonName(piece.repeat(20_000), "graph"));
  }
});
