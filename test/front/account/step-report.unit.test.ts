import { hostOf } from "../hosted.ts";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { outputNames } from "./step-output.ts";
import type { UploadSettings } from "../../../front/account/upload-report.ts";
import { commentStep } from "../../../action/comment/step.ts";
import { deployStep } from "../../../front/steps/deploy/step.ts";
import { judgeStep } from "../../../front/steps/judge/step.ts";
import { removeStep } from "../../../action/remove/step.ts";
import { StepReport, type Reporting, type ReportSettings } from "../../../front/account/step-report.ts";
import type { RunFacts } from "../../../front/account/part.ts";
import { uploadExperimentStep } from "../../../front/steps/upload-experiment/step.ts";
import { uploadTracesStep } from "../../../front/steps/upload-traces/step.ts";
import type { ExperimentOptions } from "../../../front/steps/upload-experiment/inputs.ts";
import { InputsError } from "../../../front/options/inputs-error.ts";
import type { ExperimentEvent } from "../../../src/experiments/events.ts";
import { Redactor } from "../../../src/http/redactor.ts";
import { parseFileCommand } from "../../runner/file-command.ts";
import {
  DRY,
  ended,
  FAULTY,
  GOOD,
  HALF_SPLIT,
  NAME,
  planned,
  read,
  RUN,
  SPLIT,
  UNCERTAIN,
  WHOLE,
} from "../steps/upload-experiment/report/upload-events.ts";

// A report reads no more of the inputs.
const SETTINGS = {
  task: "upload",
  connection: undefined,
  runUrl: RUN,
} satisfies UploadSettings as Partial<ExperimentOptions> as ExperimentOptions;
const REPORTED: ReportSettings = { jobSummary: true, warnings: [], notices: [] };

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "graph-deploy-report-"));
  for (const name of ["outputs", "summary"]) writeFileSync(join(folder, name), "");
  vi.stubEnv("GITHUB_OUTPUT", join(folder, "outputs"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const runnerIn = (temp: string, print: (line: string) => unknown) =>
  hostOf({ RUNNER_TEMP: temp, GITHUB_STEP_SUMMARY: join(temp, "summary") }, print);

function start({ print, secret = "k3y-of-somebody" }: { print?: (line: string) => void; secret?: string } = {}) {
  const redactor = new Redactor();
  redactor.add(secret);
  const lines: string[] = [];
  const host = runnerIn(folder, print ?? ((line) => lines.push(line)));
  const report = new StepReport(host, redactor, uploadExperimentStep.reporting);
  const outputs = () => Object.fromEntries(parseFileCommand(readFileSync(join(folder, "outputs"), "utf8")));
  const summary = () => readFileSync(join(folder, "summary"), "utf8");
  return { report, lines, outputs, summary };
}

function run(events: readonly ExperimentEvent[], settings: Partial<UploadSettings & ReportSettings> = {}) {
  const started = start();
  started.report.configure({ ...SETTINGS, ...settings }, { ...REPORTED, ...settings });
  for (const event of events) started.report.emit(event);
  started.report.write();
  return started;
}

const errorsIn = (lines: readonly string[]) => lines.filter((line) => line.startsWith("::error"));

/** The errors in the log of a step that a signal ended. */
function errorsAfterSignal<Inputs, Event extends { readonly type: string }, Facts extends RunFacts>(
  reporting: Reporting<Inputs, Event, Facts>,
) {
  const lines: string[] = [];
  const host = runnerIn(folder, (line) => lines.push(line));
  new StepReport(host, new Redactor(), reporting).failed(AbortSignal.abort().reason);
  return errorsIn(lines);
}

describe("the report of an upload", () => {
  it.each([
    ["a good one", GOOD, 0, "uploaded"],
    ["a split one", SPLIT, 0, "uploaded"],
    ["a lost answer", UNCERTAIN, 1, "uncertain"],
    ["a dry run", DRY, 0, "dry-run"],
    ["one without files, where that is allowed", [ended("no-files")], 0, "no-files"],
    ["results that cannot be used", FAULTY, 1, "failed"],
    ["a part that failed", HALF_SPLIT, 1, "failed"],
    ["one that never came to its end", GOOD.slice(0, -1), 1, "failed"],
  ] as const)("of %s has its exit code, every output and a summary", (_, events, exitCode, status) => {
    const { report, outputs, summary } = run(events);
    expect(report.exitCode).toBe(exitCode);
    expect(Object.keys(outputs())).toEqual(outputNames(uploadExperimentStep.reporting));
    expect(outputs()["upload-status"]).toBe(status);
    expect(summary()).toMatch(/^### /);
    expect(summary()).toContain(RUN);
  });

  it("writes its outputs and its summary once", () => {
    const { report, outputs, summary } = run(GOOD);
    const before = [outputs(), summary()];
    report.cutShort();
    report.write();
    expect([outputs(), summary()]).toEqual(before);
    expect(report.exitCode).toBe(0);
  });

  it("writes no summary when it is told not to", () => {
    expect(run(GOOD, { jobSummary: false }).summary()).toBe("");
  });

  it("says what the inputs warn of, in the log and in the summary", () => {
    const { lines, summary } = run(GOOD, { warnings: ["The key is short."] });
    expect(lines[1]).toBe("::warning::The key is short.");
    expect(summary()).toContain("- ⚠️ The key is short.");
  });

  it("says in a dry run and in a rehearsal what it is", () => {
    const dry = run(DRY, { task: "dry-run" });
    expect(dry.lines).toContain(`Would upload  ${NAME} in dataset support-regression`);
    expect(dry.summary()).toMatch(/^### Dry run: .* would be uploaded\n/);
    expect(dry.lines[0]).toBe("Task          upload of results; dry run, sends nothing");
    const { lines } = run(GOOD, { connection: { service: "local", allowHttp: false, proxy: {} } });
    expect(lines[0]).toBe("Task          upload of results");
    expect(lines[1]).toMatch(/^Rehearsal {5}/);
  });

  it("warns of scores that were left out, in the log and in the summary", { tags: "slow" }, () => {
    const scores = new Map(Array.from({ length: 9_000 }, (_, index) => [`key-${String(index)}`, { n: 1, mean: 1 }]));
    const { lines, summary } = run([read({ scores }), planned(WHOLE), ended("uploaded")]);
    const warning = /The output `scores` contains 3,\d{3} of 9,000 scores/;
    expect(lines.at(-1)).toMatch(/^::warning::/);
    expect(lines.at(-1)).toMatch(warning);
    expect(summary()).toMatch(warning);
  });

  it("hands no secret to a later step", () => {
    const { report, outputs, lines, summary } = start({ secret: NAME });
    report.configure(SETTINGS, REPORTED);
    for (const event of GOOD) report.emit(event);
    report.write();
    expect(outputs()["experiment-name"]).toBe("***");
    expect(lines.join("\n")).not.toContain(NAME);
    expect(summary()).not.toContain(NAME);
  });
});

describe("a run that threw", () => {
  it("has one error, also when the upload told of it already", () => {
    const { report, lines } = run(FAULTY);
    report.failed(new Error("again"));
    expect(errorsIn(lines)).toHaveLength(1);
  });

  it("before anything was configured lists what is wrong with the inputs", () => {
    const { report, lines, outputs } = start();
    report.failed(
      new InputsError([
        { input: "results", message: "a.json matches no file" },
        { input: "timeout", message: '"soon" is not a valid duration' },
      ]),
    );
    report.write();
    expect(lines).toEqual([
      '::error title=Inputs::2 inputs are invalid: results a.json matches no file; timeout "soon" is not a valid duration.',
      "  results  a.json matches no file",
      '  timeout  "soon" is not a valid duration',
      "Next          Correct the inputs and run again; nothing was sent.",
    ]);
    expect(outputs()["upload-status"]).toBe("failed");
    expect(report.exitCode).toBe(1);
  });

  it("because of a signal was cancelled, whatever the step", () => {
    expect([
      ...errorsAfterSignal(commentStep.reporting),
      ...errorsAfterSignal(deployStep.reporting),
      ...errorsAfterSignal(judgeStep.reporting),
      ...errorsAfterSignal(removeStep.reporting),
      ...errorsAfterSignal(uploadExperimentStep.reporting),
      ...errorsAfterSignal(uploadTracesStep.reporting),
    ]).toEqual([
      "::error title=Comment::The run was cancelled; the comment may have been written.",
      "::error title=Cancelled::The run was cancelled.",
      "::error title=Cancelled::The judgement was cancelled.",
      "::error title=Not removed::The run was cancelled; a delete that the service has accepted continues there.",
      "::error title=Cancelled::The run was cancelled.",
      "::error title=Cancelled::The upload was cancelled.",
    ]);
  });

  it("throws anything", () => {
    const { report, lines } = start();
    report.failed("text");
    expect(errorsIn(lines)).toEqual(["::error title=Unexpected error::An unexpected error ended the run: text."]);
  });
});

it("a run that is cut short names the experiment that was being sent, and writes what it knows", () => {
  const { report, lines, outputs } = start();
  report.configure(SETTINGS, REPORTED);
  for (const event of GOOD.slice(0, 4)) report.emit(event);
  report.cutShort();
  expect(lines.slice(-2)).toEqual([
    `::error title=Cancelled::The run was cancelled while the experiment "${NAME}" was being sent.`,
    "Next          It may be stored anyway: look for it by name before you run again.",
  ]);
  expect(outputs()).toMatchObject({ "upload-status": "failed", "row-count": "240", "experiment-name": "" });
  expect(report.exitCode).toBe(1);
});

describe("a reporter that fails", () => {
  it("fails no upload: the outputs and the summary are there", () => {
    const { report, outputs, summary } = start({
      print: () => {
        throw new Error("the pipe is closed");
      },
    });
    report.configure(SETTINGS, REPORTED);
    for (const event of GOOD) report.emit(event);
    report.write();
    expect(report.exitCode).toBe(0);
    expect(outputs()["upload-status"]).toBe("uploaded");
    expect(summary()).toContain("The log is incomplete: the pipe is closed. The upload continues.");
  });

  it("is reported when it is the summary, and the step stays green", () => {
    const { report, lines } = start();
    report.configure(SETTINGS, REPORTED);
    for (const event of GOOD) report.emit(event);
    rmSync(join(folder, "summary"));
    mkdirSync(join(folder, "summary"));
    report.write();
    expect(lines.at(-1)).toMatch(/^::warning::The job summary could not be written: /);
    expect(report.exitCode).toBe(0);
  });

  it("fails the step when it is the outputs, since later steps would work with nothing", () => {
    const { report, lines } = start();
    report.configure(SETTINGS, REPORTED);
    for (const event of GOOD) report.emit(event);
    rmSync(join(folder, "outputs"));
    report.write();
    expect(errorsIn(lines)).toEqual([
      expect.stringMatching(
        /^::error title=Outputs::The step fails because its outputs could not be written: GITHUB_OUTPUT/,
      ),
    ]);
    expect(report.exitCode).toBe(1);
  });
});
