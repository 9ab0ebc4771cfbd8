import { endpointOf } from "../../contract/operations/operation.ts";
import { TRACING } from "../../contract/operations/tracing.ts";
import { notFound } from "../http/error.ts";
import { pageRange, pageRoute, type Route } from "../http/router.ts";
import { searchedList } from "../../pages/list.ts";
import { markup } from "../../pages/markup.ts";
import { link } from "../../pages/names.ts";
import { linkTable } from "../../pages/table.ts";
import { endpointTable, timeCell } from "../pages/cells.ts";
import { page } from "../pages/frame.ts";
import { projectPath, projectsPath, tracePath } from "../pages/paths.ts";
import { nameOfRun, statusCell, tookText } from "./cells.ts";
import { RUN_READ_BACK } from "./read-routes.ts";
import type { Runs } from "./runs.ts";
import { tracePage } from "./trace-page.ts";

const SHOWN_PROJECTS = 100;
const SHOWN_TRACES = 50;

const PROJECTS = "/o/{tenant}/projects";

/** The projects, their traces, and a trace as a tree beside a time line. */
export function runPageRoutes(runs: Runs, tenantId: string): readonly Route[] {
  return [
    pageRoute(PROJECTS, ({ call }) => {
      const range = pageRange(call, SHOWN_PROJECTS);
      const shown = { ...range, total: runs.projects.count(range) };
      const rows = runs.projects
        .list(range)
        .map((project) => [
          link(projectPath(tenantId, project), project.name),
          project.trace_count,
          project.run_count,
          project.last_start_ms !== null && timeCell(project.last_start_ms),
        ]);
      const body = [
        searchedList({
          ...{ path: projectsPath(tenantId), noun: "projects", shown },
          items: linkTable("Projects", ["Name", { number: "Traces" }, { number: "Runs" }, "Last started"], rows),
          none: markup`<p>No projects yet. Tracing a run creates one.</p>`,
        }),
        markup`<h2>Over HTTP</h2>`,
        endpointTable("Over HTTP", [...TAKEN, ...RUN_READ_BACK.map(([path, what]) => [`GET ${path}`, what] as const)]),
        markup`<p class="soft">Each path also exists under <code>/api/v1</code>. Lists take <code>limit</code> and
<code>offset</code>, and return <code>resources</code>, the <code>offset</code> of the next page and the
<code>total</code>. A body may be compressed with gzip or zstd. If one run is invalid, the whole request is rejected.</p>`,
      ];
      return page("Projects", body, { section: "Projects" });
    }),
    pageRoute(`${PROJECTS}/p/{project}`, ({ call, param }) => {
      const range = pageRange(call, SHOWN_TRACES);
      const key = param("project");
      const project = runs.projects.keyed(key) ?? notFound("Project", key);
      const shown = { ...range, total: runs.store.traceCount(project.seq, range.search) };
      // The traces are newest first.
      const rows = runs.store
        .traces(project.seq, range)
        .map((trace) => [
          link(tracePath(tenantId, project.id, trace.id), nameOfRun(trace)),
          statusCell(trace),
          tookText(trace),
          trace.failed_count > 0 ? markup`<b class="worse">${trace.failed_count}</b>` : 0,
          trace.run_count,
          timeCell(trace.start_ms),
        ]);
      const path = projectPath(tenantId, project);
      const items = linkTable("Traces", COLUMNS, rows);
      const body = searchedList({ path, noun: "traces", shown, items });
      return page(project.name, body, { section: "Projects" });
    }),
    pageRoute(`${PROJECTS}/p/{project}/r/{trace_id}`, ({ call, param }) =>
      tracePage(runs, call, tenantId, param("trace_id")),
    ),
    // For clients that only know the trace.
    pageRoute("/o/{tenant}/traces/{trace_id}", ({ call, param }) => tracePage(runs, call, tenantId, param("trace_id"))),
  ];
}

const TAKEN = [
  [endpointOf(TRACING.createRun), "creates a run"],
  [endpointOf(TRACING.updateRun), "updates a run"],
  [endpointOf(TRACING.sendBatch), "creates and updates runs, as a form"],
  [endpointOf(TRACING.sendJsonBatch), "creates and updates runs, as JSON"],
  [endpointOf(TRACING.info), "limits of a batch"],
] as const;

const COLUMNS = ["Trace", "Status", { number: "Took" }, { number: "Errors" }, { number: "Runs" }, "Started"] as const;
