import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { projectRoot } from "./command.ts";

// Prints the last line of .ci/run, `N passed, N failed`, from the report that vitest leaves when CI is true. The
// argument is vitest's exit code: an error outside of any test is in no report, and is a failure all the same.
const exitCode = Number(process.argv[2]);
const report = z
  .object({
    numPassedTests: z.number(),
    numFailedTests: z.number(),
    testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
  })
  .parse(JSON.parse(await readFile(join(projectRoot, "build", "test-report.json"), "utf8")));

// A file that fails outside of its tests, by a bad import for one, counts as one failure: it has no failed test.
const brokenFiles = report.testResults.filter(
  ({ status, assertionResults }) => status === "failed" && assertionResults.every((test) => test.status !== "failed"),
);
const failed = report.numFailedTests + brokenFiles.length;
console.log(`${report.numPassedTests} passed, ${exitCode === 0 ? failed : Math.max(failed, 1)} failed`);
