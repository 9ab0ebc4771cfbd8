import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { actionFile } from "./action-inputs.ts";
import { projectRoot } from "./command.ts";
import { formatted } from "./formatted.ts";
import { GIVEN_FILES, givenOptions } from "./given-options.ts";
import { DECLARED_INPUTS } from "./declared-inputs.ts";

const PAGE = "docs/inputs.md";
const ActionFile = z.object({
  inputs: z.record(
    z.string(),
    z.object({ description: z.string(), required: z.boolean().default(false), default: z.string().default("") }),
  ),
  outputs: z.record(z.string(), z.object({ description: z.string() })),
});

/** Pages that say more about an input or an output, by the action.yml and the name. */
const DETAILS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "action.yml": {
    source: "[Images and repositories](recipes.md#images-and-repositories)",
    path: "[What is uploaded](deploy.md#what-is-uploaded)",
    "graph-config": "[What a graph.json contains](graph-json.md)",
    secrets: "[Secrets](recipes.md#secrets)",
    "reserved-names": "[Secrets](recipes.md#secrets)",
    "smoke-input": "[Run the agent once](recipes.md#run-the-agent-once)",
    "smoke-expect": "[Run the agent once](recipes.md#run-the-agent-once)",
    preview: "[Previews](github.md#previews)",
    "trace-session": "[Trace your deploys](recipes.md#trace-your-deploys)",
    "deploy-record": "[Deploy only what changed](recipes.md#deploy-only-what-changed)",
    "ca-certificate": "[Self-hosted service](recipes.md#self-hosted-service-proxy-and-own-ca)",
    "field-names": "[Services that spell names differently](recipes.md#services-that-spell-names-differently)",
    outcome: "[How a step ends](../README.md#how-a-step-ends)",
  },
  "action/evaluate/action.yml": {
    evaluation: "[The file of the evaluation](evaluate.md#the-file-of-the-evaluation)",
    dataset: "[The cases](evaluate.md#the-cases)",
    input: "[The cases](evaluate.md#the-cases)",
    scorers: "[Scorers](evaluate.md#scorers)",
    resume: "[What is kept](evaluate.md#what-is-kept)",
    status: "[How an evaluation ends](evaluate.md#how-an-evaluation-ends)",
  },
  "action/judge/action.yml": {
    results: "[Formats](results.md#formats), [which files](results.md#which-files)",
    mapping: "[Mapping](results.md#mapping)",
    baseline: "[Baselines](judge.md#baselines)",
    anchor: "[An anchor](judge.md#an-anchor)",
    gates: "[Rules](judge.md#rules)",
    report: "[What it writes](judge.md#what-it-writes)",
    snapshot: "[Baselines](judge.md#baselines)",
    "gate-status": "[How a judgement ends](judge.md#how-a-judgement-ends)",
    verdict: "[What a verdict says](judge.md#what-a-verdict-says)",
  },
  "action/remove/action.yml": {
    "only-owner": "[Removal](github.md#removal)",
  },
  "action/upload-experiment/action.yml": {
    results: "[Which files](results.md#which-files)",
    format: "[Formats](results.md#formats)",
    mapping: "[Mapping](results.md#mapping)",
    metadata: "[Metadata](results.md#metadata)",
    "summary-scores": "[Scores](results.md#scores)",
    "time-policy": "[Times](results.md#times)",
    "max-rows-per-experiment": "[Large results](results.md#large-results)",
    "upload-status": "[How an upload ends](results.md#how-an-upload-ends)",
  },
  "action/upload-traces/action.yml": {
    format: "[Formats](traces.md#formats)",
    "upload-status": "[How a trace upload ends](traces.md#how-a-trace-upload-ends)",
    "unsent-path": "[What the service rejects](traces.md#what-the-service-rejects)",
  },
};

/** Marks an input that may not be empty. The page explains it above the tables. */
const NEVER_EMPTY = ", [never empty](#empty-inputs)";

/** The page of inputs and outputs with each table made anew from its action.yml. */
export async function documentedInputs(): Promise<string> {
  const page = await readFile(join(projectRoot, PAGE), "utf8");
  const parts = page.split(/(?<=<!-- (?:inputs|outputs) of \S+ -->\n)[^]*?(?=<!-- end -->)/);
  const written = await Promise.all(
    parts.map(async (part) => {
      const [, what, file] = /<!-- (inputs|outputs) of (\S+) -->\n$/.exec(part) ?? [];
      return what === undefined || file === undefined ? part : `${part}\n${await table(file, what)}\n`;
    }),
  );
  return formatted("inputs.md", written.join(""));
}

async function table(file: string, what: string): Promise<string> {
  const action = ActionFile.parse(parse(await readFile(join(projectRoot, file), "utf8")));
  const more = DETAILS[file] ?? {};
  const cell = (name: string, description: string) =>
    `${description.replace(/\.?$/, ".")}${name in more ? ` See ${more[name] ?? ""}.` : ""}`.replaceAll("|", "\\|");
  if (what === "outputs") {
    const rows = Object.entries(action.outputs).map(
      ([name, { description }]) => `| \`${name}\` | ${cell(name, description)} |`,
    );
    return ["| Output | What it is |", "| --- | --- |", ...rows].join("\n");
  }
  const neverEmpty = DECLARED_INPUTS.get(file)?.neverEmpty ?? {};
  const rows = Object.entries(action.inputs).map(([name, input]) => {
    const fallback =
      input.default === "" ? "" : `\`${input.default}\`${Object.hasOwn(neverEmpty, name) ? NEVER_EMPTY : ""}`;
    const value = input.required ? "required" : fallback;
    return `| \`${name}\` | ${value} | ${cell(name, input.description)} |`;
  });
  return ["| Input | Default | What it is |", "| --- | --- | --- |", ...rows].join("\n");
}

if (import.meta.main) {
  for (const [file, declared] of DECLARED_INPUTS) {
    await writeFile(join(projectRoot, file), await actionFile(file, declared));
  }
  for (const file of GIVEN_FILES) await writeFile(join(projectRoot, file), await givenOptions(file));
  await writeFile(join(projectRoot, PAGE), await documentedInputs());
}
