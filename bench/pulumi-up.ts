import { loadAsUsersDo } from "../test/engine/child-process.ts";
import { CliStack } from "../test/engine/cli-stack.ts";
import { findPulumiCli } from "../test/engine/pulumi-cli.ts";
import { SmallStack } from "../test/engine/small-stack.ts";
import { startLocalService, type LocalService } from "../src/local/index.ts";
import { HostMemory } from "./host-memory.ts";
import { Programs, type Kind } from "./pulumi-program.ts";
import { runRounds, type Result, type Sample } from "./rounds.ts";
import { megabytes, table, targetLine } from "./table.ts";

/** How many resources, and how long the service takes for a revision. */
export interface Ups {
  readonly count: number;
  readonly waitSeconds: number;
  readonly rounds: number;
}

const NAMES = {
  nothings: "resources of which only the engine has work",
  images: "images",
  secrets: "images with secrets",
  folders: "folders",
};
const KINDS = ["nothings", "images", "secrets", "folders"] as const;
const WAIT_RATIO = 1.3;
const PEAK_BYTES = 150e6;
const CALLS = { images: 6, secrets: 6, folders: 8 };

/** What an up measures besides its time. */
interface Calls {
  /** What the service was asked for each deployment, without the looks at its revision. */
  readonly calls: number;
  /** From when a revision was made to when it was known to be live: the longest of all, seconds. */
  readonly longestWait: number;
}

/** Ups of many deployments at once, against an up of as many resources that do nothing. */
export async function pulumiUps({ count, waitSeconds, rounds }: Ups): Promise<void> {
  loadAsUsersDo();
  const programs = await Programs.create(count);
  const called = new Map<Kind, Calls>();
  const cli = findPulumiCli(process.env);
  try {
    const up = async (kind: Kind): Promise<Sample> => {
      await using service = await startLocalService({ walkMilliseconds: 1000 * waitSeconds });
      const waits = new Waits();
      const sample = await upOnce(programs.directory, kind, { service, count, cli, waits });
      const calls = service.requests.filter((request) => !isPoll(request)).length / count;
      called.set(kind, { calls, longestWait: waits.longest });
      return sample;
    };
    const cases = KINDS.map((kind) => ({
      name: NAMES[kind],
      run: () => up(kind),
      // What waits needs no warming up, and a round of it takes a while.
      ...(kind === "nothings" ? {} : { rounds }),
    }));
    const on = cli === undefined ? "the engine of the tests" : "the Pulumi CLI";
    console.log(`\nUp of ${count} deployments with --parallel ${count}, each ${waitSeconds} s on its way, on ${on}`);
    print(await runRounds(cases, rounds), called);
  } finally {
    programs.remove();
  }
}

interface Setting {
  readonly service: LocalService;
  readonly count: number;
  readonly cli: string | undefined;
  readonly waits: Waits;
}

async function upOnce(directory: string, kind: Kind, { service, count, cli, waits }: Setting): Promise<Sample> {
  const config = { "graph-deploy:controlPlaneUrl": service.url, "graph-deploy:apiKey": { secret: "bench-key-0123" } };
  const env = { BENCH_STORE_KEY: "store-key-of-the-bench" };
  const options = { directory, project: "bench", stack: kind, config, env };
  await using stack = cli === undefined ? new SmallStack(options) : await CliStack.open(options, cli);
  using memory = new HostMemory(directory);
  const begin = performance.now();
  const { ok, changes, diagnostics } = await stack.up({
    program: `${kind}.mjs`,
    parallel: count,
    onLog: ({ message }) => waits.hear(message),
  });
  const seconds = (performance.now() - begin) / 1000;
  if (!ok || changes.create !== count) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return { seconds, peakBytes: memory.peakBytes, processorSeconds: memory.processorSeconds };
}

/** The waits of the deployments, as the user hears of them. */
class Waits {
  longest = 0;
  readonly #begun = new Map<string, number>();

  hear(line: string): void {
    const [, name = "", what = ""] = /^(\S+): (revision|DEPLOYED) /.exec(line) ?? [];
    if (what === "revision") this.#begun.set(name, performance.now());
    const begun = this.#begun.get(name);
    if (what !== "DEPLOYED" || begun === undefined) return;
    this.longest = Math.max(this.longest, (performance.now() - begun) / 1000);
  }
}

function isPoll({ method, path }: LocalService["requests"][number]): boolean {
  return method === "GET" && /\/revisions\/[^/]+$/.test(path);
}

function print(results: readonly Result[], called: ReadonlyMap<Kind, Calls>): void {
  const rows = KINDS.map((kind) => ({ kind, called: called.get(kind), result: resultOf(kind, results) }));
  const head = ["up of", "best s", "longest wait s", "calls each", "host CPU s", "host peak MB"];
  const cells = rows.map(({ kind, called: { longestWait, calls } = NO_CALLS, result }) => [
    NAMES[kind],
    result.bestSeconds.toFixed(1),
    longestWait.toFixed(1),
    calls.toFixed(1),
    result.processorSeconds?.toFixed(2) ?? "–",
    megabytes(result.peakBytes),
  ]);
  for (const line of table(head, cells)) console.log(line);
  console.log("");
  const engine = resultOf("nothings", results);
  for (const { kind, called: ours = NO_CALLS, result } of rows) {
    if (kind !== "nothings") for (const line of targetLines(kind, result, ours, engine)) console.log(line);
  }
}

const NO_CALLS: Calls = { calls: Number.NaN, longestWait: Number.NaN };

function resultOf(kind: Kind, results: readonly Result[]): Result {
  const result = results.find(({ name }) => name === NAMES[kind]);
  if (result === undefined) throw new Error(`there was no up of ${NAMES[kind]}`);
  return result;
}

function targetLines(
  kind: keyof typeof CALLS,
  { name, bestSeconds, peakBytes }: Result,
  { calls, longestWait }: Calls,
  engine: Result,
): readonly string[] {
  const most = CALLS[kind];
  const ratio = (bestSeconds - engine.bestSeconds) / longestWait;
  const what = `${name}: without the engine's own time at most ${WAIT_RATIO} of the longest wait`;
  const lines = [
    targetLine(`${name}: at most ${most} calls for each, looks at revisions aside`, calls.toFixed(1), calls <= most),
    targetLine(what, ratio.toFixed(2), ratio <= WAIT_RATIO),
  ];
  if (peakBytes === undefined) return lines;
  const figure = `${megabytes(peakBytes)} MB`;
  return [...lines, targetLine(`${name}: peak memory of the host at most 150 MB`, figure, peakBytes <= PEAK_BYTES)];
}
