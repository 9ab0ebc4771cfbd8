import * as z from "zod";
import type { FormatContext } from "../shared/format.ts";
import { LEFT_OUT } from "../shared/ledger.ts";
import { anyField, objectField, textField } from "../shared/shape.ts";

/** What stands in each line about itself. */
export const OF_ALL_EVENTS = ["run_id", "event_id", "sample_id", "type", "data", "created_by", "created_at"];

/** An event of a sample. */
export const EVENT = z
  .object({ type: textField, data: objectField, created_at: textField })
  .register(LEFT_OUT, OF_ALL_EVENTS);
/** The data of events by their type; those of other types are not read. */
const DATA: ReadonlyMap<string, z.ZodObject> = new Map<string, z.ZodObject>([
  ["sampling", z.object({ prompt: anyField, sampled: anyField }).register(LEFT_OUT, ["options", "usage", "model"])],
  [
    "match",
    z
      .object({ correct: anyField, expected: anyField, sampled: anyField, picked: anyField })
      .register(LEFT_OUT, [...["prompt", "options"]]),
  ],
  ["raw_sample", z.object({ input: anyField, ideal: anyField })],
]);
/** Their data are read as they are. */
const WHOLE: ReadonlySet<string> = new Set(["metrics", "error"]);
/** One that was read. */
export type Event = z.infer<typeof EVENT>;

/** Notes what the data of an event hold beside what is read. */
export function noteData({ type, data }: Event, { ledger }: FormatContext): void {
  if (data == null || WHOLE.has(type ?? "")) return;
  const schema = DATA.get(type ?? "");
  if (schema === undefined) ledger.note(`data of ${type ?? "no type"}`, data);
  else ledger.look(schema, data, { path: "data" });
}
