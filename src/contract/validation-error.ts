import type * as z from "zod";

/** One thing that is wrong with a request, in the form of the service: section 2.4 of the contract. */
export interface ValidationError {
  /** Where it is: the part of the request (`body`, `path`, `query`), then names of fields and indexes of lists. */
  readonly loc: readonly (string | number)[];
  /** What is wrong there, a sentence for people. */
  readonly msg: string;
  /** What is wrong there, a word for programs: `missing`. */
  readonly type: string;
}

/** Where services, gateways and the rules of problem+json (RFC 9457) say what is wrong; the most exact first. */
const REASONS = ["detail", "errors", "message", "Message", "msg", "error_description"] as const;
/** What stands before it, and is the reason where there is no other. */
const HEADINGS = ["title", "error"] as const;
// An `error` with a `message`, in a list, in a `detail`.
const MOST_DEPTH = 4;

// FastAPI starts each `loc` with the part of the request that it looked at.
const REQUEST_PARTS: ReadonlySet<string | number> = new Set(["body", "path", "query"]);

/** `source_revision_config.graph_config_path: Field required`. The rejected input is never part of it. */
export function describeValidationError({ loc, msg }: Pick<ValidationError, "loc" | "msg">): string {
  const path = loc.filter((step, index) => index > 0 || !REQUEST_PARTS.has(step));
  return path.length === 0 ? msg : `${path.join(".")}: ${msg}`;
}

/**
 * The lines that an error body has for a person; none where it has no known form. Only the fields that are named here are
 * read: others, such as `input` and `ctx`, repeat what was sent.
 */
export function describeErrorBody(body: unknown, depth = 0): readonly string[] {
  if (typeof body === "string") return body.trim() === "" ? [] : [body];
  if (depth > MOST_DEPTH) return [];
  if (Array.isArray(body)) return body.flatMap((entry: unknown) => describeErrorBody(entry, depth + 1));
  if (typeof body !== "object" || body === null) return [];
  const fields = new Map<string, unknown>(Object.entries(body));
  const firstOf = (names: readonly string[]) =>
    names.map((name) => describeErrorBody(fields.get(name), depth + 1)).find((lines) => lines.length > 0) ?? [];
  const [heading] = firstOf(HEADINGS);
  const [first, ...more] = firstOf(REASONS);
  if (first === undefined) return heading === undefined ? [] : [heading];
  const place = placeOf(fields.get("loc"));
  if (place.length > 0) return [describeValidationError({ loc: place, msg: first }), ...more];
  return [heading === undefined || first.includes(heading) ? first : `${heading}: ${first}`, ...more];
}

function placeOf(loc: unknown): readonly (string | number)[] {
  const steps: readonly unknown[] = Array.isArray(loc) ? loc : [loc];
  return steps.filter((step) => typeof step === "string" || typeof step === "number");
}

/**
 * The objects in the `detail` of a body that have the three fields of a validation error; others are passed over. Texts
 * are as the service wrote them.
 */
export function validationErrorsIn(body: unknown): readonly ValidationError[] {
  if (typeof body !== "object" || body === null || !("detail" in body) || !Array.isArray(body.detail)) return [];
  return body.detail.flatMap((entry: unknown) => {
    if (typeof entry !== "object" || entry === null) return [];
    if (!("loc" in entry && "msg" in entry && "type" in entry)) return [];
    const { loc, msg, type } = entry;
    if (!Array.isArray(loc) || typeof msg !== "string" || typeof type !== "string") return [];
    const steps = placeOf(loc);
    return steps.length === loc.length ? [{ loc: steps, msg, type }] : [];
  });
}

/** What zod found, in the form of the service. */
export function toValidationErrors(
  error: z.ZodError,
  part?: "body" | "query" | "source_config",
  wordsOf: (issue: z.core.$ZodIssue) => Omit<ValidationError, "loc"> = ({ message, code }) => ({
    msg: message,
    type: code,
  }),
): readonly ValidationError[] {
  return error.issues.map((issue) => {
    const path = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
    return { loc: part === undefined ? path : [part, ...path], ...wordsOf(issue) };
  });
}
