import { runReporting } from "./process.ts";
import type { Case, Sample } from "./rounds.ts";
import type { TracingClient } from "./tracing-clients.ts";
import type { Received, TracingScenes } from "./tracing-scene.ts";

/** What each client traces. */
export interface Workload {
  readonly name: string;
  readonly count: number;
  /** Characters of what goes in, and of what comes out. */
  readonly size: number;
  readonly latencyMilliseconds: number;
}

/** One client with one workload. */
export interface TracingCase extends Case {
  readonly client: TracingClient;
  readonly workload: Workload;
}

const WORKLOADS: readonly Workload[] = [
  { name: "200 B", count: 20_000, size: 200, latencyMilliseconds: 0 },
  { name: "1 KB", count: 20_000, size: 1024, latencyMilliseconds: 0 },
  { name: "50 KB", count: 2_500, size: 50 * 1024, latencyMilliseconds: 0 },
  { name: "1 KB, each answer after 50 ms", count: 10_000, size: 1024, latencyMilliseconds: 50 },
];

/** How the cases run. */
export interface TracingCasesOptions {
  readonly scenes: TracingScenes;
  readonly textFile: string;
  /** Which share of the runs each client traces; less than all shows whether the bench works. */
  readonly share: number;
}

/** Each client with each workload. A run of a case fails when not all has arrived, or other content than of the first client. */
export function tracingCases(
  clients: readonly TracingClient[],
  { scenes, textFile, share }: TracingCasesOptions,
): readonly TracingCase[] {
  return WORKLOADS.flatMap((whole) => {
    const workload = { ...whole, count: Math.round(whole.count * share) };
    const content = new SameContent(workload);
    return clients.map((client) => {
      const { name, kind, command } = client;
      const [program, script] = command;
      const args = [script, scenes.url, String(workload.count), String(workload.size), textFile];
      const run = async (): Promise<Sample> => {
        const scene = { latencyMilliseconds: workload.latencyMilliseconds, zstd: kind === "zstd" };
        const { result, received } = await scenes.during(scene, () => runReporting(program, args));
        content.check(name, received);
        return result;
      };
      return { name, run, client, workload };
    });
  });
}

/** What the clients have sent of one workload. */
class SameContent {
  readonly #workload: Workload;
  #digest: string | undefined;

  constructor(workload: Workload) {
    this.#workload = workload;
  }

  /** Throws when something is missing, or differs from what came first. */
  check(client: string, { runs, incomplete, elsewhere, digest }: Received): void {
    const { name, count } = this.#workload;
    if (runs !== count || incomplete > 0) throw new Error(`${name}: ${runs} have arrived whole from ${client}`);
    if (elsewhere > 0) throw new Error(`${name}: ${client} has asked for ${elsewhere} other things`);
    this.#digest ??= digest;
    if (digest !== this.#digest) throw new Error(`${name}: ${client} has sent other content than the first client`);
  }
}
