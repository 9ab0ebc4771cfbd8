import { archive } from "./archive.ts";
import { start } from "./start.ts";

/** One claim about speed: what it measures, and the command that prints its table. */
interface Bench {
  readonly sentence: string;
  readonly run: (args: readonly string[]) => Promise<void>;
}

const BENCHES: ReadonlyMap<string, Bench> = new Map([
  ["archive", { sentence: "packing a source tree, against tar and gzip, pigz, npm tar and Python", run: archive }],
  ["start", { sentence: "starting the built action, against bare Node", run: start }],
]);

const [name = "", ...args] = process.argv.slice(2);
const bench = BENCHES.get(name);
if (bench === undefined) {
  console.log(`npm run bench -- NAME [options], where NAME is one of\n`);
  for (const [each, { sentence }] of BENCHES) console.log(`  ${each.padEnd(8)}  ${sentence}`);
  process.exitCode = 2;
} else {
  await bench.run(args);
}
