import * as z from "zod";

/**
 * A field of an answer that nothing depends on, or that a service may leave out: of another type than this it counts as
 * absent. What is needed is read strictly, and for the rest no answer is refused.
 */
export function spare<Field extends z.ZodType>(field: Field) {
  return field.nullish().catch(undefined);
}

/**
 * An element of a list. One that cannot be read is undefined, because it is not what is looked for, unless it `isMeant`:
 * then the whole list cannot be read.
 */
export function elementOf<Item>(
  item: z.ZodType<Item>,
  isMeant: (element: unknown) => boolean = () => false,
): z.ZodType<Item | undefined> {
  return z.unknown().transform((element, context) => {
    const parsed = item.safeParse(element);
    if (parsed.success) return parsed.data;
    if (!isMeant(element)) return undefined;
    for (const { message, path } of parsed.error.issues) context.addIssue({ code: "custom", message, path });
    return z.NEVER;
  });
}
