import { createHash } from "node:crypto";

/** The time of what is shown, to the minute. */
const MINUTE = /\d{4}-\d\d-\d\d \d\d:\d\d/g;
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** What differs from run to run, and what is shown in its place. */
export interface Changing {
  readonly addresses: readonly (readonly [address: string, shown: string])[];
  /** Whole ids of which only the beginning may be shown. */
  readonly ids: readonly string[];
}

/** Puts fixed ids, addresses and times of day in the place of those of a run. */
export function steady(text: string, { addresses, ids }: Changing): string {
  let fixed = text.replaceAll(MINUTE, "2026-01-15 09:30");
  for (const [address, shown] of addresses) fixed = fixed.replaceAll(address, shown);
  const all = new Set([...ids, ...[...text.matchAll(UUID)].map(([id]) => id)]);
  for (const [index, id] of [...all].entries()) {
    fixed = fixed.replaceAll(id, idOf(index)).replaceAll(id.slice(0, 8), idOf(index).slice(0, 8));
  }
  return fixed;
}

function idOf(count: number): string {
  const digits = createHash("sha256")
    .update(`id ${String(count)}`)
    .digest("hex");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}

/** The digest of what a picture shows: without times, which no run repeats, and without what nobody sees. */
export function digestOf(text: string): string {
  const seen = text
    .replace(/<!--[^]*?-->/g, "")
    .replace(/<meta [^>]*>|<script>[^]*?<\/script>/g, "")
    .replace(/\d+(?:\\?\.\d+)? (?:ms|s|min)\b(?: \d+ s\b)?/g, "TIME");
  return createHash("sha256").update(seen).digest("hex");
}
