import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { credentials, type ServiceError } from "@grpc/grpc-js";
import providerGrpc from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import providerPb from "@pulumi/pulumi/proto/provider_pb.js";
import { toStruct, type Properties } from "../test/engine/property-values.ts";

const URN = "urn:pulumi:dev::bench::graph-deploy:index:Deployment::support-agent";
// Collections that the start has put off are over by then.
const IDLE_MILLISECONDS = 1_000;
// What Linux counts in, on every platform that Node runs on.
const TICKS_A_SECOND = 100;

/** Seconds that a process has kept a processor busy. */
interface Busy {
  /** Of the threads that it has, to the microsecond. */
  readonly ofThreads: number;
  /** Also of threads that have ended, in steps of 10 ms, which is an eighth of a second check. */
  readonly ofAll: number;
}

/** What a process has kept a processor busy between two moments. */
export function busyBetween(before: Busy | undefined, after: Busy | undefined): number | undefined {
  if (before === undefined || after === undefined) return undefined;
  return Math.max(after.ofThreads - before.ofThreads, after.ofAll - before.ofAll);
}

/** A process of Node that stays, from the line that it prints when it has started. Figures are undefined where this system has no /proc. */
export class StartedProcess implements AsyncDisposable {
  readonly secondsToLine: number;
  readonly processorSecondsToLine: number | undefined;
  readonly #child: ChildProcess;
  readonly #client: InstanceType<typeof providerGrpc.ResourceProviderClient>;

  private constructor(child: ChildProcess, secondsToLine: number, line: string) {
    this.#child = child;
    this.secondsToLine = secondsToLine;
    this.processorSecondsToLine = this.busy?.ofThreads;
    this.#client = new providerGrpc.ResourceProviderClient(`127.0.0.1:${line.trim()}`, credentials.createInsecure());
  }

  static async start(args: readonly string[], directory: string, env = process.env): Promise<StartedProcess> {
    const begin = performance.now();
    const child = spawn(process.execPath, args, { cwd: directory, env, stdio: ["ignore", "pipe", "inherit"] });
    const [line] = await once(child.stdout, "data");
    return new StartedProcess(child, (performance.now() - begin) / 1000, String(line));
  }

  async configure(settings: Properties): Promise<void> {
    const request = new providerPb.ConfigureRequest().setArgs(toStruct(settings));
    await answered((answer) => this.#client.configure(request, answer));
  }

  /** Checks the inputs of a new deployment, and returns them as they are for its create. */
  async check(inputs: Properties, urn = URN) {
    const request = new providerPb.CheckRequest().setUrn(urn).setOlds(toStruct({})).setNews(toStruct(inputs));
    const response = await answered<InstanceType<typeof providerPb.CheckResponse>>((answer) =>
      this.#client.check(request, answer),
    );
    const failures = response.getFailuresList().map((failure) => failure.getReason());
    if (failures.length > 0) throw new Error(failures.join(" "));
    return response.getInputs();
  }

  /** Checks and creates a deployment. */
  async create(inputs: Properties, name: string): Promise<void> {
    const urn = `${URN}-${name}`;
    const request = new providerPb.CreateRequest().setUrn(urn).setProperties(await this.check(inputs, urn));
    await answered((answer) => this.#client.create(request, answer));
  }

  /** How long it has kept a processor busy until now. */
  get busy(): Busy | undefined {
    const times = this.#threads().map((thread) => this.#read(`task/${thread}/schedstat`));
    if (times.length === 0 || times.includes(undefined)) return undefined;
    // The name of the program, which may have spaces, stands in brackets.
    const fields = this.#read("stat")?.split(") ").at(-1)?.split(" ") ?? [];
    return {
      ofThreads: times.reduce((sum, time) => sum + Number(time?.split(" ")[0]) / 1e9, 0),
      ofAll: (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND,
    };
  }

  /** What it holds when it has had nothing to do for a while. */
  async idleBytes(): Promise<number | undefined> {
    await sleep(IDLE_MILLISECONDS);
    return this.#bytes("VmRSS");
  }

  get peakBytes(): number | undefined {
    return this.#bytes("VmHWM");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#client.close();
    const ended = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await ended;
  }

  #bytes(field: string): number | undefined {
    const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(this.#read("status") ?? "") ?? [];
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
  }

  #threads(): readonly string[] {
    try {
      return readdirSync(`/proc/${String(this.#child.pid)}/task`);
    } catch {
      return [];
    }
  }

  #read(name: string): string | undefined {
    try {
      return readFileSync(`/proc/${String(this.#child.pid)}/${name}`, "utf8");
    } catch {
      return undefined;
    }
  }
}

function answered<Response>(
  call: (answer: (error: ServiceError | null, response: Response) => void) => unknown,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    call((error, response) => {
      if (error === null) resolve(response);
      else reject(error);
    });
  });
}
