import { DEFAULTS, type CustomTimeouts } from "./inputs.ts";

const SECONDS = new Map([
  ["ms", 0.001],
  ["s", 1],
  ["m", 60],
  ["h", 3_600],
]);

/** Reads a duration of Pulumi's `customTimeouts`, which are Go's: `90s`, `1h30m`; seconds, undefined for no duration. */
export function parseTimeout(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|s|m|h))+$/.test(text)) return undefined;
  const parts = text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g);
  const seconds = parts.reduce((sum, [, count, unit]) => sum + Number(count) * (SECONDS.get(unit ?? "") ?? 0), 0);
  return seconds > 0 ? seconds : undefined;
}

/** What a state says of time. */
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
