import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

// Prints the last line of .ci/run, `N passed, N failed, N skipped`, from the reports that vitest left in a folder, and
// fails when a test did. The other arguments are the tiers with their exit codes, `test:fault=0`.
const [folder = "", ...tiers] = process.argv.slice(2);

const Report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
});

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
console.log(`${String(total.passed)} passed, ${String(total.failed)} failed, ${String(total.skipped)} skipped`);
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0;
