import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findExport } from "../../src/contract/exported-names.ts";
import { anyText } from "../wire/any-text.ts";

describe("a name of a Python module", () => {
  test.each([
    ["an assignment", "graph = build()"],
    ["one with a type", "graph: Graph = build()"],
    ["one of several", "a, graph = 1, 2"],
    ["one in brackets", "(\n  a,\n  graph,\n) = make()"],
    ["one behind a backslash", "a = \\\n  graph = 1"],
    ["a function", "def graph(state):\n    return state"],
    ["an async function", "async  def graph(): ..."],
    ["a class", "class graph(Base):\n    pass"],
    ["an import", "from agents.support import build as graph"],
    ["an import of several", "from agents import (\n  a,  # first\n  graph,\n)"],
    ["a module", "import graph.sub"],
    ["a loop", "for graph in graphs:\n    pass"],
    ["a block of the top level", "try:\n    graph = make()\nexcept ImportError:\n    graph = None"],
    ["a block with tabs", "if True:\n\tgraph = make()"],
    ["a walrus", "print(graph := 3)"],
    ["a definition behind a function", "def make():\n    return 1\n\ngraph = make()"],
    ["a definition behind a docstring", '"""Says\ndef other(): it\'s"""\ngraph = 1'],
    ["a global of a function", "def make():\n    global graph\n    graph = 1\nmake()"],
    ["lines of Windows", "def make():\r\n    return 1\r\n\r\ngraph = make()\r\n"],
    ["a decorated function", "@tool\ndef graph(): pass"],
    ["a class in a block", "if True:\n    class graph:\n        pass"],
  ])("is there as %s", (_what, text) => {
    expect(findExport("agent.py", text, "graph")).toBe("there");
  });

  test.each([
    ["an empty file", ""],
    ["another name", "app = build()"],
    ["a longer name", "graph_builder = 1\nsubgraph = 2"],
    ["a variable of a function", "def make():\n    graph = 1\n    return graph"],
    ["a variable of a method", "class A:\n    graph = 1\n    def f(self):\n        graph = 2"],
    ["a parameter", "def make(graph, *, other=1):\n    return graph"],
    ["an attribute", "app = builder.graph\nself.graph = 1"],
    ["a comment", "# graph = 1\napp = 1"],
    ["a string", "app = compile('graph', name=\"graph\")"],
    ["a docstring", '"""\ngraph = 1\n"""\napp = 1'],
    ["a raw string", "app = r'\\\\d' + 'graph'"],
    ["a function of several lines", "def make(\n  a,\n  graph,\n):\n  graph = 1\napp = make(1, 2)"],
  ])("is missing in %s", (_what, text) => {
    expect(findExport("agent.py", text, "graph")).toBe("missing");
  });

  test.each([
    ["a star import", "from agents import *"],
    ["a star import in brackets", "from agents import (*)"],
    ["globals", "globals()['graph'] = 1"],
    ["exec", "exec(code)"],
    ["setattr", "setattr(sys.modules[__name__], 'graph', 1)"],
    ["a module's __getattr__", "def __getattr__(name):\n    return 1"],
    ["a string without an end", "app = 'x\ngraph"],
    ["a docstring without an end", '"""\nx'],
  ])("is not told of a file with %s", (_what, text) => {
    expect(findExport("agent.py", text, "graph")).toBe("unknown");
  });
});

describe("an export of a script", () => {
  test.each([
    ["a constant", "export const graph = build();"],
    ["a variable of several", "export let a = { b: [1, 2] }, graph = 2"],
    ["a constant with a type", "export const graph: Graph<A, B> = x"],
    ["a pattern", "export const { a, b: [graph] } = make()"],
    ["a function", "export async function graph(state) {}"],
    ["a generator", "export function* graph() {}"],
    ["a class", "export abstract class graph {}"],
    ["a clause", "const graph = 1;\nexport { a as b, graph };"],
    ["another name", "export { app as graph } from './app.js'"],
    ["a namespace", "export * as graph from './x.js'"],
    ["a constant behind others", "export type A = 1;\nexport interface B {}\nexport const graph = 1"],
    ["a constant behind texts", "const a = /[/'\"]/g, b = `${a}`, c = '// \\' export';\nexport const graph = 1 / 2;"],
    ["a constant behind a comment", "/* export */ export const graph = 1 // x"],
  ])("is there as %s", (_what, text) => {
    expect(findExport("./src/agent.ts", text, "graph")).toBe("there");
    expect(findExport("./src/agent.mjs", text, "graph")).toBe("there");
  });

  test("is there as the default", () => {
    expect(findExport("a.ts", "export default build()", "default")).toBe("there");
    expect(findExport("a.ts", "export { app as default }", "default")).toBe("there");
    expect(findExport("a.ts", "export default function graph() {}", "graph")).toBe("missing");
  });

  test.each([
    ["an empty file", ""],
    ["a constant that is not exported", "const graph = 1;\nexport const app = graph;\nconsole.log(graph)"],
    ["another clause", "export { graph as app };"],
    ["a longer name", "export const graphs = 1, $graph = 2;"],
    ["a comment", "// export const graph = 1\n/* export const graph = 2 */"],
    ["a string", "export const app = 'export const graph = 1';"],
    ["a key", "export const app = { graph: 1, export: graph };"],
    ["a body", "export function app() { const graph = 1; return graph; }"],
    ["a template", "export const app = `export const graph ${1}`;"],
  ])("is missing in %s", (_what, text) => {
    expect(findExport("agent.ts", text, "graph")).toBe("missing");
  });

  test.each([
    ["exports of another module", "export * from './graph.js'"],
    ["CommonJS", "module.exports = { graph: 1 }"],
    ["CommonJS by name", "exports.graph = 1"],
    ["export =", "export = graph"],
    ["a name in quotes", "export { app as 'graph' }"],
    ["a template in a template", "const a = `${`x`}`"],
    ["a string without an end", "const a = 'x\nexport const app = 1"],
    ["a comment without an end", "/* x"],
  ])("is not told of a file with %s", (_what, text) => {
    expect(findExport("agent.ts", text, "graph")).toBe("unknown");
  });
});

test("nothing is reported for other files and for invalid names", () => {
  for (const file of ["agent.tsx", "agent.cjs", "agent.ipynb", "agent"])
    expect(findExport(file, "", "graph")).toBe("unknown");
  for (const name of ["a.b", "größe", "", "a b"]) expect(findExport("agent.py", "", name)).toBe("unknown");
});

test("any text has a verdict, in a time that grows with its length", { tags: "slow" }, () => {
  const pieces = fc.constantFrom(
    ..."\"'`#/*\\\n{}()[]$ \t=,;:.".split(""),
    '"""',
    "'''",
    "export ",
    "def ",
    "${",
    "graph",
    "import *",
  );
  const text = fc.oneof(
    anyText,
    fc.array(pieces, { maxLength: 60 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, fc.constantFrom("a.py", "a.ts"), (code, file) => {
      expect(["there", "missing", "unknown"]).toContain(findExport(file, code, "graph"));
    }),
  );
  for (const piece of [
    "/*",
    "'''",
    '"\\',
    "`${",
    "`${{",
    "((",
    "export ",
    "x = 1\n",
    "/[",
    "export const a = (",
    "a.",
    " def f(): graph\n",
  ]) {
    for (const file of ["a.py", "a.ts"]) {
      const code = piece.repeat((256 * 1024) / piece.length);
      expect(["there", "missing", "unknown"]).toContain(findExport(file, code, "graphs"));
    }
  }
});
