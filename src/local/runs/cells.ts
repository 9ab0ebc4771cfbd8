import * as z from "zod";
import { bytesText } from "../../text/bytes.ts";
import { latencyText } from "../../text/duration.ts";
import { markup, type Markup } from "../../pages/markup.ts";
import { badge, nameText } from "../../pages/names.ts";
import { stringOf } from "../pages/cells.ts";
import type { RunRow } from "./store.ts";
import { statusOf } from "./view.ts";

const SECOND_MS = 1000;
const CHIP_CHARACTERS = 40;

const Statuses = z.array(z.looseObject({ status: z.string() }));

/** The name of a run; its id if it has none. */
export function nameOfRun({ name, id }: { readonly name: string | null; readonly id: string }): string {
  return name === null || name === "" ? id : name;
}

export function statusCell(run: Pick<RunRow, "end_ms" | "failed">): Markup {
  const status = statusOf(run);
  if (status === "error") return badge("bad", "failed");
  return status === "pending" ? badge("busy", "running") : badge("good", "done");
}

/** The duration of a run, as text; empty while it runs. */
export function tookText({ start_ms, end_ms }: Pick<RunRow, "end_ms" | "start_ms">): string {
  return end_ms === null ? "" : latencyText(end_ms - start_ms);
}

/** A JSON value as text. A value whose name says bytes or a duration gets a unit. */
export function valueText(name: string, json: string): string {
  const number = /^-?\d/.test(json) ? Number(json) : Number.NaN;
  if (!(number >= 0 && Number.isFinite(number))) return stringOf(json) ?? json;
  if (/(?:^|_)bytes$/i.test(name)) return number < 1000 ? bytesText(number) : `${bytesText(number)} (${json} bytes)`;
  if (/_ms$|milliseconds$/i.test(name)) return latencyText(number);
  return /seconds$/i.test(name) ? latencyText(number * SECOND_MS) : json;
}

/** The sizes and statuses among the values of a run. */
export function chips(members: ReadonlyMap<string, string>): readonly Markup[] {
  const shown = [...members].flatMap(([name, json]) => {
    if (/^(?:status|outcome)$/i.test(name)) return [valueText(name, json)];
    if (name === "statuses") {
      // The statuses of a revision, in a trace of a deploy.
      const parsed = Statuses.safeParse(JSON.parse(json));
      return [parsed.success ? parsed.data.map(({ status }) => status).join(" → ") : ""].filter((text) => text !== "");
    }
    return /(?:^|_)bytes$/i.test(name) && /^\d/.test(json) ? [bytesText(Number(json))] : [];
  });
  return shown.map((text) => markup`<span class="chip">${nameText(text, CHIP_CHARACTERS)}</span>`);
}
