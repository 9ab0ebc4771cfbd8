import * as z from "zod";
import { ExperimentHead, ExperimentRow } from "../experiment.ts";
import { ExperimentUploadAnswer } from "../experiment-answer.ts";
import { NO_QUERY, offsetParam, pageLimit, type Operation } from "./operation.ts";

/** How public clients ask for a part of a list, and by what they choose. */
export const ClientListQuery = z.object({
  limit: pageLimit(100, 1000),
  offset: offsetParam,
  name: z.string().optional(),
  name_contains: z.string().optional(),
  /** May be repeated: any of these. */
  id: z.array(z.string()).optional(),
});

/** The upload of experiments: section 4.2 of the contract. */
export const EXPERIMENTS = {
  upload: {
    method: "POST",
    path: "/datasets/upload-experiment",
    query: NO_QUERY,
    body: ExperimentHead.extend({ results: z.array(ExperimentRow) }),
    reply: ExperimentUploadAnswer,
  },
  // A session is an experiment, which has a dataset, or a project of traces.
  sessions: {
    beyond: true,
    method: "GET",
    path: "/sessions",
    query: ClientListQuery.extend({
      reference_dataset: z.array(z.guid("must be a UUID")).optional(),
      // Python writes a capital letter.
      reference_free: z
        .string()
        .toLowerCase()
        .pipe(z.enum(["true", "false"]))
        .optional(),
    }),
    reply: z.array(z.unknown()),
  },
} as const satisfies Readonly<Record<string, Operation>>;
