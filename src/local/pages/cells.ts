import { isEmpty, markup, prose, type Content, type Markup } from "../../pages/markup.ts";
import { beginning, breakableName } from "../../pages/names.ts";
import { table } from "../../pages/table.ts";
import { latencyText } from "../../text/duration.ts";
import { membersOf } from "../http/raw-json.ts";

// The most that a page shows of one value; the API returns all of it.
const SHOWN_CHARACTERS = 20_000;

// Shown before the reader unfolds the rest.
const FIRST_CHARACTERS = 320;
const FIRST_LINES = 8;

/** A JSON object: one line a member, strings without quotes. */
export function objectCell(text: string | undefined): Content {
  if (text === undefined || text === "null") return undefined;
  const lines = [...membersOf(text)].map(([key, value]) => `${key}: ${stringOf(value) ?? value}`);
  return textCell(lines.join("\n"));
}

/** A JSON object, folded under its name. */
export function foldedCell(name: string, text: string | undefined): Content {
  const object = objectCell(text);
  return !isEmpty(object) && markup`<details class="folded"><summary>${name}</summary>${object}</details>`;
}

/** Foreign text; a long one is folded. */
export function textCell(text: string | undefined): Content {
  if (text === undefined || text === "") return undefined;
  const first = beginning(text.split("\n", FIRST_LINES).join("\n"), FIRST_CHARACTERS);
  if (first.length === text.length) return markup`<pre>${text}</pre>`;
  const shown = beginning(text, SHOWN_CHARACTERS);
  const cut = text.length - shown.length;
  const more = markup`<span class="more">show all ${text.length} characters</span><span class="less">show less</span>`;
  return markup`<details><summary><pre>${first}…</pre>${more}</summary><pre>${shown}${cut > 0 && `\n… ${String(cut)} more characters`}</pre></details>`;
}

/** Foreign prose, such as a description. */
export function proseCell(text: string | null): Content {
  if (text === null || text === "") return undefined;
  return text.length > FIRST_CHARACTERS ? textCell(text) : markup`<p class="prose">${text}</p>`;
}

/** An id, a name or an address as it is; nothing where there is none. */
export function codeCell(text: string | null | undefined, characters?: number): Content {
  return text != null && text !== "" && markup`<code>${breakableName(text, characters)}</code>`;
}

/** The value of a JSON text that is a string; undefined for any other JSON. */
export function stringOf(json: string | undefined): string | undefined {
  return json?.startsWith('"') === true ? String(JSON.parse(json)) : undefined;
}

/** A time for a person. A number is milliseconds since 1970. */
export function timeCell(moment: number | string): Markup {
  const time = typeof moment === "number" ? new Date(moment).toISOString() : moment;
  const [, day = time, clock = ""] = /^(.+)T(\d\d:\d\d:\d\d)/.exec(time) ?? [];
  return markup`<time datetime="${time}" title="${time}">${day} ${clock} UTC</time>`;
}

/** The time between two timestamps of the service, as text. */
export function spanText(start: string, end: string): string {
  return latencyText(Date.parse(end) - Date.parse(start));
}

/** Endpoints of a server, and a sentence on each, in which names stand in backticks. */
export function endpointTable(
  label: string,
  endpoints: readonly (readonly [endpoint: string, sentence: string])[],
  heading = "What it does",
): Markup {
  const rows = endpoints.map(([endpoint, sentence]) => [codeCell(endpoint), prose(sentence)]);
  return table(label, ["Endpoint", { text: heading }], rows);
}
