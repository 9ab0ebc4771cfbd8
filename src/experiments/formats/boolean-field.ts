import * as z from "zod";

/** True or false, in the words that a fault has for it. */
export const booleanField = z.custom<boolean>((value) => typeof value === "boolean", { error: "true or false" });
