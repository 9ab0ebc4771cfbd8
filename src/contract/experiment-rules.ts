import type * as z from "zod";
import { ExperimentHead, ExperimentRow, Feedback } from "./experiment.ts";
import { toServiceErrors } from "./experiment-errors.ts";
import { formatInstant, parseInstant } from "./instant.ts";
import type { ValidationError } from "./validation-error.ts";

// The rules of an experiment upload, as pure functions. Each places its faults relative to the object that it is given.

/** When an experiment ran, microseconds since the epoch; both ends belong to it. */
export interface ExperimentWindow {
  readonly start: bigint;
  readonly end: bigint;
}

/** An object that was checked: its value when nothing is wrong with it. */
export type Checked<Value> =
  | { readonly value: Value; readonly faults: readonly [] }
  | { readonly value: undefined; readonly faults: readonly ValidationError[] };

/** A request without its rows: the shape, rule 1, and a window that does not end before it starts. */
export function checkHead(head: unknown): Checked<ExperimentHead> {
  const checked = checkShape(ExperimentHead, head);
  if (checked.value === undefined) return checked;
  const faults = [...checkDatasetKey(checked.value), ...checkWindow(checked.value)];
  return faults.length === 0 ? checked : { value: undefined, faults };
}

/** A row: the shape, and rule 2 where the window is known. */
export function checkRow(row: unknown, window?: ExperimentWindow): Checked<ExperimentRow> {
  const checked = checkShape(ExperimentRow, row);
  if (checked.value === undefined || window === undefined) return checked;
  const faults = checkRowTimes(checked.value, window);
  return faults.length === 0 ? checked : { value: undefined, faults };
}

/** A feedback object: a key, and what a service takes beside it. */
export function checkFeedback(feedback: unknown): Checked<Feedback> {
  return checkShape(Feedback, feedback);
}

/** Rule 1: either dataset_id or dataset_name must be given. */
function checkDatasetKey(head: Pick<ExperimentHead, "dataset_id" | "dataset_name">): readonly ValidationError[] {
  if (head.dataset_id !== undefined || (head.dataset_name !== undefined && head.dataset_name !== "")) return [];
  return [{ loc: ["dataset_name"], msg: "either dataset_id or dataset_name must be given", type: "value_error" }];
}

/** Rule 2 for the request: no time can lie in a window that ends before it starts. */
function checkWindow(
  head: Pick<ExperimentHead, "experiment_start_time" | "experiment_end_time">,
): readonly ValidationError[] {
  const { start, end } = windowOf(head);
  if (start <= end) return [];
  return [{ loc: ["experiment_end_time"], msg: "is before experiment_start_time", type: "value_error" }];
}

/** Rule 2 for a row: its times must fall between those of the experiment, compared to the microsecond. */
function checkRowTimes(
  row: Pick<ExperimentRow, "start_time" | "end_time">,
  window: ExperimentWindow,
): readonly ValidationError[] {
  return (["start_time", "end_time"] as const).flatMap((field) => {
    const time = microsecondsOf(row[field]);
    return time >= window.start && time <= window.end ? [] : [outsideWindow(field, window)];
  });
}

/** The fault of a time that does not lie in the window. */
export function outsideWindow(field: "start_time" | "end_time", { start, end }: ExperimentWindow): ValidationError {
  const msg = `must fall between experiment_start_time (${formatInstant(start)}) and experiment_end_time (${formatInstant(end)})`;
  return { loc: [field], msg, type: "value_error" };
}

/** The window of a request whose shape is right. */
export function windowOf(
  head: Pick<ExperimentHead, "experiment_start_time" | "experiment_end_time">,
): ExperimentWindow {
  return { start: microsecondsOf(head.experiment_start_time), end: microsecondsOf(head.experiment_end_time) };
}

function microsecondsOf(time: string): bigint {
  const instant = parseInstant(time);
  if (instant === undefined) throw new RangeError("The text is no time.");
  return instant.microseconds;
}

function checkShape<Schema extends z.ZodType>(schema: Schema, value: unknown): Checked<z.infer<Schema>> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return { value: parsed.data, faults: [] };
  return { value: undefined, faults: toServiceErrors(parsed.error) };
}
