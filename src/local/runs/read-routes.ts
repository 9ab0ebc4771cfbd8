import * as z from "zod";
import { EXPERIMENTS } from "../../contract/operations/experiments.ts";
import { NO_QUERY, offsetParam, pageLimit } from "../../contract/operations/operation.ts";
import type { Experiments } from "../experiments/experiments.ts";
import { clientList, refuseFilters } from "../http/client-list.ts";
import { HttpError } from "../http/error.ts";
import { json, listPart } from "../http/response.ts";
import { get, serve, type Route } from "../http/router.ts";
import { projectId } from "./change.ts";
import type { Runs } from "./runs.ts";
import { viewProject, viewRun, viewTrace } from "./view.ts";

const Page = z.object({ limit: pageLimit(100, 1000), offset: offsetParam });
const TracesQuery = Page.extend({ session: z.string() });
const RunsQuery = Page.extend({ session: z.string().optional(), trace: z.guid("must be a UUID").optional() });

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
  return [
    // The experiments, then the projects.
    serve(EXPERIMENTS.sessions, ({ call, query }) => {
      refuseFilters(call.query);
      const { limit, offset, name, name_contains, id, reference_dataset: datasets, reference_free: free } = query;
      const filter = { name, search: name_contains, ids: id?.map((one) => projectId(one)) };
      const ofDatasets = { ...filter, datasetIds: datasets?.map((one) => one.toLowerCase()) };
      const experimentCount = free === "true" ? 0 : experiments.count(ofDatasets);
      const found = offset < experimentCount ? experiments.list({ ...ofDatasets, limit, offset }) : [];
      const projectCount = datasets || free === "false" ? 0 : runs.projects.count(filter);
      const rest = { limit: limit - found.length, offset: Math.max(0, offset - experimentCount) };
      const projects = rest.offset < projectCount ? runs.projects.list({ ...filter, ...rest }) : [];
      const listed = [...found, ...projects.map((project) => viewProject(project, tenantId))];
      return clientList(listed, experimentCount + projectCount);
    }),
    get("/sessions/{session_id}", NO_QUERY, ({ param }) => {
      const id = projectId(decoded(param("session_id")));
      const project = runs.projects.get(id);
      if (project) return json(viewProject(project, tenantId));
      if (experiments.has(id)) return json(experiments.get(id));
      throw new HttpError(404, `session ${id} not found`);
    }),
    get("/traces", TracesQuery, ({ query }) => {
      const project = runs.projects.byName(query.session) ?? unknownSession(query.session);
      const traces = runs.store.traces(project.seq, query).map((trace) => viewTrace(trace, tenantId));
      return listPart(query.offset, traces, project.trace_count);
    }),
    get("/runs", RunsQuery, ({ query }) => {
      const { session, trace } = query;
      if ((session === undefined) === (trace === undefined)) throw new HttpError(422, "name a session or a trace");
      const filter =
        session === undefined
          ? { traceId: (trace ?? "").toLowerCase() }
          : { project: runs.projects.seqNamed(session) ?? unknownSession(session) };
      const views = runs.store.list(filter, query).map((run) => viewRun(run, tenantId));
      return listPart(query.offset, views, runs.store.count(filter));
    }),
    get("/runs/{run_id}", NO_QUERY, ({ param }) => {
      const id = param("run_id").toLowerCase();
      return json(viewRun(runs.get(id), tenantId, runs.store.attachments(id)));
    }),
  ];
}

function unknownSession(name: string): never {
  throw new HttpError(404, `session ${name} not found`);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new HttpError(404, `session ${part} not found`);
  }
}
