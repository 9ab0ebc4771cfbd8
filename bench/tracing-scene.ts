import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import * as z from "zod";

/** How the service behaves while one client traces into it. */
export const Scene = z.object({
  /** How long each answer takes. */
  latencyMilliseconds: z.number().default(0),
  /** Whether it says that it takes gzip, and zstd. */
  gzip: z.boolean().default(false),
  zstd: z.boolean().default(false),
  /** Whether it reads what arrives before it answers; it is kept until the end otherwise. */
  readsAtOnce: z.boolean().default(false),
});
export type Scene = z.infer<typeof Scene>;

const Received = z.object({
  requests: z.number(),
  /** Of the bodies of runs, as they were sent. */
  bytes: z.number(),
  /** Requests to other endpoints than a client needs. */
  elsewhere: z.number(),
  runs: z.number(),
  incomplete: z.number(),
  digest: z.string(),
});
/** What has arrived since the scene began. */
export type Received = z.infer<typeof Received>;

/** The service that clients trace into, as a process. */
export class TracingScenes implements Disposable {
  readonly url: string;
  readonly #process: ChildProcess;

  private constructor(url: string, child: ChildProcess) {
    this.url = url;
    this.#process = child;
  }

  /** Starts the process. */
  static async start(): Promise<TracingScenes> {
    const child = spawn(process.execPath, [join(import.meta.dirname, "tracing-server.ts")], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    const [line] = await once(child.stdout, "data");
    return new TracingScenes(String(line).trim(), child);
  }

  /** Lets a client work, and returns what the service has received. */
  async during<Result>(
    scene: Partial<Scene>,
    work: () => Promise<Result>,
  ): Promise<{ readonly result: Result; readonly received: Received }> {
    await fetch(`${this.url}/bench/begin`, { method: "POST", body: JSON.stringify(scene) });
    const result = await work();
    const answer = await fetch(`${this.url}/bench/end`);
    return { result, received: Received.parse(await answer.json()) };
  }

  [Symbol.dispose](): void {
    this.#process.stdin?.end();
  }
}
