import * as z from "zod";
import type { HttpCall } from "../http/call.ts";
import { projectPage, projectsPage } from "./project-page.ts";
import { offsetParam, readQuery } from "../http/query.ts";
import { unknownId } from "../http/error.ts";
import { pageRoute, param, type Route } from "../http/router.ts";
import type { Runs } from "./runs.ts";
import { tracePage } from "./trace-page.ts";

const SHOWN_PROJECTS = 100;
const SHOWN_TRACES = 50;
const SHOWN_RUNS = 500;

const ListQuery = z.object({ offset: offsetParam });
const PROJECTS = "/o/:tenant/projects";

/** Pages for people: the projects, their traces, and a trace as a tree beside a time line. They need no script. */
export function runPageRoutes(runs: Runs, tenantId: string): readonly Route[] {
  return [
    pageRoute(PROJECTS, (call) => {
      const page = { ...readQuery(ListQuery, call.query), limit: SHOWN_PROJECTS };
      const shown = { ...page, total: runs.sessions.count() };
      return projectsPage(runs.sessions.list(page), tenantId, shown);
    }),
    pageRoute(`${PROJECTS}/p/:project_id`, (call, params) => {
      const page = { ...readQuery(ListQuery, call.query), limit: SHOWN_TRACES };
      const id = param(params, "project_id");
      const session = runs.sessions.counted(id);
      if (session === undefined) throw unknownId("Project", id);
      const shown = { ...page, total: session.trace_count };
      return projectPage(session, runs.reader.traces(session.seq, page), tenantId, shown);
    }),
    // The project of a trace is known from the trace; its id is there for the eye.
    pageRoute(`${PROJECTS}/p/:project_id/r/:trace_id`, (call, params) =>
      trace(call, runs, tenantId, param(params, "trace_id")),
    ),
    // For who knows nothing but the trace.
    pageRoute("/o/:tenant/traces/:trace_id", (call, params) => trace(call, runs, tenantId, param(params, "trace_id"))),
  ];
}

function trace(call: HttpCall, runs: Runs, tenantId: string, id: string): string {
  const page = { ...readQuery(ListQuery, call.query), limit: SHOWN_RUNS };
  const { reader, sessions } = runs;
  const [first] = reader.list({ traceId: id }, { limit: 1, offset: 0 });
  const session = sessions.get(first?.session_id ?? "");
  if (first === undefined || session === undefined) throw unknownId("Trace", id);
  const span = reader.span(id);
  const startMilliseconds = span.start_ms ?? first.start_ms;
  const shownTrace = {
    id,
    session,
    root: first.id === id ? first : undefined,
    runs: runs.list({ traceId: id }, page),
    failedCount: reader.failedCount(id),
    openCount: span.open,
    line: { startMilliseconds, endMilliseconds: Math.max(startMilliseconds, span.end_ms ?? startMilliseconds) },
    shown: { ...page, total: reader.count({ traceId: id }) },
  };
  return tracePage(shownTrace, tenantId);
}
