import * as z from "zod";
import { Run, TracingInfo } from "../run.ts";
import { NO_QUERY, type Operation } from "./operation.ts";

// What a service responds to a write is not in the contract.
const WRITE = { query: NO_QUERY, reply: z.unknown(), repeatable: true } as const;

/** Run tracing: section 4.3 of the contract. */
export const TRACING = {
  // Creating one id twice is a conflict.
  createRun: { ...WRITE, method: "POST", path: "/runs", body: Run },
  updateRun: { ...WRITE, method: "PATCH", path: "/runs/{run_id}", body: Run.partial() },
  // A form, whose parts are those of section 4.3.
  sendBatch: { ...WRITE, method: "POST", path: "/runs/multipart" },
  sendJsonBatch: {
    ...WRITE,
    beyond: true,
    method: "POST",
    path: "/runs/batch",
    body: z.object({ post: z.array(Run).nullish(), patch: z.array(Run).nullish() }),
  },
  info: { beyond: true, method: "GET", path: "/info", query: NO_QUERY, reply: TracingInfo },
} as const satisfies Readonly<Record<string, Operation>>;
