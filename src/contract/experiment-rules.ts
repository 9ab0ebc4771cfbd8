import type * as z from "zod";
import { ExperimentHead, ExperimentRow, Feedback } from "./experiment.ts";
import { formatInstant, parseInstant } from "./instant.ts";
import { toValidationErrors, type ValidationError } from "./validation-error.ts";
import { listed } from "../text/quoted.ts";

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
  if (!checked.value) return checked;
  const faults: ValidationError[] = [];
  const { dataset_id, dataset_name = "" } = checked.value;
  // Rule 1.
  if (dataset_id === undefined && dataset_name === "") {
    const msg = "either dataset_id or dataset_name must be given";
    faults.push({ loc: ["dataset_name"], msg, type: "value_error" });
  }
  // Rule 2 for the request: no time can lie in a window that ends before it starts.
  const { start, end } = windowOf(checked.value);
  if (start > end) {
    faults.push({ loc: ["experiment_end_time"], msg: "is before experiment_start_time", type: "value_error" });
  }
  return faults.length === 0 ? checked : { value: undefined, faults };
}

/** A row: the shape, and rule 2 where the window is known: its times must fall between those of the experiment, in order. */
export function checkRow(row: unknown, window?: ExperimentWindow): Checked<ExperimentRow> {
  const checked = checkShape(ExperimentRow, row);
  if (!checked.value || !window) return checked;
  // Times are compared to the microsecond.
  const { value } = checked;
  const faults = (["start_time", "end_time"] as const).flatMap((field) => {
    const time = microsecondsOf(value[field]);
    return time >= window.start && time <= window.end ? [] : [outsideWindow(field, window)];
  });
  if (microsecondsOf(value.end_time) < microsecondsOf(value.start_time)) faults.push(ENDS_BEFORE_START);
  return faults.length === 0 ? checked : { value: undefined, faults };
}

/** A feedback object: a key, and what a service takes beside it. */
export function checkFeedback(feedback: unknown): Checked<Feedback> {
  return checkShape(Feedback, feedback);
}

/** The fault of a row whose latency would be negative. */
export const ENDS_BEFORE_START: ValidationError = {
  loc: ["end_time"],
  msg: "is before start_time",
  type: "value_error",
};

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
  if (!instant) throw new RangeError("The text is not a time.");
  return instant.microseconds;
}

function checkShape<Schema extends z.ZodType>(schema: Schema, value: unknown): Checked<z.infer<Schema>> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return { value: parsed.data, faults: [] };
  return { value: undefined, faults: toValidationErrors(parsed.error, undefined, wordsOf) };
}

type Words = Pick<ValidationError, "msg" | "type">;

/** What was expected, as the service says it. */
const WRONG_TYPE: ReadonlyMap<string, Words> = new Map([
  ["string", { msg: "Input should be a valid string", type: "string_type" }],
  ["number", { msg: "Input should be a valid number", type: "float_type" }],
  ["array", { msg: "Input should be a valid list", type: "list_type" }],
  ["object", { msg: "Input should be a valid dictionary", type: "dict_type" }],
  ["record", { msg: "Input should be a valid dictionary", type: "dict_type" }],
]);

/** What zod found, in the words of the service's own parser; the rejected input is not part of it. */
function wordsOf(issue: z.core.$ZodIssue): Words {
  if (issue.input === undefined) return { msg: "Field required", type: "missing" };
  switch (issue.code) {
    case "invalid_type":
      return WRONG_TYPE.get(issue.expected) ?? { msg: issue.message, type: issue.code };
    case "invalid_format":
      if (issue.format === "guid" || issue.format === "uuid") {
        return { msg: "Input should be a valid UUID", type: "uuid_parsing" };
      }
      return { msg: issue.message, type: issue.code };
    case "invalid_value":
      return { msg: `Input should be ${listed(issue.values.map((value) => `'${String(value)}'`))}`, type: "enum" };
    case "invalid_union":
      return { msg: "Input should be a valid dictionary or a valid string", type: "union_type" };
    case "custom":
      return {
        msg: issue.message,
        type: typeof issue.params?.["kind"] === "string" ? issue.params["kind"] : "value_error",
      };
    default:
      return { msg: issue.message, type: issue.code };
  }
}
