import { EVALUATE_TITLES } from "../../front/steps/evaluate/report/words.ts";
import { JUDGE_TITLES } from "../../front/steps/judge/report/failure.ts";
import { EXPERIMENT_TITLES } from "../../front/steps/upload-experiment/report/failure.ts";
import { TRACES_TITLES } from "../../front/steps/upload-traces/report/words.ts";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  DEPLOY_ADVICE,
  EVALUATE_ADVICE,
  EXPERIMENT_ADVICE,
  JUDGE_ADVICE,
  REMOVE_ADVICE,
  TRACES_ADVICE,
} from "../../front/account/advice.ts";
import { PROGRAM_ADVICE } from "../../pulumi-provider/core/advice.ts";
import { projectRoot } from "../../scripts/command.ts";
import { adviceAt, type AdviceTable } from "../../src/contract/advice.ts";
import { REASONS } from "../../src/contract/error-reasons.ts";
import { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import { PULUMI } from "./pulumi-samples.ts";
import * as samples from "./samples.ts";

const LIBRARY = ["library", {}] as const;
const DOORS = {
  deploy: ["step that deploys", DEPLOY_ADVICE],
  pulumi: ["Pulumi", PROGRAM_ADVICE],
  results: ["step that uploads results", EXPERIMENT_ADVICE],
  traces: ["step that uploads traces", TRACES_ADVICE],
  evaluate: ["step that evaluates", EVALUATE_ADVICE],
  judge: ["step that judges", JUDGE_ADVICE],
  remove: ["step that removes", REMOVE_ADVICE],
} as const;
type Door = readonly [name: string, table: AdviceTable];

const GROUPS: readonly (readonly [heading: string, samples: typeof samples.CALLS, doors: readonly Door[]])[] = [
  ["Calls of a service", samples.CALLS, [LIBRARY, DOORS.deploy, DOORS.pulumi, DOORS.results, DOORS.traces]],
  ["Deployments", samples.DEPLOYS, [LIBRARY, DOORS.deploy, DOORS.pulumi]],
  ["Experiments", samples.UPLOADS, [LIBRARY, DOORS.results]],
  ["Traces", samples.TRACES, [LIBRARY, DOORS.traces]],
  ["Judgements", samples.JUDGEMENTS, [LIBRARY, DOORS.judge]],
  ["Evaluations of a deployed agent", samples.EVALUATIONS, [LIBRARY, DOORS.evaluate]],
  ["Previews", samples.PREVIEWS, [DOORS.remove]],
  ["Steps", samples.STEPS, [DOORS.deploy]],
  ["Pulumi", PULUMI, [DOORS.pulumi]],
];

/** What the doors say next to an error; doors that say the same share a line. */
function advices(error: GraphDeployError, doors: readonly Door[]): readonly string[] {
  const said = Map.groupBy(doors, ([, table]) => adviceAt(table, error));
  const all = [...said].map(([text, which]) => ({ text, names: which.map(([name]) => name).join(", ") }));
  return all.map(
    ({ text, names }) => `- ${all.length === 1 ? "everywhere" : names}: ${text === "" ? "nothing" : text}`,
  );
}

async function sectionsOf([heading, group, doors]: (typeof GROUPS)[number]) {
  const sections = await Promise.all(
    group.map(async ([title, make]) => {
      const error = await samples.madeBy(make);
      expect(error, title).toBeInstanceOf(GraphDeployError);
      const { code, message, reasons } = error;
      const causes = reasons.length === 0 ? "" : ` (${reasons.join(", ")})`;
      const text = [`### ${code}${causes}: ${title}`, "", `> ${message}`, "", ...advices(error, doors)].join("\n");
      const isAdvised = doors.some(([, table]) => adviceAt(table, error) !== "");
      return { code, reasons, isAdvised, text };
    }),
  );
  return { text: [`## ${heading}`, ...sections.map(({ text }) => text)].join("\n\n"), sections };
}

/** The codes of the errors below these folders, as the source has them. */
function codesIn(...folders: readonly string[]): readonly string[] {
  const files = folders.flatMap((folder) =>
    globSync(`${folder}/**/*.ts`, { cwd: projectRoot, exclude: ["action/dist/**"] }),
  );
  const codes = files.flatMap((file) => {
    const text = readFileSync(join(projectRoot, file), "utf8");
    const classes = text.split(/^(?:export )?(?:abstract )?class /m).slice(1);
    return classes.flatMap((code) => {
      const declared = /^ {2}(?:override )?readonly code\b([^;]*);/m.exec(code)?.[1] ?? "";
      return [...declared.matchAll(/"([A-Z_]+)"/g)].map(([, name = ""]) => name);
    });
  });
  return [...new Set([...codes, "UNAUTHORIZED"])].toSorted();
}

const ALL_CODES = codesIn("src", "front", "action", "pulumi-provider");

// Codes that no sample is made of: the local service tests its own, and the Node that is too old is not this one.
const NOT_SHOWN = ["LOCAL_AGENT_COMMAND", "LOCAL_DATA_DIRECTORY", "LOCAL_PORT_TAKEN", "NODE_VERSION"];
// What only another error is made of.
const INNER = ["UNEXPECTED_ANSWER"];

// Codes whose sentences say all that there is to do.
const WITHOUT_ADVICE: Readonly<Record<string, string>> = {
  DATA_FILE: "it names the file, the line and the fault; where a tool is known to write such a file, there is advice",
  FIELD_NAMES: "it shows what a pair looks like",
  RUN_ID: "it says what an id must be, to the author of the program",
  TRACING_CLOSED: "it names the mistake, to the author of the program",
};

test("every sentence of an error and what each door adds to it stand in one file, with every code and reason", async () => {
  const groups = await Promise.all(GROUPS.map(sectionsOf));
  const text = `# Errors\n\n${groups.map((group) => group.text).join("\n\n")}\n`;
  await expect(text).toMatchFileSnapshot("errors.md");
  const shown = groups.flatMap(({ sections }) => sections);
  const codes = new Set([...shown.map(({ code }) => code), ...NOT_SHOWN, ...INNER]);
  expect([...codes].toSorted()).toEqual(ALL_CODES);
  const advised = new Set(shown.filter(({ isAdvised }) => isAdvised).map(({ code }) => code));
  const unadvised = new Set(shown.map(({ code }) => code).filter((code) => !advised.has(code)));
  expect([...unadvised].toSorted()).toEqual(Object.keys(WITHOUT_ADVICE));
  const reasons = new Set(shown.flatMap((error) => error.reasons));
  expect(REASONS.filter((reason) => !reasons.has(reason))).toEqual([]);
});

test("what a door adds, and each title, is for a code or a reason that there is", () => {
  const warnings = ["FOUND_BY_ID_ONLY", "LFS_POINTERS", "TRACKED_LEFT_OUT"];
  const known = new Set<string>([...ALL_CODES, ...REASONS, ...warnings]);
  const titles = [EVALUATE_TITLES, JUDGE_TITLES, EXPERIMENT_TITLES, TRACES_TITLES];
  for (const table of [...Object.values(DOORS).map(([, advice]) => advice), ...titles]) {
    expect(Object.keys(table).filter((key) => !known.has(key))).toEqual([]);
  }
});

test("the page about errors has a heading for each code", () => {
  const page = readFileSync(join(projectRoot, "docs/troubleshooting.md"), "utf8");
  const headings = [...page.matchAll(/^### `([A-Z_]+)`$/gm)].map(([, code]) => code);
  expect(headings.toSorted()).toEqual(ALL_CODES);
});
