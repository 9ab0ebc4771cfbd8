import { readdirSync, readFileSync, readlinkSync } from "node:fs";

const HOST = "cmd/dynamic-provider";
// The high-water mark is the kernel's own: only the last reading before the end counts.
// What Linux counts in, on every platform that Node runs on.
const TICKS_A_SECOND = 100;
const PAUSE_MILLISECONDS = 100;

/** Watches how much memory and processor time the process takes in which Pulumi runs dynamic providers. */
export class HostMemory implements Disposable {
  readonly #directory: string;
  readonly #timer: NodeJS.Timeout;
  #peak: number | undefined;
  #processorSeconds: number | undefined;

  /** `directory` is that of the program, in which its host runs. */
  constructor(directory: string) {
    this.#directory = directory;
    this.#timer = setInterval(() => this.#look(), PAUSE_MILLISECONDS);
  }

  /** The most that it held, bytes; undefined where this system does not report it. */
  get peakBytes(): number | undefined {
    return this.#peak;
  }

  /** How long it kept a processor busy; undefined where this system does not report it. */
  get processorSeconds(): number | undefined {
    return this.#processorSeconds;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    for (const id of processes()) {
      const peak = this.#peakOf(`/proc/${id}`);
      if (peak !== undefined) this.#peak = Math.max(peak, this.#peak ?? 0);
    }
  }

  #peakOf(process: string): number | undefined {
    try {
      if (!readFileSync(`${process}/cmdline`, "utf8").includes(HOST)) return undefined;
      if (readlinkSync(`${process}/cwd`) !== this.#directory) return undefined;
      // The name of the program, which may have spaces, stands in brackets.
      const ticks = readFileSync(`${process}/stat`, "utf8").split(") ").at(-1)?.split(" ").slice(11, 13).map(Number);
      if (ticks !== undefined) this.#processorSeconds = ticks.reduce((sum, each) => sum + each, 0) / TICKS_A_SECOND;
      const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`${process}/status`, "utf8")) ?? [];
      return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
    } catch {
      // It has ended meanwhile, or belongs to another user.
      return undefined;
    }
  }
}

function processes(): readonly string[] {
  try {
    return readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
}
