import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import * as z from "zod";
import { projectRoot } from "./command.ts";
import { slowestLines, type TimedFile } from "./slowest-files.ts";

// Prints what .ci/run counted: a line a tier, the slowest files, what failed, and as the last line `N passed, N failed,
// N skipped`, from the reports that vitest left in a directory. Fails when a test did. The other arguments are the tiers
// with their exit codes, `test:fault=0`.
const [folder = "", ...ends] = process.argv.slice(2);

const Report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      startTime: z.number(),
      endTime: z.number(),
      message: z.string(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()).nullish() }),
      ),
    }),
  ),
});
type Report = z.infer<typeof Report>;
type FileResult = Report["testResults"][number];
type TestResult = FileResult["assertionResults"][number];

// The log of each tier has all of them, and all of each message.
const SHOWN_FAILURES = 20;
const SHOWN_LINES = 10;
const SHOWN_LINE_LENGTH = 300;

const files: TimedFile[] = [];
const failures: string[] = [];

interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

interface Tier {
  readonly name: string;
  readonly exitCode: number;
  readonly report: Report | undefined;
}

const tiers = ends.map((end): Tier => {
  const [name = "", exitCode = ""] = end.split("=");
  const file = join(folder, `${name}.json`);
  const report = existsSync(file) ? Report.parse(JSON.parse(readFileSync(file, "utf8"))) : undefined;
  return { name, exitCode: Number(exitCode), report };
});

const isSkipped = ({ status }: { readonly status: string }) => status === "skipped";
const isFailed = ({ status }: { readonly status: string }) => status === "failed";
const nameOf = ({ name }: FileResult) => relative(projectRoot, name).replaceAll("\\", "/");

const namesOf = ({ testResults }: Report, isMeant: (test: TestResult) => boolean) =>
  testResults.flatMap((result) =>
    result.assertionResults.filter(isMeant).map((test) => `${nameOf(result)} > ${test.fullName}`),
  );

// Two tiers can share their files: a test that one leaves to the other is not skipped.
const run = new Set(tiers.flatMap(({ report }) => (report ? namesOf(report, (test) => !isSkipped(test)) : [])));
const isOpen = (name: string) => !run.has(name);

/** What failed and the beginning of its message, behind bars: a line that begins with `::` is a command for GitHub. */
function failureText(title: string, message = ""): string {
  const lines = stripVTControlCharacters(message)
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.includes("/node_modules/"))
    .slice(0, SHOWN_LINES);
  const short = (line: string) => line.trimEnd().slice(0, SHOWN_LINE_LENGTH);
  return [short(title.replaceAll(/\s+/g, " ")), ...lines.map((line) => `  | ${short(line)}`), ""].join("\n");
}

/** What a tier counted. One that did not end well has a failure, also when no test of it knows. */
function countOf({ name, exitCode, report }: Tier): Count {
  if (report === undefined) {
    failures.push(failureText(`${name} ended with ${String(exitCode)} and left no report`));
    return { passed: 0, failed: 1, skipped: 0 };
  }
  for (const result of report.testResults) {
    files.push({ file: nameOf(result), milliseconds: result.endTime - result.startTime });
    for (const test of result.assertionResults.filter(isFailed)) {
      failures.push(failureText(`${name} ${nameOf(result)} > ${test.fullName}`, test.failureMessages?.join("\n")));
    }
  }
  // A file that fails outside of its tests, by a bad import for one, has no failed test.
  const broken = report.testResults.filter(
    (result) => isFailed(result) && !result.assertionResults.some((test) => isFailed(test)),
  );
  failures.push(
    ...broken.map((result) => failureText(`${name} ${nameOf(result)}, outside of its tests`, result.message)),
  );
  const failed = report.numFailedTests + broken.length;
  const counted = { passed: report.numPassedTests, skipped: namesOf(report, isSkipped).filter(isOpen).length };
  if (failed > 0 || exitCode === 0) return { ...counted, failed };
  failures.push(failureText(`${name} ended with ${String(exitCode)}, although no test failed`));
  return { ...counted, failed: 1 };
}

let total: Count = { passed: 0, failed: 0, skipped: 0 };
for (const tier of tiers) {
  const count = countOf(tier);
  console.log(
    `${tier.name.padEnd(14)} ${String(count.passed)} passed, ${String(count.failed)} failed, ${String(count.skipped)} skipped.`,
  );
  total = {
    passed: total.passed + count.passed,
    failed: total.failed + count.failed,
    skipped: total.skipped + count.skipped,
  };
}
console.log(["Slowest files", ...slowestLines(files)].join("\n"));
if (failures.length > 0) {
  const more = failures.length - SHOWN_FAILURES;
  console.log(["", "Failed", ...failures.slice(0, SHOWN_FAILURES)].join("\n"));
  if (more > 0) console.log(`${String(more)} more failed: the log of each tier names them.\n`);
}
console.log(`${String(total.passed)} passed, ${String(total.failed)} failed, ${String(total.skipped)} skipped`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
