import * as z from "zod";
import type { Experiments } from "../experiments/experiments.ts";
import { ClientListQuery, clientList, readClientList } from "../http/client-list.ts";
import { HttpError } from "../http/error.ts";
import { json } from "../http/response.ts";
import { param, type Route } from "../http/router.ts";
import { projectId } from "./change.ts";
import type { Runs } from "./runs.ts";
import { viewProject } from "./view.ts";

// As public clients ask: a session is an experiment, which has a dataset, or a project of traces.
const SessionsQuery = ClientListQuery.extend({
  reference_dataset: z.array(z.guid("must be a UUID")).optional(),
  // Python writes a capital letter.
  reference_free: z
    .string()
    .toLowerCase()
    .pipe(z.enum(["true", "false"]))
    .optional(),
});

/** The list that public clients read experiments and projects from, and one of them. */
export function sessionRoutes(runs: Runs, experiments: Experiments, tenantId: string): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/sessions",
      handle: ({ query }) => {
        // The experiments, then the projects.
        const asked = readClientList(SessionsQuery, query, ["id", "reference_dataset"]);
        const { limit, offset, name, name_contains, id, reference_dataset: datasets, reference_free: free } = asked;
        const filter = { name, nameContains: name_contains, ids: id?.map((one) => projectId(one)) };
        const ofDatasets = { ...filter, datasetIds: datasets?.map((one) => one.toLowerCase()) };
        const experimentCount = free === "true" ? 0 : experiments.count(ofDatasets);
        const found = offset < experimentCount ? experiments.find(ofDatasets, { limit, offset }) : [];
        const projectCount = datasets !== undefined || free === "false" ? 0 : runs.projects.count(filter);
        const rest = { limit: limit - found.length, offset: Math.max(0, offset - experimentCount) };
        const projects = rest.offset < projectCount ? runs.projects.list({ ...filter, ...rest }) : [];
        const listed = [...found, ...projects.map((project) => viewProject(project, tenantId))];
        return clientList(listed, experimentCount + projectCount);
      },
    },
    {
      method: "GET",
      // Not named `_id`: the id of a project may be any text.
      path: "/sessions/:session",
      handle: (_call, params) => {
        const id = projectId(decoded(param(params, "session")));
        const project = runs.projects.counted(id);
        if (project !== undefined) return json(viewProject(project, tenantId));
        if (experiments.has(id)) return json(experiments.get(id));
        throw new HttpError(404, `session ${id} not found`);
      },
    },
  ];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new HttpError(404, `session ${part} not found`);
  }
}
