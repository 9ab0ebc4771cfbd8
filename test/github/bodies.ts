import * as z from "zod";
import { Refusal } from "./answer.ts";

// From the REST description. GitHub ignores fields that it does not know; here they are refused, since they are mistakes.

export const CommentBody = z.strictObject({ body: z.string().min(1) });

export const DeploymentBody = z.strictObject({
  ref: z.string().min(1),
  task: z.string().default("deploy"),
  auto_merge: z.boolean().default(true),
  /** Absent: all contexts must be green. */
  required_contexts: z.array(z.string()).optional(),
  payload: z.union([z.record(z.string(), z.unknown()), z.string()]).default({}),
  environment: z.string().min(1).max(255).default("production"),
  description: z.string().nullable().default(""),
  transient_environment: z.boolean().default(false),
  /** Absent: true for the environment `production`. */
  production_environment: z.boolean().optional(),
});

const httpUrl = z.union([z.literal(""), z.url({ protocol: /^https?$/ })]);

export const DeploymentStatusBody = z.strictObject({
  state: z.enum(["error", "failure", "inactive", "in_progress", "queued", "pending", "success"]),
  target_url: httpUrl.default(""),
  log_url: httpUrl.default(""),
  description: z.string().max(140).default(""),
  environment: z.string().min(1).optional(),
  environment_url: httpUrl.default(""),
  auto_inactive: z.boolean().default(true),
});

export const CommitStatusBody = z.strictObject({
  state: z.enum(["error", "failure", "pending", "success"]),
  target_url: z.string().nullable().default(null),
  description: z.string().max(140).nullable().default(null),
  context: z.string().default("default"),
});

/** The value of a body, or a refusal that names its first bad field. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, resource: string, body: unknown): z.output<Schema> {
  const result = schema.safeParse(body);
  if (result.success) return result.data;
  const errors = result.error.issues.map(({ path, message }) => ({
    resource,
    code: "custom",
    field: path.join("."),
    message,
  }));
  throw new Refusal(422, "Validation Failed", { errors });
}
