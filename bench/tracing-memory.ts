import { join } from "node:path";
import * as z from "zod";
import { plainProgram } from "./plain-program.ts";
import { runProcess } from "./process.ts";
import type { TracingScenes } from "./tracing-scene.ts";

const SIZE = 200;
// The collector lets more garbage gather while it learns how much there is.
const FLAT_SHARE = 1.2;

const Report = z.object({ seconds: z.number(), residentBytes: z.array(z.number()) });

/** What a long run of our client took. */
export interface LongRun {
  readonly count: number;
  readonly seconds: number;
  /** The most memory that it held in each tenth of the runs. */
  readonly residentBytes: readonly number[];
}

/** Traces many runs in one process, and says how its memory went; the server reads them as they arrive. */
export async function longRun(scenes: TracingScenes, count: number, textFile: string): Promise<LongRun> {
  const child = plainProgram(join(import.meta.dirname, "tracing-memory-child.ts"));
  const args = [child, scenes.url, String(count), String(SIZE), textFile];
  const { result, received } = await scenes.during({ readsAtOnce: true }, () => runProcess(process.execPath, args));
  if (received.runs !== count || received.incomplete > 0) throw new Error(`${received.runs} of ${count} runs arrived`);
  return { count, ...Report.parse(JSON.parse(result.output.trimEnd().split("\n").at(-1) ?? "")) };
}

/** How much more memory the last fifth of the runs took than the first fifth, and whether that is nothing. */
export function growth({ residentBytes }: LongRun): { readonly ratio: number; readonly isFlat: boolean } {
  const ratio = Math.max(...residentBytes.slice(-2)) / Math.max(...residentBytes.slice(0, 2));
  return { ratio, isFlat: ratio <= FLAT_SHARE };
}
