import { existsSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import * as z from "zod";
import { projectRoot } from "./command.ts";
import { slowestLines, type TimedFile } from "./slowest-files.ts";

// Prints what .ci/run counted: a line a tier, the slowest files, and as the last line `N passed, N failed, N skipped`,
// from the reports that vitest left in a directory. Fails when a test did. The other arguments are the tiers with their
// exit codes, `test:fault=0`.
const [folder = "", ...tiers] = process.argv.slice(2);

const Report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      startTime: z.number(),
      endTime: z.number(),
      assertionResults: z.array(z.object({ status: z.string() })),
    }),
  ),
});

const files: TimedFile[] = [];

interface Count {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** What a tier counted. One that did not end well has a failure, also when no test of it knows. */
function countOf(name: string, exitCode: number): Count {
  const file = join(folder, `${name}.json`);
  if (!existsSync(file)) {
    console.log(`${name} ended with ${String(exitCode)} and left no report.`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
  const report = Report.parse(JSON.parse(readFileSync(file, "utf8")));
  for (const { name: path, startTime, endTime } of report.testResults) {
    files.push({ file: relative(projectRoot, path).replaceAll("\\", "/"), milliseconds: endTime - startTime });
  }
  // A file that fails outside of its tests, by a bad import for one, has no failed test.
  const broken = report.testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.every((test) => test.status !== "failed"),
  );
  const failed = report.numFailedTests + broken.length;
  const skipped = report.numPendingTests;
  return { passed: report.numPassedTests, failed: exitCode === 0 ? failed : Math.max(failed, 1), skipped };
}

let total: Count = { passed: 0, failed: 0, skipped: 0 };
for (const tier of tiers) {
  const [name = "", exitCode = ""] = tier.split("=");
  const count = countOf(name, Number(exitCode));
  console.log(
    `${name.padEnd(14)} ${String(count.passed)} passed, ${String(count.failed)} failed, ${String(count.skipped)} skipped.`,
  );
  total = {
    passed: total.passed + count.passed,
    failed: total.failed + count.failed,
    skipped: total.skipped + count.skipped,
  };
}
console.log(["Slowest files", ...slowestLines(files)].join("\n"));
console.log(`${String(total.passed)} passed, ${String(total.failed)} failed, ${String(total.skipped)} skipped`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
