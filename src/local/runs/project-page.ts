import { endpointTable, escapeHtml, link, linkTable } from "../pages/html.ts";
import { page } from "../pages/frame.ts";
import { projectPath, projectsPath, tracePath } from "../pages/paths.ts";
import { pager, type ShownPage } from "../pages/pager.ts";
import { statusCell, tookText } from "./cells.ts";
import { RUN_READ_BACK } from "./read-routes.ts";
import type { TraceRow } from "./reader.ts";
import type { CountedSession, SessionRow } from "./project-store.ts";
import { timeCell } from "../pages/time-cell.ts";

const TAKEN = [
  ["POST /runs", "makes a run"],
  ["PATCH /runs/{run_id}", "adds to a run"],
  ["POST /runs/multipart", "takes many runs, as a form"],
  ["POST /runs/batch", "takes many runs, as JSON"],
  ["GET /info", "says how large a batch may be"],
] as const;

const COLUMNS = ["Trace", "Status", { number: "Took" }, { number: "Errors" }, { number: "Runs" }, "Started"] as const;

/** The projects, and how runs come in and are read back over HTTP. */
export function projectsPage(sessions: readonly CountedSession[], tenantId: string, shown: ShownPage): string {
  const rows = sessions.map((session) => [
    link(projectPath(tenantId, session.id), session.name),
    String(session.trace_count),
    String(session.run_count),
    session.last_start_ms === null ? "" : timeCell(session.last_start_ms),
  ]);
  const body = [
    shown.total === 0
      ? "<p>There is no project yet. The first run that is traced makes one.</p>"
      : linkTable("Projects", ["Name", { number: "Traces" }, { number: "Runs" }, "Last started"], rows),
    shown.total > shown.limit ? pager(projectsPath(tenantId), "projects", shown) : "",
    "<h2>Over HTTP</h2>",
    endpointTable("Over HTTP", [...TAKEN, ...RUN_READ_BACK.map(([path, what]) => [`GET ${path}`, what] as const)]),
    `<p class="soft">Each path is there under <code>/api/v1</code> as well. Lists take <code>limit</code> and
<code>offset</code>, and answer <code>resources</code>, the <code>offset</code> of the next page and the
<code>total</code>. A body may be in gzip or zstd. A request is refused whole when one of its runs breaks a rule.</p>`,
  ];
  return page("Projects", body.join("\n"), { section: "Projects" });
}

/** One project: its traces, newest first. */
export function projectPage(
  session: SessionRow,
  traces: readonly TraceRow[],
  tenantId: string,
  shown: ShownPage,
): string {
  const rows = traces.map((trace) => [
    link(tracePath(tenantId, session.id, trace.id), nameOfRun(trace)),
    statusCell(trace),
    escapeHtml(tookText(trace)),
    trace.failed_count > 0 ? `<b class="worse">${String(trace.failed_count)}</b>` : "0",
    String(trace.run_count),
    timeCell(trace.start_ms),
  ]);
  const path = projectPath(tenantId, session.id);
  const body = [
    shown.total === 0 ? "<p>No root of a trace is here yet.</p>" : linkTable("Traces", COLUMNS, rows),
    shown.total > shown.limit ? pager(path, "traces", shown) : "",
  ];
  return page(session.name, body.join("\n"), { section: "Projects" });
}

/** The name of a run; its id where it has none. */
export function nameOfRun({ name, id }: { readonly name: string | null; readonly id: string }): string {
  return name === null || name === "" ? id : name;
}
