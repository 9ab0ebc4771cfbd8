import * as z from "zod";
import type { HttpAnswer } from "../http/response.ts";
import type { HttpCall } from "../http/call.ts";
import { offsetParam, pageLimit, readQuery } from "../http/query.ts";
import { writeJson } from "../http/raw-json.ts";
import { Refusal } from "../http/error.ts";
import { param, type Route } from "../http/router.ts";
import { viewRun, viewSession, viewTrace } from "./view.ts";
import type { Runs } from "./runs.ts";

const Page = z.object({ limit: pageLimit(100, 1000), offset: offsetParam });
const SessionsQuery = Page.extend({ name: z.string().optional() });
const TracesQuery = Page.extend({ session: z.string() });
const RunsQuery = Page.extend({ session: z.string().optional(), trace: z.guid("must be a UUID").optional() });

/** What can be read back of runs, for the page that tells; services have no such endpoints. */
export const RUN_READ_BACK = [
  ["/sessions", "the projects, newest first, with their runs and traces counted; `name` finds one"],
  ["/traces?session={name}", "the traces of a project, newest first"],
  ["/runs?session={name}", "the runs of a project, in the order of dotted_order"],
  ["/runs?trace={trace_id}", "the runs of a trace, in the order of dotted_order"],
  ["/runs/{run_id}", "one run, each field as it was sent and none that is null"],
] as const;

/** Ways to read back what was traced. */
export function runReadRoutes(runs: Runs, tenantId: string): readonly Route[] {
  const get = (path: string, answer: Route["answer"]): Route => ({ method: "GET", path, answer });
  return [
    get("/sessions", (call) => sessions(call, runs, tenantId)),
    get("/traces", (call) => {
      const page = readQuery(TracesQuery, call.query);
      const session = sessionOf(runs, page.session);
      const traces = runs.reader.traces(session.seq, page).map((trace) => viewTrace(trace, tenantId));
      return list(page.offset, traces, runs.sessions.counted(session.id)?.trace_count);
    }),
    get("/runs", (call) => {
      const page = readQuery(RunsQuery, call.query);
      const { session, trace } = page;
      if ((session === undefined) === (trace === undefined)) throw new Refusal(422, "name a session or a trace");
      const filter =
        trace === undefined ? { session: sessionOf(runs, session ?? "").seq } : { traceId: trace.toLowerCase() };
      const views = runs.list(filter, page).map((run) => viewRun(run, tenantId));
      return list(page.offset, views, runs.reader.count(filter));
    }),
    get("/runs/:run", (_call, params) => {
      const id = param(params, "run").toLowerCase();
      return json(viewRun(runs.get(id), tenantId, runs.reader.attachments(id)));
    }),
  ];
}

function sessions(call: HttpCall, runs: Runs, tenantId: string): HttpAnswer {
  const { name, ...page } = readQuery(SessionsQuery, call.query);
  if (name === undefined) {
    const found = runs.sessions.list(page).map((session) => viewSession(session, tenantId));
    return list(page.offset, found, runs.sessions.count());
  }
  const one = runs.sessions.counted(runs.sessions.byName(name)?.id ?? "");
  const found = one === undefined || page.offset > 0 ? [] : [viewSession(one, tenantId)];
  return list(page.offset, found, one === undefined ? 0 : 1);
}

function sessionOf(runs: Runs, name: string) {
  const session = runs.sessions.byName(name);
  if (session === undefined) throw new Refusal(404, `session ${name} not found`);
  return session;
}

function list(offset: number, resources: readonly unknown[], total: number | undefined): HttpAnswer {
  return json({ resources, offset: offset + resources.length, total });
}

function json(value: unknown): HttpAnswer {
  return { status: 200, jsonText: writeJson(value) };
}
