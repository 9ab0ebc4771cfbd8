import type * as z from "zod";
import { describeValidationError, toValidationErrors } from "../../contract/validation-error.ts";
import type { HttpCall } from "../http/call.ts";
import { HttpError } from "../http/error.ts";

/** The body of a call, parsed by the schema. */
export async function agentBody<Schema extends z.ZodType>(call: HttpCall, schema: Schema): Promise<z.output<Schema>> {
  const parsed = schema.safeParse(await call.json());
  if (parsed.success) return parsed.data;
  throw new HttpError(422, toValidationErrors(parsed.error));
}

/** An error as agent servers send it: with a text as `detail`. */
export function withSentence(error: unknown): unknown {
  if (!(error instanceof HttpError) || typeof error.detail === "string") return error;
  return new HttpError(error.status, error.detail.map(describeValidationError).join("\n"), error.headers);
}
