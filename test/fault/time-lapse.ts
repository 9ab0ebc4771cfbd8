import { join } from "node:path";
import { nodeOptions } from "../node-arguments.ts";

const TIME_LAPSE = join(import.meta.dirname, "time-lapse.mjs");

/** The environment in which time runs so many times as fast. */
export function timeLapse(factor: number): Readonly<Record<string, string>> {
  return { ...nodeOptions("--import", TIME_LAPSE), TIME_LAPSE: String(factor) };
}
