import { latencyText } from "../../text/duration.ts";
import { membersOf } from "../http/raw-json.ts";
import { escapeHtml } from "../../text/html.ts";
import { beginning } from "./html.ts";

// The most that a page shows of one value; the API returns all of it.
const SHOWN_CHARACTERS = 20_000;

// Shown before the reader unfolds the rest.
const FIRST_CHARACTERS = 320;
const FIRST_LINES = 8;

/** A JSON object as HTML: one line a member, strings without quotes. */
export function objectCell(text: string | undefined): string {
  if (text === undefined || text === "null") return "";
  const lines = [...membersOf(text)].map(([key, value]) => `${key}: ${stringOf(value) ?? value}`);
  return textCell(lines.join("\n"));
}

/** A JSON object as HTML, folded under its name. */
export function foldedCell(name: string, text: string | undefined): string {
  const html = objectCell(text);
  return html === "" ? "" : `<details class="folded"><summary>${escapeHtml(name)}</summary>${html}</details>`;
}

/** Foreign text as HTML; a long one is folded. */
export function textCell(text: string | undefined): string {
  if (text === undefined || text === "") return "";
  const first = beginning(text.split("\n", FIRST_LINES).join("\n"), FIRST_CHARACTERS);
  if (first.length === text.length) return `<pre>${escapeHtml(text)}</pre>`;
  const shown = beginning(text, SHOWN_CHARACTERS);
  const cut = text.length - shown.length;
  const tail = cut > 0 ? `\n… ${String(cut)} more characters` : "";
  const more = `<span class="more">show all ${String(text.length)} characters</span><span class="less">show less</span>`;
  return `<details><summary><pre>${escapeHtml(first)}…</pre>${more}</summary><pre>${escapeHtml(shown)}${tail}</pre></details>`;
}

/** Foreign prose, such as a description, as HTML. */
export function proseCell(text: string | null): string {
  if (text === null || text === "") return "";
  return text.length > FIRST_CHARACTERS ? textCell(text) : `<p class="prose">${escapeHtml(text)}</p>`;
}

/** The value of a JSON text that is a string; undefined for any other JSON. */
export function stringOf(json: string | undefined): string | undefined {
  return json?.startsWith('"') === true ? String(JSON.parse(json)) : undefined;
}

/** A time for a person, as HTML. A number is milliseconds since 1970. */
export function timeCell(moment: number | string): string {
  const time = typeof moment === "number" ? new Date(moment).toISOString() : moment;
  const [, day = time, clock = ""] = /^(.+)T(\d\d:\d\d:\d\d)/.exec(time) ?? [];
  const iso = escapeHtml(time);
  return `<time datetime="${iso}" title="${iso}">${escapeHtml(`${day} ${clock} UTC`)}</time>`;
}

/** The time between two timestamps of the service, as text. */
export function spanText(start: string, end: string): string {
  return latencyText(Date.parse(end) - Date.parse(start));
}
