import { tracedRunsOf, traceRuns } from "./tracing-runs.ts";

// A look takes longer than a run.
const RUNS_A_LOOK = 1_000;
const STRETCHES = 10;

// Our client, which looks at its own memory: it prints the most that it held in each tenth of the runs, in bytes.
const runs = tracedRunsOf(process.argv.slice(2));
const most = Array.from({ length: STRETCHES }, () => 0);
const report = await traceRuns(runs, (index) => {
  if (index % RUNS_A_LOOK !== 0) return;
  const stretch = Math.floor((index * STRETCHES) / runs.count);
  most[stretch] = Math.max(most[stretch] ?? 0, process.memoryUsage.rss());
});
console.log(JSON.stringify({ ...report, peakKilobytes: process.resourceUsage().maxRSS, residentBytes: most }));
