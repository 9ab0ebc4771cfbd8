import * as z from "zod";
import { toValidationErrors } from "../../contract/validation-error.ts";
import { invalid } from "./error.ts";

/** How many items a page has. */
export function pageLimit(usual: number, most: number) {
  return z.coerce.number().int().min(1).max(most).default(usual);
}

/** How many items the pages before had. */
export const offsetParam = z.coerce.number().int().min(0).default(0);

/** The query of a request; names that the schema does not have are ignored, faults are a 422. */
export function readQuery<Schema extends z.ZodType>(schema: Schema, query: URLSearchParams): z.infer<Schema> {
  const parsed = schema.safeParse(Object.fromEntries(query));
  if (!parsed.success) throw invalid(toValidationErrors(parsed.error, "query"));
  return parsed.data;
}
