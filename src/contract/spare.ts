import type * as z from "zod";

/**
 * A field of an answer that nothing depends on, or that a service may leave out: of another type than this it counts as
 * absent. What is needed is read strictly, and for the rest no answer is refused.
 */
export function spare<Field extends z.ZodType>(field: Field) {
  return field.nullish().catch(undefined);
}
