import * as z from "zod";
import { abortSignal, flag, functionOf, objectOf, objectWith, textsByName } from "../contract/call-arguments.ts";
import type { ShapesOf } from "../contract/call-arguments.ts";
import type { Clock } from "./clock.ts";
import type { CallOptions } from "./json-api.ts";

/** The time, of this machine or of a test. */
export const clockShape = objectWith<Clock>(["now", "date", "sleep", "alarm"], "a Clock, as systemClock is");

/** Any span of time, also none and one without an end. */
export const anyMilliseconds = z
  .custom<number>((value) => typeof value === "number" && !Number.isNaN(value), "must be a number of milliseconds")
  .optional();

const CALL = {
  signal: abortSignal.optional(),
  attemptMilliseconds: anyMilliseconds,
  stallMilliseconds: anyMilliseconds,
  deadlineMilliseconds: anyMilliseconds,
  once: flag.optional(),
  onHead: functionOf<NonNullable<CallOptions["onHead"]>>().optional(),
  timeLimit: objectOf<NonNullable<CallOptions["timeLimit"]>>().optional(),
} satisfies ShapesOf<CallOptions>;

/** The options of one call of a client, and those of a list or a stream, which have more. */
export const callOptions = z.looseObject(
  { ...CALL, longestMilliseconds: anyMilliseconds, mostPages: z.int("must be a whole number").optional() },
  "must be an object",
);

/** An operation that no method has a name for. */
export const operation = z.looseObject(
  {
    ...CALL,
    method: z.enum(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"], "must be a method of HTTP, such as GET"),
    path: z.string("must be a text").startsWith("/", "must begin with a slash"),
    query: z.record(z.string(), z.union([z.string(), z.number()]), "must be an object of names and texts").optional(),
    headers: textsByName.optional(),
  },
  "must be an object",
);

/** The same with what its response must be. */
export const readOperation = operation.extend({
  schema: z.custom<z.ZodType>(
    (value) => typeof value === "object" && value !== null && "safeParse" in value,
    "must be a schema of zod",
  ),
});
