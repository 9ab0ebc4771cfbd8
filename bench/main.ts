import { listed, quoted } from "../src/text/quoted.ts";
import { BENCHES } from "./benches.ts";
import { helpOf, UsageError } from "./options.ts";
import { short } from "./short.ts";

/** Returns the exit code. */
async function run([name, ...args]: readonly string[]): Promise<number> {
  if (name === undefined || name === "--help") {
    console.log(
      "npm run bench -- NAME [options], or --short for what runs each night. NAME --help prints the options.\n",
    );
    for (const [each, load] of BENCHES) console.log(`  ${each.padEnd(14)}  ${(await load()).sentence}`);
    return name === undefined ? 1 : 0;
  }
  if (name !== "--short" && !BENCHES.has(name)) {
    throw new UsageError(
      `${quoted(name)} is not a benchmark. The benchmarks are ${listed([...BENCHES.keys()], { conjunction: "and" })}.`,
    );
  }
  const named = await BENCHES.get(name)?.();
  if (named !== undefined && args.includes("--help")) {
    for (const line of helpOf(name, named)) console.log(line);
    return 0;
  }
  if (named === undefined || (named.short !== undefined && args.includes("--short"))) {
    const other = args.find((arg) => arg !== "--short");
    if (other !== undefined) throw new UsageError(`--short takes no other options: leave out ${quoted(other)}.`);
    return await short(named === undefined ? await Promise.all([...BENCHES.values()].map((load) => load())) : [named]);
  }
  await named.run(args);
  // A bench that counts what went wrong has set it.
  return Number(process.exitCode ?? 0);
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
