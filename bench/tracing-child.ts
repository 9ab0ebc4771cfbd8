import { tracedRunsOf, traceRuns } from "./tracing-runs.ts";

// Our client, in a process of its own so that its memory is its own. The clock starts when the code is loaded.
const report = await traceRuns(tracedRunsOf(process.argv.slice(2)));
console.log(JSON.stringify({ ...report, peakKilobytes: process.resourceUsage().maxRSS }));
