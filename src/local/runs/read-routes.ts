import * as z from "zod";
import type { Experiments } from "../experiments/experiments.ts";
import { ClientListQuery, clientList, readClientList } from "../http/client-list.ts";
import { HttpError } from "../http/error.ts";
import { json, listPart } from "../http/response.ts";
import { offsetParam, pageLimit, readQuery, param, type Route } from "../http/router.ts";
import { projectId } from "./change.ts";
import type { Runs } from "./runs.ts";
import { viewProject, viewRun, viewTrace } from "./view.ts";

const Page = z.object({ limit: pageLimit(100, 1000), offset: offsetParam });
const TracesQuery = Page.extend({ session: z.string() });
const RunsQuery = Page.extend({ session: z.string().optional(), trace: z.guid("must be a UUID").optional() });

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

/** The endpoints of the local service only, for its page and the documents. */
export const RUN_READ_BACK = [
  ["/sessions", "the experiments and the projects, each newest first, as public clients list them; `name` finds one"],
  ["/sessions/{session_id}", "one experiment or one project"],
  ["/traces?session={name}", "the traces of a project, newest first"],
  ["/runs?session={name}", "the runs of a project, in the order of dotted_order"],
  ["/runs?trace={trace_id}", "the runs of a trace, in the order of dotted_order"],
  ["/runs/{run_id}", "one run with the fields as they were sent, without those that are null"],
] as const;

export function runReadRoutes(runs: Runs, experiments: Experiments, tenantId: string): readonly Route[] {
  const get = (path: string, handle: Route["handle"]): Route => ({ method: "GET", path, handle });
  return [
    get("/sessions", ({ query }) => {
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
    }),
    // Not named `_id`: the id of a project may be any text.
    get("/sessions/:session", (_call, params) => {
      const id = projectId(decoded(param(params, "session")));
      const project = runs.projects.counted(id);
      if (project !== undefined) return json(viewProject(project, tenantId));
      if (experiments.has(id)) return json(experiments.get(id));
      throw new HttpError(404, `session ${id} not found`);
    }),
    get("/traces", (call) => {
      const page = readQuery(TracesQuery, call.query);
      const project = projectOf(runs, page.session);
      const traces = runs.reader.traces(project.seq, page).map((trace) => viewTrace(trace, tenantId));
      return listPart(page.offset, traces, runs.projects.counted(project.id)?.trace_count);
    }),
    get("/runs", (call) => {
      const page = readQuery(RunsQuery, call.query);
      const { session, trace } = page;
      if ((session === undefined) === (trace === undefined)) throw new HttpError(422, "name a session or a trace");
      const filter =
        trace === undefined ? { project: projectOf(runs, session ?? "").seq } : { traceId: trace.toLowerCase() };
      const views = runs.list(filter, page).map((run) => viewRun(run, tenantId));
      return listPart(page.offset, views, runs.reader.count(filter));
    }),
    get("/runs/:run", (_call, params) => {
      const id = param(params, "run").toLowerCase();
      return json(viewRun(runs.get(id), tenantId, runs.reader.attachments(id)));
    }),
  ];
}

function projectOf(runs: Runs, name: string) {
  const project = runs.projects.byName(name);
  if (project === undefined) throw new HttpError(404, `session ${name} not found`);
  return project;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new HttpError(404, `session ${part} not found`);
  }
}
