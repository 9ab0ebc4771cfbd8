import { escapeHtml, link, page, table } from "./html.ts";
import { pager, type ShownPage } from "./pager.ts";
import { momentText, statusCell, tookText } from "./run-cells.ts";
import { RUN_READ_BACK } from "./run-read-routes.ts";
import type { TraceRow } from "./run-reader.ts";
import { projectPath, projectsPath, tracePath } from "./run-view.ts";
import type { CountedSession, SessionRow } from "./session-store.ts";

const TAKEN = [
  ["POST /runs", "makes a run"],
  ["PATCH /runs/{run_id}", "adds to a run"],
  ["POST /runs/multipart", "takes many runs, as a form"],
  ["POST /runs/batch", "takes many runs, as JSON"],
  ["GET /info", "says how large a batch may be"],
] as const;

/** The way down to a project, as HTML. */
export function projectTrail(tenantId: string, session?: SessionRow): readonly string[] {
  const above = [link("/", "Deployments"), link(projectsPath(tenantId), "Projects")];
  return session === undefined ? above : [...above, link(projectPath(tenantId, session.id), session.name)];
}

/** The projects, and how runs come in and are read back over HTTP. */
export function projectsPage(sessions: readonly CountedSession[], tenantId: string, shown: ShownPage): string {
  const rows = sessions.map((session) => [
    link(projectPath(tenantId, session.id), session.name),
    String(session.trace_count),
    String(session.run_count),
    session.last_start_ms === null ? "" : momentText(session.last_start_ms),
  ]);
  const paths = [...TAKEN, ...RUN_READ_BACK.map(([path, what]) => [`GET ${path}`, what] as const)];
  const body = [
    shown.total === 0
      ? "<p>There is no project yet. The first run that is traced makes one.</p>"
      : table(["Name", "Traces", "Runs", "Last started"], rows),
    shown.total > shown.limit ? pager(projectsPath(tenantId), "projects", shown) : "",
    "<h2>Over HTTP</h2>",
    table(
      ["Path", ""],
      paths.map(([path, what]) => [`<code>${escapeHtml(path)}</code>`, escapeHtml(what)]),
    ),
    `<p class="soft">Each path is there under <code>/api/v1</code> as well. Lists take <code>limit</code> and
<code>offset</code>, and answer <code>resources</code>, the <code>offset</code> of the next page and the
<code>total</code>. A body may be in gzip or zstd. A request is refused whole when one of its runs breaks a rule.</p>`,
  ];
  return page("Projects", body.join("\n"), { trail: projectTrail(tenantId).slice(0, 1) });
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
    momentText(trace.start_ms),
    statusCell(trace),
    escapeHtml(tookText(trace)),
    String(trace.run_count),
    trace.failed_count > 0 ? `<b class="worse">${String(trace.failed_count)}</b>` : "0",
  ]);
  const path = projectPath(tenantId, session.id);
  const body = [
    shown.total === 0
      ? "<p>No root of a trace is here yet.</p>"
      : table(["Trace", "Started", "Status", "Duration", "Runs", "Errors"], rows),
    shown.total > shown.limit ? pager(path, "traces", shown) : "",
  ];
  return page(session.name, body.join("\n"), { wide: true, trail: projectTrail(tenantId) });
}

/** The name of a run; its id where it has none. */
export function nameOfRun({ name, id }: { readonly name: string | null; readonly id: string }): string {
  return name === null || name === "" ? id : name;
}
