import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import * as z from "zod";
import { outputNames } from "../front/account/step-output.ts";
import { judgeStep } from "../../front/steps/judge/step.ts";
import { commentStep } from "../../action/comment/step.ts";
import { removeStep } from "../../action/remove/step.ts";
import { deployStep } from "../../action/deploy/step.ts";
import { uploadExperimentStep } from "../../front/steps/upload-experiment/step.ts";
import { uploadTracesStep } from "../../front/steps/upload-traces/step.ts";
import { DEFAULTS } from "../../pulumi-provider/core/inputs/inputs.ts";
import { INPUT_NAMES, INPUT_ROLES, OPTION_NAMES } from "../../pulumi-provider/core/inputs/fields.ts";
import { OUTPUTS } from "../../pulumi-provider/core/state/state.ts";
import { FUNCTIONS } from "../../pulumi-provider/plugin/functions.ts";
import { SettingShapes } from "../../pulumi-provider/plugin/settings.ts";
import { projectRoot } from "../../scripts/command.ts";
import { actionFile } from "../../scripts/action-inputs.ts";
import { DECLARED_INPUTS } from "../../scripts/declared-inputs.ts";
import { documentedInputs } from "../../scripts/document-inputs.ts";
import { readmeWorkflows } from "../../scripts/readme-workflows.ts";
import { DEFAULT_GRAPH_CONFIG, parseGraphConfig } from "../../src/contract/graph-config.ts";
import { RESERVED_SECRET_NAMES } from "../../src/contract/secret.ts";
import { OUTCOMES } from "../../src/deployment/outcomes.ts";
import { COMPOSED_NAMES, PART_RULES, type ChosenPart } from "../../src/experiments/formats/table/part-rules.ts";
import { ColumnRoles, rolesOfNames } from "../../src/experiments/formats/table/column-roles.ts";
import { ColumnValues, kindOfJson } from "../../src/experiments/formats/table/column-sample.ts";
import { COUNTERS, STATISTICS } from "../../src/judgement/gates/rule.ts";
import { GATE_STATUSES, VERDICTS } from "../../src/judgement/judgement.ts";
import { TRACE_STATUSES } from "../../src/trace-files/events.ts";
import { UPLOAD_STATUSES } from "../../src/experiments/events.ts";
import { FORMAT_NAMES } from "../../src/experiments/format-names.ts";
import { parseMapping } from "../../src/experiments/rows/mapping.ts";
import { NAME_POLICIES } from "../../src/experiments/request.ts";
import { TIME_POLICIES } from "../../src/experiments/sending/window.ts";
import { EXPERIMENTS } from "../../src/contract/operations/experiments.ts";
import { endpointOf } from "../../src/contract/operations/operation.ts";
import { LOCAL_USAGE } from "../../src/local/command.ts";
import { READ_BACK } from "../../src/local/experiments/routes.ts";
import { RUN_READ_BACK } from "../../src/local/runs/read-routes.ts";
import { readActionFile } from "../runner/action-file.ts";
import { exampleWorkflows } from "./example-workflows.ts";
import { allPages, MarkdownFile } from "./markdown-file.ts";

const read = (file: string) => readFile(join(projectRoot, file), "utf8");
const described = z.object({ description: z.string().min(1) });
const optional = z.strictObject({ description: z.string().min(1), default: z.string() });
// What has a default counts as given: nobody would miss it.
const required = z.strictObject({ description: z.string().min(1), required: z.literal(true) });
const Action = z.object({
  description: z.string().max(125, "the marketplace cuts a longer one"),
  inputs: z.record(z.string(), z.union([optional, required])),
  outputs: z.record(z.string(), described),
  runs: z.record(z.string(), z.string()),
});
/** The names of the outputs of every action, by its directory. */
const OUTPUTS_OF = {
  "": outputNames(deployStep.reporting),
  "action/comment": outputNames(commentStep.reporting),
  "action/judge": outputNames(judgeStep.reporting),
  "action/remove": outputNames(removeStep.reporting),
  "action/upload-experiment": outputNames(uploadExperimentStep.reporting),
  "action/upload-traces": outputNames(uploadTracesStep.reporting),
};
const actionIn = async (directory: string) => Action.parse(parse(await read(join(directory, "action.yml"))));
const action = await actionIn("");
const upload = await actionIn("action/upload-experiment");
const judge = await actionIn("action/judge");
const traces = await actionIn("action/upload-traces");
const readme = await MarkdownFile.read("README.md");
const recipes = await MarkdownFile.read("docs/recipes.md");
const local = await MarkdownFile.read("docs/local-service.md");
const formats = await MarkdownFile.read("docs/results.md");
const judgement = await MarkdownFile.read("docs/judge.md");
const traceFiles = await MarkdownFile.read("docs/traces.md");
const provider = await MarkdownFile.read("docs/pulumi.md");
const plugin = await MarkdownFile.read("docs/pulumi-plugin.md");

describe("the inputs of the action", () => {
  test("name every policy that the code knows", () => {
    for (const name of TIME_POLICIES) expect(upload.inputs["time-policy"]?.description).toContain(`\`${name}\``);
    for (const name of NAME_POLICIES) expect(upload.inputs["on-name-conflict"]?.description).toContain(`\`${name}\``);
  });

  test.each([...DECLARED_INPUTS])("stand in %s as `npm run docs` writes them", async (file, declared) => {
    expect(await read(file)).toBe(await actionFile(file, declared));
  });

  test("stand in docs/inputs.md as `npm run docs` writes them", async () => {
    expect(await read("docs/inputs.md")).toBe(await documentedInputs());
  });
});

describe("the outputs of the action", () => {
  test.each(Object.entries(OUTPUTS_OF))(
    "stand in action.yml of /%s as the step sets them",
    async (directory, names) => {
      expect(Object.keys((await actionIn(directory)).outputs)).toEqual(names);
    },
  );

  test("name every outcome", () => {
    expect(new Set(readme.table("How a step ends").map(([outcome]) => outcome))).toEqual(new Set(OUTCOMES));
    for (const outcome of OUTCOMES) expect(action.outputs["outcome"]?.description).toContain(`\`${outcome}\``);
  });

  test("name every status and every verdict of a judgement", () => {
    for (const status of GATE_STATUSES) expect(judge.outputs["gate-status"]?.description).toContain(`\`${status}\``);
    for (const verdict of VERDICTS) expect(judge.outputs["verdict"]?.description).toContain(`\`${verdict}\``);
    expect(judgement.table("How a judgement ends").map(([status]) => status)).toEqual([...GATE_STATUSES]);
    expect(judgement.table("What a verdict says").map(([verdict]) => verdict)).toEqual([...VERDICTS]);
  });

  test("name every counter and every statistic of a rule", () => {
    const examples = [...judgement.section("Rules").matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);
    const words = new Set(examples.flatMap((code) => code.split(/\W+/)));
    expect([...COUNTERS, ...STATISTICS].filter((name) => !words.has(name))).toEqual([]);
  });

  test("name every status of an upload", () => {
    const { description } = upload.outputs["upload-status"] ?? {};
    for (const status of UPLOAD_STATUSES) expect(description).toContain(`\`${status}\``);
    expect(formats.table("How an upload ends").map(([status]) => status)).toEqual([...UPLOAD_STATUSES]);
    for (const status of TRACE_STATUSES) {
      expect(traces.outputs["upload-status"]?.description).toContain(`\`${status}\``);
    }
    expect(traceFiles.table("How a trace upload ends").map(([status]) => status)).toEqual([...TRACE_STATUSES]);
  });
});

test.each(Object.keys(OUTPUTS_OF))(
  "/%s runs its bundle, and one that cleans up also after a cancelled job",
  async (directory) => {
    const { runs } = await actionIn(directory);
    expect(runs).toMatchObject({ using: "node24", "post-if": "always()" });
    const bundle = join(projectRoot, "action/dist", basename(directory) || "deploy");
    const { main, post } = await readActionFile(join(projectRoot, directory, "action.yml"));
    expect([main, post]).toEqual([join(bundle, "index.js"), join(bundle, "post/index.js")]);
  },
);

test("the changelog counts the formats that it lists", async () => {
  const [, count, list = ""] = /It reads (\d+) formats \(([^)]+)\)/.exec(await read("CHANGELOG.md")) ?? [];
  expect(Number(count)).toBe(list.split(", ").length);
});

describe("the README", () => {
  test("begins with a workflow of twelve lines, with permissions", () => {
    const [quickStart] = readmeWorkflows(readme.text);
    expect(quickStart?.text.trimEnd().split("\n")).toHaveLength(12);
    expect(parse(quickStart?.text ?? "")).toMatchObject({ permissions: { contents: "read" } });
  });

  test("has at most 150 lines", () => {
    expect(readme.text.trimEnd().split("\n").length).toBeLessThanOrEqual(150);
  });

  test("lists the reserved names", () => {
    const [, list = ""] =
      /^- Names that a platform sets itself are refused: (.*?)\./m.exec(recipes.section("Secrets")) ?? [];
    expect([...list.matchAll(/`(\w+)`/g)].map(([, name]) => name)).toEqual([...RESERVED_SECRET_NAMES]);
  });

  test("lists the flags of the local service", () => {
    const flags = [...LOCAL_USAGE.matchAll(/^ {2}(--[a-z-]+(?: [A-Z]+)?) /gm)].map(([, flag]) => flag);
    expect(flags.length).toBeGreaterThan(5);
    expect(local.table("The local service").map(([flag]) => flag)).toEqual(flags);
  });

  test("lists the ways to read runs back", () => {
    const listed = local.table("Runs").map(([path]) => path.replace(/^GET /, ""));
    expect(listed).toEqual(expect.arrayContaining(RUN_READ_BACK.map(([path]) => path)));
  });

  test("lists the ways to read experiments back", () => {
    const paths = local.table("Experiments").map(([path]) => path);
    expect(paths.slice(0, READ_BACK.length)).toEqual(READ_BACK.map(([path]) => `GET ${path}`));
    expect(local.section("Experiments")).toContain(`\`${endpointOf(EXPERIMENTS.upload)}\``);
  });

  test("names commands that package.json has", async () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(await read("package.json")));
    const texts = (await allPages()).map(({ text }) => text).join("\n");
    const named = [...texts.matchAll(/npm (?:run (?:--silent )?([a-z:]+)|(test))/g)].map(
      ([, run, plain]) => run ?? plain,
    );
    expect(named).toEqual(expect.arrayContaining(["demo", "test", "local", "check"]));
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
  });
});

describe("the page on result files", () => {
  test("has a row for each format, in the order of the code, with its scores and what there is to know", () => {
    const rows = formats.table("Formats");
    expect(rows.map(([name]) => name)).toEqual([...FORMAT_NAMES]);
    for (const [name, madeBy, scores] of rows) expect([madeBy, scores], name).not.toContain("");
  });

  test("shows a mapping that reads its example", async () => {
    const [workflow] = readmeWorkflows(formats.text).filter(({ text }) => text.includes("mapping: |"));
    const [, shown = ""] = /^ *mapping: \|\n(.*)/ms.exec(workflow?.text ?? "") ?? [];
    const reading = await parseMapping(shown.replace(/^ {12}/gm, ""));
    expect(reading).toMatchObject({ ok: true });
    expect(reading).toEqual(await parseMapping(await read("examples/results/mapped/mapping.yml")));
  });

  const columns = new Map(
    [...formats.section("Tables and records").matchAll(/^\| ([A-Z][a-z ]+?) +\| (`.*?) +\|/gm)].map(
      ([, part, cell = ""]) => [part ?? "", [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)],
    ),
  );

  test("names the columns of each part, in the order of the code", () => {
    const titles: Readonly<Record<ChosenPart, string>> = {
      inputs: "Inputs",
      expected: "Expected",
      outputs: "Outputs",
      id: "Case id",
      repetition: "Repetition",
      error: "Error",
      start: "Start",
      end: "End",
      latency: "Latency",
      cost: "Cost",
    };
    const parts = Map.groupBy(PART_RULES, ({ part }) => part);
    expect(parts.size).toBe(Object.keys(titles).length);
    for (const [part, rules] of parts) {
      const names = rules.flatMap((rule) => rule.names).filter((name) => !COMPOSED_NAMES.has(name));
      const told = columns.get(titles[part]) ?? [];
      expect(told.filter((name) => names.includes(name))).toEqual(names);
    }
  });

  test("names the words of composed names", () => {
    const section = formats.section("Composed names");
    const words = new Set([...COMPOSED_NAMES].flatMap((name) => name.replace(/s$/, "").split(/_(?=[a-z]+$)/)));
    expect([...words].filter((word) => !section.includes(`\`${word}\``))).toEqual([]);
  });

  test("names columns that are read so", () => {
    for (const [part, ofPart] of [
      ["Token usage", "usage"],
      ["Scores", "score"],
    ] as const) {
      const names = columns.get(part) ?? [];
      expect(names.length).toBeGreaterThan(1);
      for (const name of names.filter((each) => each.length > "tokens".length)) {
        const values = new ColumnValues(kindOfJson);
        values.add(1);
        const [column] = new ColumnRoles([values.sample(name)]).decided;
        expect(column?.role, name).toMatchObject({ part: ofPart, ...(name.includes("KEY") ? { key: "KEY" } : {}) });
      }
    }
    expect(columns.get("Inputs")).toContain("inputs.KEY");
    expect(rolesOfNames(["inputs.KEY"])("inputs.KEY")).toEqual({ part: "inputs", key: "KEY" });
  });
});

describe("the page on Pulumi", () => {
  const rows = provider.table("Inputs");
  // The compiler of a program knows these as options of the resource.
  const inputs = INPUT_NAMES.filter((name) => !OPTION_NAMES.has(name));

  test("has a row for each input, in the order of the code", () => {
    expect(rows.map(([name]) => name)).toEqual(inputs);
  });

  test("says what each input is when a program does not set it", () => {
    const defaults: Readonly<Record<string, unknown>> = { ...DEFAULTS, graphConfigPath: DEFAULT_GRAPH_CONFIG };
    const elsewhere = ["name of resource", "configuration", "see right"];
    const told = rows.filter(([, value]) => value !== "" && !elsewhere.includes(value));
    expect(Object.fromEntries(told.map(([name, value]) => [name, value]))).toEqual(
      Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, String(value)])),
    );
  });

  test("says what a change of each input does", () => {
    const words = { identity: "another deployment", revision: "new revision", local: "noted" };
    const roles = Object.entries(INPUT_ROLES).filter(([name]) => inputs.includes(name));
    expect(Object.fromEntries(rows.map(([name, , change]) => [name, change]))).toEqual({
      ...Object.fromEntries(roles.map(([name, role]) => [name, words[role]])),
      // Where it lies does not matter, but what it holds is the source.
      directory: "of its files: new revision",
      // Another address may lead to the same deployment.
      controlPlaneUrl: "another deployment, or noted",
    });
  });

  test("has a row for each output", () => {
    const names = ["id", "name", "source", ...OUTPUTS.map(({ name }) => name)];
    const documented = provider.table("Outputs").map(([name]) => name);
    expect(documented.toSorted()).toEqual(names.toSorted());
  });
});

describe("the page on the Pulumi plugin", () => {
  test("has a row for each setting, in the order of the code", () => {
    expect(plugin.table("Providers").map(([name]) => name)).toEqual(Object.keys(SettingShapes.shape));
  });

  test("names each function", () => {
    for (const token of Object.keys(FUNCTIONS)) expect(plugin.text).toContain(`\`${token.split(":").at(-1)}\``);
  });
});

describe("the examples", () => {
  const Workflow = z.object({
    permissions: z.record(z.string(), z.string()),
    jobs: z.record(z.string(), z.object({ steps: z.array(z.looseObject({ uses: z.string().optional() })) })),
  });
  const step = z.looseObject({ with: z.record(z.string(), z.unknown()) });
  const INPUTS_OF = new Map(
    [...DECLARED_INPUTS].map(([file, { defaults }]) => [`${join("OWNER/graph-deploy", dirname(file))}@v1`, defaults]),
  );

  test("are workflows with few permissions, one deploy at a time, and inputs that the action has", async () => {
    const examples = await exampleWorkflows();
    expect(examples.length).toBeGreaterThan(12);
    // Whatever is not checked out needs no right to read.
    const onGitHub = { deployments: "write", "pull-requests": "write" };
    const others = new Map<string, object>([
      ["comment-from-fork.yml", { actions: "read", "pull-requests": "write" }],
      ["evaluate-preview.yml", { contents: "read", "pull-requests": "read" }],
      ["pull-request.yml", { contents: "read", ...onGitHub }],
      ["remove.yml", onGitHub],
      ["rollback.yml", {}],
    ]);
    for (const { name: file, text } of examples) {
      const { permissions, jobs } = Workflow.parse(parse(text));
      expect(permissions, file).toEqual(others.get(file) ?? { contents: "read" });
      expect(text, file).toMatch(/^ *concurrency:$/m);
      const steps = Object.values(jobs).flatMap((job) => job.steps);
      // A tag can be moved to another commit. Of ours, the reader chooses one.
      const foreign = steps.filter(({ uses = "" }) => uses !== "" && !INPUTS_OF.has(uses));
      for (const { uses } of foreign) expect(uses, file).toMatch(/^[\w-]+\/[\w/-]+@[\da-f]{40}$/);
      const ours = steps.filter(({ uses = "" }) => INPUTS_OF.has(uses));
      expect(ours, file).not.toEqual([]);
      for (const use of ours) {
        const known = Object.keys(INPUTS_OF.get(use.uses ?? "") ?? {});
        for (const input of Object.keys(step.parse(use).with)) expect(known, file).toContain(input);
      }
    }
  });

  test("have an agent whose configuration file names graphs that are there", async () => {
    const parsed = parseGraphConfig(await read("examples/agent/graph.json"));
    if (!parsed.ok) expect.fail(parsed.faults.join());
    expect(parsed.config.graphs.map(({ id }) => id)).toEqual(["support", "triage"]);
    for (const { file } of parsed.config.graphs) {
      expect(await read(join("examples/agent", file))).toMatch(/^graph = /m);
    }
  });
});
