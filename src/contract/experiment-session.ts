import * as z from "zod";
import { spare } from "./spare.ts";

// Public services list experiments, and with them the projects of traces, at GET /sessions. The contract does not have
// this list, so a service may have none, or another one there.

/** The field of `experiment_metadata` that tells the uploads of one name apart. */
export const UPLOAD_MARK = "upload_mark";

/** An element of GET /sessions. Only that of an experiment has `reference_dataset_id`. */
export const ListedSession = z.looseObject({
  id: z.string(),
  name: spare(z.string()),
  tenant_id: spare(z.string()),
  reference_dataset_id: spare(z.string()),
  extra: spare(z.looseObject({ metadata: spare(z.record(z.string(), z.unknown())) })),
});
export type ListedSession = z.infer<typeof ListedSession>;
