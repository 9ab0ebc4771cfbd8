import * as z from "zod";

/** One thing that is wrong with a request, as the service words it. */
export const ValidationError = z.looseObject({
  loc: z.array(z.union([z.string(), z.number()])),
  msg: z.string(),
  type: z.string(),
});

/** One thing that is wrong with a request. */
export interface ValidationError {
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly type: string;
}

/** The body of an error answer. `detail` is a string for most statuses, an array for 422. */
const ErrorBody = z.looseObject({
  detail: z.union([z.string(), z.array(z.union([ValidationError, z.string()]))]),
});
/** What refuses a key before the API itself is asked says so in another form. */
const RefusedKeyBody = z.looseObject({ error: z.string().min(1) });

// FastAPI starts each `loc` with the part of the request that it looked at.
const REQUEST_PARTS: ReadonlySet<string | number> = new Set(["body", "path", "query"]);

/** `source_revision_config.graph_config_path: Field required`. The rejected input is never part of it. */
export function describeValidationError({ loc, msg }: Pick<ValidationError, "loc" | "msg">): string {
  const path = loc.filter((step, index) => index > 0 || !REQUEST_PARTS.has(step));
  return path.length === 0 ? msg : `${path.join(".")}: ${msg}`;
}

/** The lines that an error body has for a person; `undefined` when the body is not of that form. */
export function describeErrorBody(body: unknown): readonly string[] | undefined {
  const parsed = ErrorBody.safeParse(body);
  if (!parsed.success) {
    const refused = RefusedKeyBody.safeParse(body);
    return refused.success ? [refused.data.error] : undefined;
  }
  const { detail } = parsed.data;
  if (typeof detail === "string") return detail === "" ? undefined : [detail];
  return detail.map((entry) => (typeof entry === "string" ? entry : describeValidationError(entry)));
}

/** What zod found, in the form of the service. */
export function toValidationErrors(error: z.ZodError, part?: "body" | "path" | "query"): readonly ValidationError[] {
  return error.issues.map((issue) => {
    const path = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
    return { loc: part === undefined ? path : [part, ...path], msg: issue.message, type: issue.code };
  });
}
