import { describe, expect, test } from "vitest";
import { readmeWorkflows } from "../../scripts/readme-workflows.ts";
import { actionFaults, workflowFaults, type ActionMetadata } from "../../scripts/workflow-validation.ts";

const action: ActionMetadata = {
  name: "Graph deploy",
  description: "Deploys.",
  inputs: {
    name: { description: "Name", required: true },
    "api-key": { description: "Key", required: false, default: "" },
  },
  outputs: {},
};
const metadata = (folder: string) => Promise.resolve(folder === "." ? action : undefined);

const step = (uses: string, lines: readonly string[] = ["name: x"]) => `on: push
jobs:
  deploy:
    runs-on: ubuntu-latest
    steps:
      - uses: ${uses}
        with:
${lines.map((line) => `          ${line}\n`).join("")}`;

describe("a workflow", () => {
  test("without a fault has none", async () => {
    expect(
      await workflowFaults(step("OWNER/graph-deploy@v1", ["name: x", "api-key: ${{ secrets.KEY }}"]), metadata),
    ).toEqual([]);
  });

  test.each(["OWNER/graph-deploy@v1", "./", "./  ", '"./"'])(
    "that uses %s with an unknown input is reported",
    async (uses) => {
      const faults = await workflowFaults(step(uses, ["name: x", "api-kye: y"]), metadata);
      expect(faults).toEqual([expect.stringMatching(/^line 9: .*api-kye/)]);
    },
  );

  test("without a required input is reported", async () => {
    const faults = await workflowFaults(step("./", ["api-key: y"]), metadata);
    expect(faults).toEqual([expect.stringMatching(/name/)]);
  });

  test("with an unknown permission, an unknown key or an unknown context is reported", async () => {
    const text = `on: push
permissions:
  contentz: read
jobs:
  a:
    runs-on: ubuntu-latest
    stepz: []
    steps:
      - run: echo "$X"
        env:
          X: \${{ nothing.here }}
`;
    const faults = await workflowFaults(text, metadata);
    expect(faults.join("\n")).toMatch(/contentz/);
    expect(faults.join("\n")).toMatch(/stepz/);
    expect(faults.join("\n")).toMatch(/nothing/);
  });

  test("of another user's action is not looked into", async () => {
    expect(await workflowFaults(step("actions/checkout@v7"), metadata)).toEqual([]);
  });
});

describe("an action.yml", () => {
  const file = (using: string, extra = "") => `name: n
description: d
inputs:
  a:
    description: a
${extra}runs:
  using: ${using}
  main: index.js
`;

  test("for node24 is valid", () => {
    expect(actionFaults("action.yml", file("node24"))).toEqual([]);
  });

  test.each([
    ["an unknown runtime", file("node99")],
    ["an unknown key of an input", file("node24", "    requried: true\n")],
    ["no main", "name: n\ndescription: d\nruns:\n  using: node24\n"],
  ])("with %s is reported", (_what, text) => {
    expect(actionFaults("action.yml", text)).not.toEqual([]);
  });
});

describe("the README's blocks", () => {
  const fence = "```";
  const markdown = (block: string, language = "yaml") => `# Title\n\n${fence}${language}\n${block}${fence}\n\nMore.\n`;

  test.each([
    ["a step", "- uses: OWNER/graph-deploy@v1\n  with:\n    nmae: x\n", 6],
    ["a step without its dash", "uses: OWNER/graph-deploy@v1\nwith:\n  nmae: x\n", 6],
    ["the steps of a job", "steps:\n  - uses: OWNER/graph-deploy@v1\n    with:\n      nmae: x\n", 7],
    [
      "a job",
      "deploy:\n  runs-on: ubuntu-latest\n  steps:\n    - uses: OWNER/graph-deploy@v1\n      with:\n        nmae: x\n",
      9,
    ],
    [
      "the jobs",
      "jobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: OWNER/graph-deploy@v1\n        with:\n          nmae: x\n",
      10,
    ],
  ])("that show %s are completed, and lines count from the file's top", async (_what, block, line) => {
    const [workflow, ...others] = readmeWorkflows(markdown(block));
    expect(others).toEqual([]);
    const faults = await workflowFaults(workflow?.text ?? "", metadata, workflow?.line);
    expect(faults).toContainEqual(expect.stringMatching(new RegExp(`^line ${String(line)}: .*nmae`)));
    expect(faults.every((fault) => /nmae|name/.test(fault))).toBe(true);
  });

  test("that show a whole workflow are left as they are", () => {
    const whole = step("OWNER/graph-deploy@v1");
    expect(readmeWorkflows(markdown(whole))).toEqual([{ text: whole, line: 4 }]);
  });

  test("that do not use our action, or are not YAML, are not workflows", () => {
    expect(readmeWorkflows(markdown("- uses: actions/checkout@v7\n"))).toEqual([]);
    expect(readmeWorkflows(markdown("- uses: OWNER/graph-deploy@v1\n", "text"))).toEqual([]);
  });

  test("that are indented in a list lose the indent", () => {
    const [workflow] = readmeWorkflows(
      "1. Do\n\n   ```yml\n   - uses: OWNER/graph-deploy@v1\n     with:\n       name: x\n   ```\n",
    );
    expect(workflow?.text).toContain("\n      - uses: OWNER/graph-deploy@v1\n        with:\n          name: x\n");
  });
});
