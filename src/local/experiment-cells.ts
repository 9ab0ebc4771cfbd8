import * as z from "zod";
import { parseInstant } from "../contract/instant.ts";
import { escapeHtml } from "./html.ts";
import { membersOf } from "./raw-json.ts";

const Score = z.looseObject({
  key: z.string(),
  score: z.union([z.number(), z.boolean()]).nullish(),
  value: z.string().nullish(),
});

/** A score as a page shows it: its key, numbered where a row has the key more than once. */
export interface ShownScore {
  readonly label: string;
  readonly score: number | undefined;
  readonly value: string | undefined;
}

/** A row of an experiment, as far as a page shows it. The texts are JSON, as they were sent. */
export interface ShownRow {
  readonly rowId: string;
  readonly inputs: string | undefined;
  readonly expected: string | undefined;
  readonly outputs: string | undefined;
  readonly scores: readonly ShownScore[];
  readonly error: string | undefined;
  readonly seconds: number | undefined;
}

/** What a cell shows of one value; the whole of it is in the rows that can be read back. */
const SHOWN_CHARACTERS = 4000;

/** Takes a stored row apart. */
export function shownRow(text: string): ShownRow {
  const members = membersOf(text);
  const start = parseInstant(textOf(members.get("start_time")) ?? "");
  const end = parseInstant(textOf(members.get("end_time")) ?? "");
  const seconds = start && end ? Number(end.microseconds - start.microseconds) / 1e6 : undefined;
  return {
    rowId: (textOf(members.get("row_id")) ?? "").toLowerCase(),
    inputs: members.get("inputs"),
    expected: members.get("expected_outputs"),
    outputs: members.get("actual_outputs"),
    scores: shownScores(members.get("evaluation_scores")),
    error: textOf(members.get("error")),
    seconds,
  };
}

/** The scores of a JSON list of feedback objects. */
export function shownScores(text: string | null | undefined): readonly ShownScore[] {
  const seen = new Map<string, number>();
  return z
    .array(Score)
    .parse(JSON.parse(text ?? "[]") ?? [])
    .map(({ key, score, value }) => {
      const times = (seen.get(key) ?? 0) + 1;
      seen.set(key, times);
      const label = times === 1 ? key : `${key} (${String(times)})`;
      return { label, score: score == null ? undefined : Number(score), value: value ?? undefined };
    });
}

/** A JSON object as a cell: a line for each member, texts as they read. */
export function objectCell(text: string | undefined): string {
  if (text === undefined || text === "null") return "";
  const lines = [...membersOf(text)].map(([key, value]) => `${key}: ${textOf(value) ?? value}`);
  return textCell(lines.join("\n"));
}

/** Foreign text as a cell. */
export function textCell(text: string | undefined): string {
  if (text === undefined || text === "") return "";
  const more = text.length - SHOWN_CHARACTERS;
  const tail = more > 0 ? `\n… ${String(more)} more characters` : "";
  return `<pre>${escapeHtml(text.slice(0, SHOWN_CHARACTERS))}${tail}</pre>`;
}

/** A score in a few characters, as HTML. */
export function scoreText({ score, value }: ShownScore): string {
  const parts = [score === undefined ? undefined : shortNumber(score), value];
  return escapeHtml(parts.filter((part) => part !== undefined).join(" "));
}

/** A number with as many digits as one can compare. */
export function shortNumber(value: number | null | undefined): string {
  return value == null ? "" : String(Number(value.toPrecision(6)));
}

/** What the other number has more or less than the one; empty when one of them is missing. */
export function deltaText(one: number | null | undefined, other: number | null | undefined): string {
  if (one == null || other == null) return "";
  const delta = shortNumber(other - one);
  return other > one ? `+${delta}` : delta;
}

// What a JSON text says when it is a string.
function textOf(json: string | undefined): string | undefined {
  return json?.startsWith('"') === true ? String(JSON.parse(json)) : undefined;
}
