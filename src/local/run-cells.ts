import * as z from "zod";
import { timestamp } from "./database.ts";
import { beginning, escapeHtml, nameText } from "./html.ts";
import { membersOf } from "./raw-json.ts";
import type { RunRow } from "./run-reader.ts";
import { statusOf } from "./run-view.ts";
import { jsonText } from "./text-cell.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const UNITS = ["bytes", "kB", "MB", "GB", "TB"] as const;
const CHIP_CHARACTERS = 40;

const Statuses = z.array(z.looseObject({ status: z.string() }));

/** A span of time for a person, as text: two units at most. */
export function durationText(milliseconds: number): string {
  const span = Math.max(0, milliseconds);
  if (span < 10) return `${String(Number(span.toFixed(2)))} ms`;
  if (span < SECOND_MS) return `${String(Math.round(span))} ms`;
  if (span < MINUTE_MS) return `${String(Number((span / SECOND_MS).toFixed(2)))} s`;
  const [large, small, big, little] =
    span < HOUR_MS ? [MINUTE_MS, SECOND_MS, "min", "s"] : [HOUR_MS, MINUTE_MS, "h", "min"];
  const whole = Math.floor(span / large);
  return `${String(whole)} ${big} ${String(Math.floor((span - whole * large) / small))} ${little}`;
}

/** A number of bytes for a person, as text. */
export function bytesText(bytes: number): string {
  const unit = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${String(Number((bytes / 1000 ** unit).toPrecision(3)))} ${UNITS[unit] ?? ""}`;
}

/** How a run ended, in a word, as HTML. */
export function statusCell(run: Pick<RunRow, "end_ms" | "failed">): string {
  const status = statusOf(run);
  if (status === "error") return '<b class="worse">failed</b>';
  return status === "pending" ? '<b class="soft">running</b>' : '<b class="better">done</b>';
}

/** How long a run took, as text; empty while it runs. */
export function tookText({ start_ms, end_ms }: Pick<RunRow, "end_ms" | "start_ms">): string {
  return end_ms === null ? "" : durationText(end_ms - start_ms);
}

/** A value under its name for a person, as text: bytes and spans of time in their units. `json` is JSON. */
export function valueText(name: string, json: string): string {
  const number = /^-?\d/.test(json) ? Number(json) : Number.NaN;
  if (!(number >= 0 && Number.isFinite(number))) return jsonText(json) ?? json;
  if (/(?:^|_)bytes$/i.test(name)) return number < 1000 ? bytesText(number) : `${bytesText(number)} (${json} bytes)`;
  if (/_ms$|milliseconds$/i.test(name)) return durationText(number);
  return /seconds$/i.test(name) ? durationText(number * SECOND_MS) : json;
}

/** What a person looks for first in what is said of a run: its sizes and statuses, as HTML. */
export function chips(members: ReadonlyMap<string, string>): string {
  const shown = [...members].flatMap(([name, json]) => {
    if (/^(?:status|outcome)$/i.test(name)) return [valueText(name, json)];
    if (name === "statuses") return [statusesText(json)].filter((text) => text !== "");
    return /(?:^|_)bytes$/i.test(name) && /^\d/.test(json) ? [bytesText(Number(json))] : [];
  });
  return shown.map((text) => `<span class="chip">${escapeHtml(nameText(text, CHIP_CHARACTERS))}</span>`).join("");
}

// The statuses that a wait has seen, each with its second.
function statusesText(json: string): string {
  const parsed = Statuses.safeParse(JSON.parse(json));
  return parsed.success ? parsed.data.map(({ status }) => status).join(" → ") : "";
}

/** The members of an object that is JSON; none of anything else. */
export function membersIn(json: string | null | undefined): ReadonlyMap<string, string> {
  return json?.startsWith("{") === true ? membersOf(json) : new Map<string, string>();
}

/** A moment for a person, with seconds, as HTML. */
export function momentText(milliseconds: number): string {
  const time = timestamp(milliseconds);
  const [day = "", clock = ""] = time.split("T");
  return `<time datetime="${time}" title="${time}">${day} ${beginning(clock, 8)} UTC</time>`;
}
