import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { projectRoot } from "../../scripts/command.ts";
import { builtPackage } from "./built-package.ts";
import type { Consumer } from "./consumer.ts";
import { RIGHT, WRONG } from "./pulumi-types.ts";

// A state keeps these texts for as long as a deployment lives: no version may have others.
const GOLDEN = {
  "pulumi-nodejs:dynamic/graph-deploy:Deployment": 'exports.handler = () => require("graph-deploy/pulumi/stub");',
  "pulumi-nodejs:dynamic/graph-deploy:AgentReadiness":
    'exports.handler = () => require("graph-deploy/pulumi/stub").readiness;',
} as const;
const MOST_BYTES = 400;

const example = await readFile(join(projectRoot, "examples/pulumi/index.ts"), "utf8");

let built: Consumer;
beforeAll(async () => {
  built = await builtPackage();
});

const imports = "AgentDeployment, Deployment, getDeployment, getDeploymentOutput";
const printTypes = `console.log([${imports}].map((it) => typeof it).join());`;
const METHODS = ["configure", "check", "diff", "create", "read", "update", "delete"];

// Each asks another process, and a warning of Node is a failure of it.
describe.concurrent("graph-deploy/pulumi in an empty project", () => {
  test.each([
    ["import.mjs", `import { ${imports} } from "graph-deploy/pulumi"; ${printTypes}`],
    ["require.cjs", `const { ${imports} } = require("graph-deploy/pulumi"); ${printTypes}`],
  ])("is loaded by %s", async (file, code) => {
    expect(await built.node(file, code)).toBe("function,function,function,function");
  });

  test("has a stub that is a provider, and that loads nothing until it is called", async () => {
    const code = `
      const before = new Set(process.moduleLoadList);
      const stub = require("graph-deploy/pulumi/stub");
      const methods = (it) => Object.keys(it).filter((key) => typeof it[key] === "function");
      const files = Object.keys(require.cache).map((file) => file.split(/[\\\\/]/).slice(-2).join("/"));
      const builtins = process.moduleLoadList.filter((name) => !before.has(name));
      console.log(JSON.stringify({ methods: methods(stub), readiness: methods(stub.readiness), files, builtins }));
    `;
    expect(JSON.parse(await built.node("stub.cjs", code))).toEqual({
      methods: METHODS,
      readiness: METHODS,
      files: ["built/stub.cjs", "pulumi-provider/stub.cjs"],
      builtins: [],
    });
  });

  const serialize = `pulumi.runtime.serializeFunction(() => stub, { allowSecrets: true }).then(({ text }) => console.log(text));`;
  test.each([
    ["handed.cjs", `const pulumi = require("@pulumi/pulumi"); const stub = require("graph-deploy/pulumi/stub");`],
    ["handed.mjs", `import * as pulumi from "@pulumi/pulumi"; import stub from "graph-deploy/pulumi/stub";`],
  ])("has a stub that Pulumi itself writes down by its name: %s", async (file, code) => {
    const text = await built.node(file, `${code}\n${serialize}`);
    expect(Buffer.byteLength(text)).toBeLessThan(MOST_BYTES);
    expect(text).toContain('require("graph-deploy/pulumi/stub")');
    // No code of ours, nor a path of this machine.
    expect(text).not.toMatch(/fromEntries|load\(|node_modules|[\\/]tmp[\\/]/);
  });

  test("registers its resources with the same texts in every version", async () => {
    const code = `
      import * as pulumi from "@pulumi/pulumi";
      import { AgentDeployment } from "graph-deploy/pulumi";
      const texts = {};
      await pulumi.runtime.setMocks({
        call: () => ({}),
        newResource: ({ type, name, inputs }) => {
          if (inputs.__provider !== undefined) texts[type] = inputs.__provider;
          return { id: name, state: inputs };
        },
      });
      const agent = new AgentDeployment("a", { source: "external_docker", imageUri: "registry/agent:1" });
      agent.url.apply(() => console.log(JSON.stringify(texts)));
    `;
    expect(JSON.parse(await built.node("texts.mjs", code))).toEqual(GOLDEN);
  });

  test("is found again by the texts that a state holds", async () => {
    const code = `
      const load = (text) => { const exports = {}; new Function("exports", "require", text)(exports, require); return exports.handler(); };
      const [deployment, readiness] = ${JSON.stringify(Object.values(GOLDEN))}.map(load);
      const stub = require("graph-deploy/pulumi/stub");
      console.log(deployment === stub, readiness === stub.readiness);
    `;
    expect(await built.node("state.cjs", code)).toBe("true true");
    for (const text of Object.values(GOLDEN)) expect(Buffer.byteLength(text)).toBeLessThan(MOST_BYTES);
  });

  const both = (name: string, end: string) => ({ [`${name}-right${end}`]: RIGHT, [`${name}-wrong${end}`]: WRONG });
  const nodenext = ["--module", "nodenext", "--moduleResolution", "nodenext"];
  const node10 = ["--module", "commonjs", "--moduleResolution", "node10", "--ignoreDeprecations", "6.0"];

  test.each([
    [
      "nodenext, from ESM and CommonJS, and the example of this repository",
      { ...both("next", ".mts"), ...both("next", ".cts"), "example.mts": example },
      nodenext,
    ],
    [
      "bundler, exact",
      both("bundler", ".ts"),
      ["--module", "esnext", "--moduleResolution", "bundler", "--exactOptionalPropertyTypes"],
    ],
    ["node10, as in Pulumi's own template", both("node10", ".ts"), node10],
  ])("accepts right programs and finds each mistake: %s", async (_mode, programs, options) => {
    expect(await built.typeErrors(programs, options)).toBe("");
  });
});
