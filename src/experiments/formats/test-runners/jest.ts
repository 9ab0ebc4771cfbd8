import type { ResultFormat } from "../shared/format.ts";
import { isTestReport, testRows } from "./test-report.ts";

/** What `jest --json` writes (30). */
export const jest: ResultFormat = {
  name: "jest",
  // In alphabetical order: it stands before the tests, in a file of any size, and vitest has no such counter.
  detect: ({ json }) => isTestReport(json) && json.topKeys.includes("numRuntimeErrorTestSuites"),
  rows: (file, context) => testRows(file, context, "jest"),
};
