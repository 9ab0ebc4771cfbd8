import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { installPackages } from "../scripts/program-packages.ts";
import { loadedModules } from "./loaded.ts";
import { bench, type Claim, count } from "./options.ts";
import { runReporting } from "./process.ts";
import { runRounds, type Case, type Result } from "./rounds.ts";
import { targetLine } from "./table.ts";
import { claimOf, timesTable } from "./times.ts";

const EMPTY = "an empty program";
const PACKAGES = "undici and zod";
const LIBRARY = "graph-deploy";
const DIFFERENCE_MS = 30;

// What the system tells of a process that has ended is in steps of 10 ms.
const REPORT = `
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({
  seconds: performance.now() / 1000,
  processorSeconds: (user + system) / 1e6,
  peakKilobytes: process.resourceUsage().maxRSS,
}));
`;

const ROOMS = ["experiments", "judgement", "local", "trace-files", "tracing"];
/** A program for each case, by what it is called: what it imports. */
const PROGRAMS = new Map<string, readonly string[]>([
  [EMPTY, []],
  [PACKAGES, ["undici", "zod"]],
  [LIBRARY, [LIBRARY]],
  ...ROOMS.map((room) => [`${LIBRARY}/${room}`, [`${LIBRARY}/${room}`]] as const),
]);

/** Starts a program for each entry of the package, as it would be packed, and for what it cannot do without. */
export const imports = bench(
  "importing the library, against an empty program and its two large packages",
  { rounds: count("rounds, without the one that is dropped", 20) },
  async ({ rounds }) => {
    await withPrograms(async (fileOf) => {
      const results = await runRounds(casesOf(fileOf, [...PROGRAMS.keys()]), rounds);
      const [empty, packages, library] = results;
      if (empty === undefined || packages === undefined || library === undefined) return;
      for (const line of timesTable(results, packages)) console.log(line);
      console.log("");
      for (const name of PROGRAMS.keys()) {
        const loaded = await loadedModules(fileOf(name), { env: process.env, exitCode: 0 });
        console.log(`${String(loaded.size).padStart(4)} modules  ${name}`);
      }
      console.log("");
      printOver("wall, best", packages, library, ({ bestSeconds }) => bestSeconds);
      printOver("wall, median", packages, library, ({ medianSeconds }) => medianSeconds);
      printOver("CPU, best", packages, library, ({ processorSeconds }) => processorSeconds);
      printOver("CPU, median", packages, library, ({ medianProcessorSeconds }) => medianProcessorSeconds);
    });
  },
  shortImports,
);

/** Few imports, with a limit that noise does not reach. */
async function shortImports(): Promise<readonly Claim[]> {
  return await withPrograms(async (fileOf) => {
    const results = await runRounds(casesOf(fileOf, [PACKAGES, LIBRARY]), 8);
    const what = `import of ${LIBRARY}, of ${PACKAGES}`;
    return [claimOf(what, results, { ours: LIBRARY, theirs: PACKAGES, most: 1.5 })];
  });
}

/** Gives `work` a directory with the package and a program for each case. */
async function withPrograms<T>(work: (fileOf: (name: string) => string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), "graph-deploy-bench-import-"));
  const fileOf = (name: string) => join(directory, `${name.replaceAll(/\W+/g, "-")}.mjs`);
  try {
    await installPackages(directory);
    for (const [name, specifiers] of PROGRAMS) {
      writeFileSync(fileOf(name), [...specifiers.map((specifier) => `import "${specifier}";\n`), REPORT].join(""));
    }
    return await work(fileOf);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function casesOf(fileOf: (name: string) => string, names: readonly string[]): readonly Case[] {
  return names.map((name) => ({ name, run: () => runReporting(process.execPath, [fileOf(name)]) }));
}

function printOver(
  what: string,
  packages: Result,
  library: Result,
  secondsOf: (result: Result) => number | undefined,
): void {
  const [theirs, ours] = [secondsOf(packages), secondsOf(library)];
  if (theirs === undefined || ours === undefined) return;
  const over = 1000 * (ours - theirs);
  const claim = `${LIBRARY}: at most ${String(DIFFERENCE_MS)} ms over ${PACKAGES} (${what})`;
  console.log(targetLine(claim, `${over.toFixed(1)} ms`, over <= DIFFERENCE_MS));
}
