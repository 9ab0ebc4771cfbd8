import type { ResultFormat } from "../shared/format.ts";
import { isTestReport, testRows } from "./test-report.ts";

/** What `vitest --reporter=json` writes (4.1), and vitest-evals (0.16) adds to it. */
export const vitest: ResultFormat = {
  name: "vitest",
  detect: ({ json }) => isTestReport(json) && !json.topKeys.includes("numRuntimeErrorTestSuites"),
  rows: (file, context) => testRows(file, context, "vitest"),
};
