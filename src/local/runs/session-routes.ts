import * as z from "zod";
import type { Experiments } from "../experiments/experiments.ts";
import { HttpError } from "../http/error.ts";
import { writeJson } from "../http/raw-json.ts";
import type { HttpResponse } from "../http/response.ts";
import { offsetParam, pageLimit, param, readQuery, type Route } from "../http/router.ts";
import { projectId } from "./change.ts";
import type { Runs } from "./runs.ts";
import { viewProject } from "./view.ts";

// As public clients ask: a session is an experiment, which has a dataset, or a project of traces.
const SessionsQuery = z.object({
  limit: pageLimit(100, 1000),
  offset: offsetParam,
  name: z.string().optional(),
  reference_dataset: z.guid("must be a UUID").optional(),
  reference_free: z.enum(["true", "false"]).optional(),
});

/** The list that public clients read experiments and projects from, and one of them. */
export function sessionRoutes(runs: Runs, experiments: Experiments, tenantId: string): readonly Route[] {
  return [
    {
      method: "GET",
      path: "/sessions",
      handle: ({ query }) => {
        const {
          limit,
          offset,
          name,
          reference_dataset: dataset,
          reference_free: free,
        } = readQuery(SessionsQuery, query);
        const filter = { name, datasetId: dataset?.toLowerCase() };
        const experimentCount = free === "true" ? 0 : experiments.count(filter);
        const found = offset < experimentCount ? experiments.find(filter, { limit, offset }) : [];
        const page = { limit: limit - found.length, offset: Math.max(0, offset - experimentCount) };
        const projects = dataset !== undefined || free === "false" ? NO_PROJECTS : projectsOf(runs, name, page);
        const listed = [...found, ...projects.listed.map((project) => viewProject(project, tenantId))];
        return json(listed, { "x-pagination-total": String(experimentCount + projects.total) });
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

const NO_PROJECTS = { listed: [], total: 0 } as const;

function projectsOf(runs: Runs, name: string | undefined, page: { readonly limit: number; readonly offset: number }) {
  const { projects } = runs;
  if (name === undefined) return { listed: projects.list(page), total: projects.count() };
  const one = projects.counted(projects.byName(name)?.id ?? "");
  if (one === undefined) return NO_PROJECTS;
  return { listed: page.limit > 0 && page.offset === 0 ? [one] : [], total: 1 };
}

function json(value: unknown, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status: 200, headers, jsonText: writeJson(value) };
}
