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
        dependencies: [".", "requests", "../lib"],
        env: ".env",
      }),
    ).toMatchObject({
      ok: true,
      config: {
        graphs: [
          { id: "agent", file: "./src/agent.ts", exportName: "graph" },
          { id: "b", file: "./b.py", exportName: "make" },
        ],
        dependencies: [".", "requests", "../lib"],
        directories: [
          { part: "the dependency .", path: "." },
          { part: "the dependency ../lib", path: "../lib" },
        ],
        uvRoot: undefined,
        envFile: ".env",
      },
    });
  });

  test("may hold keys that are not known here, a byte order mark, and an env of its own", () => {
    const text = `\uFEFF${JSON.stringify({ graphs: { a: "a.py:g" }, node_version: "20", env: { KEY: "sk-1" } })}`;
    expect(parseGraphConfig(text)).toMatchObject({ ok: true, config: { envFile: undefined, dependencies: [] } });
  });

  const target = (part: string, place: string, exportName?: string) => ({ part, place, exportName });
  test("names code of the project in other places than graphs, too", () => {
    const config = {
      graphs: { agent: "agent.graphs.agent:traced_agent" },
      http: { app: "./src/app.py:app", disable_mcp: true },
      auth: { path: "my_agent.auth:auth" },
      encryption: { path: "./crypt.py:encryption" },
      checkpointer: { path: "./saver.py:make", ttl: { strategy: "delete" } },
      store: { path: "./store.py:make", index: { embed: "./embed.py:embed", dims: 3 } },
      ui: { agent: "./ui.tsx" },
    };
    expect(read(config)).toMatchObject({
      config: {
        graphs: [{ id: "agent", file: "agent.graphs.agent", exportName: "traced_agent" }],
        targets: [
          target('graph "agent"', "agent.graphs.agent", "traced_agent"),
          target("http.app", "./src/app.py", "app"),
          target("auth.path", "my_agent.auth", "auth"),
          target("encryption.path", "./crypt.py", "encryption"),
          target("checkpointer.path", "./saver.py", "make"),
          target("store.path", "./store.py", "make"),
          target("store.index.embed", "./embed.py", "embed"),
          target("ui.agent", "./ui.tsx"),
        ],
      },
    });
  });

  test.each([
    "openai:text-embedding-3-small",
    "huggingface:sentence-transformers/all-MiniLM-L6-v2",
    "ollama:a/b:latest",
  ])("takes %s for a model, not for code", (embed) => {
    expect(read({ graphs: { a: "./a.py:g" }, store: { index: { embed } } })).toMatchObject({
      config: { targets: [target('graph "a"', "./a.py", "g")] },
    });
  });

  test.each(["", " ", "\n"])("takes the text %j for none in every other place than graphs", (nothing) => {
    const config = {
      http: { app: nothing },
      auth: { path: nothing },
      encryption: { path: nothing },
      checkpointer: { path: nothing },
      store: { path: nothing, index: { embed: nothing } },
      ui: { agent: nothing },
    };
    expect(read({ graphs: { a: "./a.py:g" }, ...config })).toMatchObject({
      ok: true,
      config: { targets: [target('graph "a"', "./a.py", "g")] },
    });
    expect(read({ graphs: { a: nothing }, ...config })).toMatchObject({
      faults: [expect.stringMatching(/^graphs\.a: /)],
    });
  });

  test.each(["./agent.ts", "agent.mts", "./src/agent.js", "./a.cjs", "./odd:name/agent.tsx"])(
    "takes the default export of %s",
    (file) => {
      expect(read({ graphs: { a: file } })).toMatchObject({
        config: { graphs: [{ id: "a", file, exportName: "default" }] },
      });
    },
  );

  test("may list the names of variables, and have null for what it leaves out", () => {
    expect(read({ graphs: { a: "./a.py:g" }, env: ["TOKEN", "LOG=1"], dependencies: null, auth: null })).toMatchObject({
      ok: true,
      config: { dependencies: [], envFile: undefined },
    });
  });

  test.each([
    [{ kind: "uv" }, "."],
    [{ kind: "uv", root: "../.." }, "../.."],
    [{ kind: "uv", root: 7 }, "."],
    [{ kind: "pip" }, undefined],
    ["uv", undefined],
  ])("with the source %j has the root %s of a uv project", (source, uvRoot) => {
    const directories = uvRoot === undefined ? [] : [{ part: `source.root ${uvRoot}`, path: uvRoot }];
    expect(read({ graphs: { a: "./a.py:g" }, source })).toMatchObject({ config: { uvRoot, directories } });
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
    ['// My agent\n{"graphs": {"a": "a.py:g"}}', "it is not JSON: remove the comment (line 1 column 1)"],
    ['# My agent\n{"graphs": {"a": "a.py:g"}}', "it is not JSON: remove the comment (line 1 column 1)"],
    ['{\n  "a": 1, // why\n}', "it is not JSON: remove the comment (line 2 column 11)"],
    ['{"a": "http://x", /* why */ "b": 1}', "it is not JSON: remove the comment (line 1 column 19)"],
    ['{\r\n  "a": [1, 2,\r\n  ]\r\n}', "it is not JSON: remove the trailing comma (line 2 column 13)"],
    ['{"a": ",}",\n}\n', "it is not JSON: remove the trailing comma (line 1 column 11)"],
    ["\uFEFF{'a': 1}", "it is not JSON: write strings in double quotes (line 1 column 2)"],
    ['{"a": 1 "b": 2}', "it is not JSON (line 1 column 9)"],
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
        if (text.includes("JSON")) expect(text).toMatch(/^it is not JSON(: [a-z ]+)?( \(line \d+ column \d+\))?$/);
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
