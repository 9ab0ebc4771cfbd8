import { GO_DURATION, parseDuration } from "../../../src/text/duration.ts";
import { DEFAULTS, type CustomTimeouts } from "./inputs.ts";

/** Reads a duration of Pulumi's `customTimeouts`, which are Go's: `90s`, `1h30m`; seconds, undefined for no duration. */
export function parseTimeout(text: string): number | undefined {
  const milliseconds = parseDuration(text, GO_DURATION) ?? 0;
  return milliseconds > 0 ? milliseconds / 1_000 : undefined;
}

export interface Timeouts {
  readonly timeoutSeconds?: number | undefined;
  readonly customTimeouts?: CustomTimeouts | undefined;
}

/** How long an operation may wait, milliseconds: the resource's own option, then the input, then the default. */
export function timeoutMilliseconds(state: Timeouts, operation: keyof CustomTimeouts): number {
  const custom = state.customTimeouts?.[operation];
  const seconds = custom === undefined ? undefined : parseTimeout(custom);
  return 1_000 * (seconds ?? state.timeoutSeconds ?? DEFAULTS.timeoutSeconds);
}
