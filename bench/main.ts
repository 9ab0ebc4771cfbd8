import { archive } from "./archive.ts";
import { races } from "./comment-races.ts";
import { experiments } from "./experiments.ts";
import { judge } from "./judge.ts";
import { judgeErrors } from "./judge-error-run.ts";
import { polling } from "./polling.ts";
import { previews } from "./preview-races.ts";
import { kills } from "./pulumi-kills.ts";
import { pulumi } from "./pulumi.ts";
import { resultTables } from "./results-tables.ts";
import { start } from "./start.ts";
import { tracing } from "./tracing.ts";
import { unchanged } from "./unchanged.ts";
import { upload } from "./upload.ts";

/** One claim: what it measures, and the command that prints its table. */
interface Bench {
  readonly sentence: string;
  readonly run: (args: readonly string[]) => Promise<void>;
}

const BENCHES: ReadonlyMap<string, Bench> = new Map([
  ["archive", { sentence: "packing a source tree, against tar and gzip, pigz, npm tar and Python", run: archive }],
  [
    "comment-races",
    { sentence: "steps that write into one comment at once, under faults: how often a section is lost", run: races },
  ],
  [
    "preview-races",
    {
      sentence: "deploys, closes and removals of one preview, under faults: how often something is left",
      run: previews,
    },
  ],
  ["polling", { sentence: "waiting for a revision, against looking every 3 s and every 60 s", run: polling }],
  ["experiments", { sentence: "reading large result files, against JSON.parse and stream-json", run: experiments }],
  ["judge", { sentence: "judging 100,000 rows, and opening the report of 10,000 cases in a browser", run: judge }],
  [
    "judge-errors",
    { sentence: "judging runs whose truth is known: how often each rule is wrong, and finds a loss", run: judgeErrors },
  ],
  [
    "pulumi",
    { sentence: "the Pulumi provider: its state, checks of a directory, 100 deployments at once", run: pulumi },
  ],
  [
    "pulumi-kills",
    { sentence: "runs of Pulumi that are killed: how often something is lost, doubled, foreign or leaked", run: kills },
  ],
  [
    "results-tables",
    { sentence: "reading random tables whose truth is known: how often one is green and wrong", run: resultTables },
  ],
  ["start", { sentence: "starting the built action, against bare Node", run: start }],
  [
    "tracing",
    { sentence: "sending runs, against the public SDKs for JS and Python, and what encodes them", run: tracing },
  ],
  [
    "unchanged",
    { sentence: "deploying a source that is live already, against reading and hashing it", run: unchanged },
  ],
  ["upload", { sentence: "uploading a spooled archive, against nothing but undici", run: upload }],
]);

const [name = "", ...args] = process.argv.slice(2);
const bench = BENCHES.get(name);
if (bench === undefined) {
  console.log(`npm run bench -- NAME [options], where NAME is one of\n`);
  for (const [each, { sentence }] of BENCHES) console.log(`  ${each.padEnd(14)}  ${sentence}`);
  process.exitCode = 2;
} else {
  await bench.run(args);
}
