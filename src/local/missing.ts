import { missingGroup, type MissingEndpoints } from "./http/missing.ts";

/** What public clients request and the local service does not serve; the documents have the same table. */
export const MISSING_ENDPOINTS: readonly MissingEndpoints[] = [
  {
    name: "searches of runs",
    missing: ["POST /runs/query", "POST /runs/stats", "POST /runs/group"],
    because: "GET /runs?session={name} lists the runs of a project, and GET /runs/{run_id} returns one.",
  },
  {
    name: "examples",
    missing: ["/examples"],
    because: "GET /experiments/{experiment_id}/rows returns the rows of an experiment.",
  },
  {
    name: "feedback",
    missing: ["/feedback"],
    because: "The scores of an experiment arrive with its rows.",
  },
  {
    name: "changes of projects and experiments",
    missing: ["POST /sessions", "PATCH /sessions/{session_id}", "DELETE /sessions/{session_id}"],
    because: "The first run that names a project creates it, and an upload creates an experiment.",
  },
  {
    name: "changes of datasets",
    missing: [
      "POST /datasets",
      "POST /datasets/upload",
      "PATCH /datasets/{dataset_id}",
      "DELETE /datasets/{dataset_id}",
    ],
    because: "The first upload of an experiment to a dataset creates it.",
  },
];

// Public clients write one of these before the path.
const VERSION = /^\/api\/v[12](?=\/)/;

/** Why the service does not serve a request, in sentences; empty for a request of no group. */
export function missingReason(method: string, path: string): string {
  const group = missingGroup(MISSING_ENDPOINTS, method, path.replace(VERSION, ""));
  return group ? `The local service does not serve ${group.name}. ${group.because}` : "";
}
