import type * as z from "zod";
import { describeValidationError, toValidationErrors, type ValidationError } from "../../contract/validation-error.ts";
import type { HttpCall } from "../http/call.ts";
import { HttpError } from "../http/error.ts";

/** The body of a call, parsed by the schema. Errors have a text as `detail`, as those of agent servers do. */
export async function agentBody<Schema extends z.ZodType>(call: HttpCall, schema: Schema): Promise<z.output<Schema>> {
  const json = await call.json().catch((error: unknown) => {
    if (!(error instanceof HttpError) || typeof error.detail === "string") throw error;
    throw new HttpError(error.status, sentenceOf(error.detail), error.headers);
  });
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  throw new HttpError(422, sentenceOf(toValidationErrors(parsed.error)));
}

function sentenceOf(errors: readonly ValidationError[]): string {
  return errors.map(describeValidationError).join("\n");
}
