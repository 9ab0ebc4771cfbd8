import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseGraphConfig } from "../../src/contract/graph-config.ts";
import { anyText } from "../wire/any-text.ts";

const read = (config: unknown) => parseGraphConfig(JSON.stringify(config));

describe("a configuration file", () => {
  test("names its graphs, its dependencies and its env file", () => {
    expect(
      read({
        graphs: { agent: "./src/agent.ts:graph", b: { path: "./b.py:make", description: "x" } },
        dependencies: [".", "../lib"],
        env: ".env",
      }),
    ).toEqual({
      ok: true,
      config: {
        graphs: [
          { id: "agent", file: "./src/agent.ts", exportName: "graph" },
          { id: "b", file: "./b.py", exportName: "make" },
        ],
        dependencies: [".", "../lib"],
        envFile: ".env",
      },
    });
  });

  test("may hold keys that are not known here, a byte order mark, and an env of its own", () => {
    const text = `\uFEFF${JSON.stringify({ graphs: { a: "a.py:g" }, node_version: "20", env: { KEY: "sk-1" } })}`;
    expect(parseGraphConfig(text)).toMatchObject({ ok: true, config: { envFile: undefined, dependencies: [] } });
  });

  test("keeps a colon within the file's path", () => {
    expect(read({ graphs: { a: "./odd:name/a.py:g" } })).toMatchObject({
      config: { graphs: [{ file: "./odd:name/a.py" }] },
    });
  });
});

describe("a faulty one", () => {
  test.each<[string, unknown, readonly RegExp[]]>([
    ["no object", [], [/^it is not a JSON object$/]],
    ["no graphs", {}, [/^graphs: is missing$/]],
    ["a list of graphs", { graphs: ["./a.py:g"] }, [/^graphs: must be an object of graphs by their ids$/]],
    ["an empty list of graphs", { graphs: {} }, [/at least one graph/]],
    ["a graph that is a number", { graphs: { a: 7 } }, [/^graphs\.a: must be "\.\/file:export"/]],
    ["a graph without an export", { graphs: { a: "./a.py" } }, [/^graphs\.a: /]],
    ["a graph without a file", { graphs: { a: ":graph" } }, [/^graphs\.a: /]],
    ["a graph with an empty export", { graphs: { a: "./a.py:" } }, [/^graphs\.a: /]],
    ["two faults", { graphs: { a: 7, b: [] }, dependencies: "." }, [/graphs\.a/, /graphs\.b/, /dependencies/]],
  ])("with %s is reported in lines", (_what, config, patterns) => {
    const result = read(config);
    expect(result.ok).toBe(false);
    const faults = result.ok ? [] : result.faults;
    expect(faults).toHaveLength(patterns.length);
    for (const pattern of patterns) expect(faults.some((fault) => pattern.test(fault))).toBe(true);
  });

  test.each([
    ["", "it is empty"],
    ["\uFEFF \n", "it is empty"],
    ['// My agent\n{"graphs": {"a": "a.py:g"}}', "it is not JSON: comments are not allowed"],
    ['# My agent\n{"graphs": {"a": "a.py:g"}}', "it is not JSON: comments are not allowed"],
  ])("of the text %j is named as such", (text, fault) => {
    expect(parseGraphConfig(text)).toEqual({ ok: false, faults: [fault] });
  });

  test("that is no JSON names the place and never quotes the text, which may hold a secret", () => {
    const secret = "sk-0123456789abcdef";
    const whole = JSON.stringify({ graphs: { a: "a.py:g" }, env: { KEY: secret } }, undefined, 2);
    const cuts = fc.nat(whole.length - 1);
    fc.assert(
      fc.property(cuts, fc.constantFrom("", "}", "'", "\u0000", secret, "\\"), (cut, instead) => {
        const result = parseGraphConfig(whole.slice(0, cut) + instead + whole.slice(cut + 1));
        const text = result.ok ? "" : result.faults.join("\n");
        if (text.includes("JSON")) expect(text).toMatch(/^it is not JSON( \(line \d+ column \d+\))?$/);
        else if (instead !== secret) expect(text).not.toMatch(/sk-|0123|cdef|KEY/);
      }),
    );
  });

  test("any text whatever is a configuration or a list of faults", () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.json()), (text) => {
        const result = parseGraphConfig(text);
        expect(result.ok || result.faults.length > 0).toBe(true);
      }),
    );
  });
});
