import { runReporting } from "./process.ts";
import type { Case, Sample } from "./rounds.ts";
import type { TracingClient } from "./tracing-clients.ts";
import type { Received, Scene, TracingScenes } from "./tracing-scene.ts";

/** What each client traces. */
export interface Workload {
  readonly name: string;
  readonly count: number;
  /** Characters of what goes in, and of what comes out. */
  readonly size: number;
}

/** How a service behaves. */
export interface Service extends Pick<Scene, "gzip" | "latencyMilliseconds" | "zstd"> {
  readonly name: string;
  /** What is sent to it; all workloads if not given. */
  readonly only?: Workload;
}

/** One client with one workload and one service. */
export interface TracingCase extends Case {
  readonly client: TracingClient;
  readonly workload: Workload;
  readonly service: Service;
}

const WORKLOADS: readonly Workload[] = [
  { name: "200 B", count: 20_000, size: 200 },
  { name: "1 KB", count: 20_000, size: 1024 },
  { name: "50 KB", count: 2_500, size: 50 * 1024 },
];

const PLAIN = { gzip: false, zstd: false, latencyMilliseconds: 0 } as const;

/** The services by the words of `--services`. */
export const SERVICES: ReadonlyMap<string, Service> = new Map([
  ["neither", { ...PLAIN, name: "no encoding offered" }],
  ["zstd", { ...PLAIN, name: "zstd offered", zstd: true }],
  ["both", { ...PLAIN, name: "gzip and zstd offered", gzip: true, zstd: true }],
  [
    "slow",
    {
      ...PLAIN,
      name: "no encoding offered, each response after 50 ms",
      latencyMilliseconds: 50,
      only: { name: "1 KB", count: 10_000, size: 1024 },
    },
  ],
]);

/** How the cases run. */
export interface TracingCasesOptions {
  readonly scenes: TracingScenes;
  readonly services: readonly Service[];
  readonly textFile: string;
  /** Which share of the runs each client traces; less than all shows whether the bench works. */
  readonly share: number;
}

/**
 * Each client with each workload and each service. A run of a case fails when not all has arrived, or other content than
 * of the first client.
 */
export function tracingCases(
  clients: readonly TracingClient[],
  { scenes, services, textFile, share }: TracingCasesOptions,
): readonly TracingCase[] {
  return services.flatMap((service) =>
    (service.only === undefined ? WORKLOADS : [service.only]).flatMap((whole) => {
      const workload = { ...whole, count: Math.round(whole.count * share) };
      const content = new SameContent(workload);
      return clients.map((client) => {
        const { name, command } = client;
        const [program, script] = command;
        const args = [script, scenes.url, String(workload.count), String(workload.size), textFile];
        const run = async (): Promise<Sample> => {
          const { gzip, zstd, latencyMilliseconds } = service;
          const scene = { gzip, zstd, latencyMilliseconds };
          const { result, received } = await scenes.during(scene, () => runReporting(program, args));
          content.check(name, received);
          return { ...result, outputBytes: received.bytes };
        };
        return { name, run, client, workload, service };
      });
    }),
  );
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
