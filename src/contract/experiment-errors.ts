import type * as z from "zod";
import type { ValidationError } from "./validation-error.ts";

type Issue = z.core.$ZodIssue;
type Words = Pick<ValidationError, "msg" | "type">;

/** What was expected, as the service says it. */
const WRONG_TYPE: ReadonlyMap<string, Words> = new Map([
  ["string", { msg: "Input should be a valid string", type: "string_type" }],
  ["number", { msg: "Input should be a valid number", type: "float_type" }],
  ["boolean", { msg: "Input should be a valid boolean", type: "bool_type" }],
  ["array", { msg: "Input should be a valid list", type: "list_type" }],
  ["object", { msg: "Input should be a valid dictionary", type: "dict_type" }],
  ["record", { msg: "Input should be a valid dictionary", type: "dict_type" }],
]);

/** What zod found, in the words of the service's own parser; the rejected input is not part of it. */
export function toServiceErrors(error: z.ZodError): readonly ValidationError[] {
  return error.issues.map((issue) => {
    const loc = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
    return { loc, ...wordsOf(issue) };
  });
}

function wordsOf(issue: Issue): Words {
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
      return { msg: `Input should be ${listOf(issue.values.map((value) => `'${String(value)}'`))}`, type: "enum" };
    case "invalid_union":
      return { msg: "Input should be a valid dictionary or a valid string", type: "union_type" };
    case "too_big":
      return { msg: `String should have at most ${charactersOf(issue.maximum)}`, type: "string_too_long" };
    case "too_small":
      return { msg: `String should have at least ${charactersOf(issue.minimum)}`, type: "string_too_short" };
    case "custom":
      return {
        msg: issue.message,
        type: typeof issue.params?.["kind"] === "string" ? issue.params["kind"] : "value_error",
      };
    default:
      return { msg: issue.message, type: issue.code };
  }
}

function charactersOf(count: number | bigint): string {
  return `${String(count)} character${Number(count) === 1 ? "" : "s"}`;
}

function listOf(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1) ?? ""}`;
}
