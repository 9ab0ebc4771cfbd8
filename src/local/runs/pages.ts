import { endpointOf } from "../../contract/operations/operation.ts";
import { TRACING } from "../../contract/operations/tracing.ts";
import type { HttpCall } from "../http/call.ts";
import { notFound } from "../http/error.ts";
import { membersIn, membersOf, without } from "../http/raw-json.ts";
import { pageRange, pageRoute, type Route } from "../http/router.ts";
import { searchedList } from "../../pages/list.ts";
import { joined, markup, type Content, type Markup } from "../../pages/markup.ts";
import { link, nameText } from "../../pages/names.ts";
import { pager } from "../../pages/pager.ts";
import { factList, field, linkTable } from "../../pages/table.ts";
import { latencyText } from "../../text/duration.ts";
import { codeCell, endpointTable, objectCell, stringOf, textCell, timeCell } from "../pages/cells.ts";
import { page } from "../pages/frame.ts";
import { projectPath, projectsPath, tracePath } from "../pages/paths.ts";
import { chips, nameOfRun, statusCell, tookText, valueText } from "./cells.ts";
import { RUN_READ_BACK } from "./read-routes.ts";
import type { Runs } from "./runs.ts";
import type { RunRow } from "./store.ts";

const SHOWN_PROJECTS = 100;
const SHOWN_TRACES = 50;
const SHOWN_RUNS = 500;
// The most content on one page; the API returns all of it for each run.
const SHOWN_CHARACTERS = 4_000_000;

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

// A trace: its runs as a tree beside a time line, each with its inputs and outputs.
function tracePage(runs: Runs, call: HttpCall, tenantId: string, id: string): string {
  const { store } = runs;
  const [first] = store.list({ traceId: id }, { limit: 1, offset: 0 });
  const span = store.span(id);
  if (!first || !span) notFound("Trace", id);
  const project = { id: first.session_id, seq: first.session };
  // Undefined until it arrives: the runs of a trace may arrive in any order.
  const root = first.id === id ? first : undefined;
  const { open, failed } = span;
  const range = pageRange(call, SHOWN_RUNS);
  const shown = store.list({ traceId: id }, range);
  const runCount = store.count({ traceId: id });
  const turned = { ...range, total: runCount, limit: Math.max(1, shown.length) };
  const turner = runCount > shown.length && pager(tracePath(tenantId, project.id, id), "runs", turned);
  const total = span.end_ms - span.start_ms;
  // All runs together may be more than a browser can show.
  let characters = 0;
  const body = [
    factList([
      ["Status", root ? statusCell(root) : markup`<span class="soft">its root run has not arrived yet</span>`],
      ["Took", root && tookText(root)],
      ["Runs", runCount],
      ["Failed runs", failed > 0 && markup`<b class="worse">${failed}</b>`],
      ["Still running", open > 0 && open],
      ["Started", timeCell(span.start_ms)],
      ["Trace", markup`<code>${id}</code>`],
    ]),
    markup`<h2 id="runs">Runs</h2>`,
    turner,
    markup`<div class="axis"><span>0</span><span>${latencyText(total / 2)}</span><span>${latencyText(total)}</span></div>`,
    markup`<div class="runs">
${shown.map((run) => {
  const item = runItem(run, span, characters < SHOWN_CHARACTERS);
  characters += item.text.length;
  return item;
})}</div>`,
    turner,
  ];
  const title = root ? nameOfRun(root) : `Trace ${id}`;
  const trail = [link(projectPath(tenantId, project), first.session_name)];
  return page(title, body, { section: "Projects", trail });
}

// The time that the page spans, milliseconds since 1970.
interface TimeLine {
  readonly start_ms: number;
  readonly end_ms: number;
}

// Deeper runs are not indented further, to leave room for their names.
const MOST_DEPTH = 12;
// The narrowest visible bar, in percent.
const LEAST_WIDTH = 0.4;

// Fields that the page shows elsewhere.
const SHOWN_ELSEWHERE = new Set(["name", "run_type", "start_time", "end_time", "error", "extra"]);

// A line with its bar, which opens to show everything about the run.
function runItem(run: RunRow, line: TimeLine, withContent: boolean): Markup {
  const fields = membersOf(run.fields);
  const extra = membersIn(fields.get("extra"));
  const metadata = membersIn(extra.get("metadata"));
  const depth = run.dotted_order.split(".").length - 1;
  const type = run.run_type !== null && markup`<span class="soft">${nameText(run.run_type)}</span>`;
  // Large outputs are rarely what a reader looks for first.
  const shown = run.outputs !== null && run.outputs.length < 2000 ? membersIn(run.outputs) : new Map<string, string>();
  const known = chips(new Map([...metadata, ...shown]));
  const name = markup`<span class="name${run.failed && " worse"}" style="--depth:${Math.min(depth, MOST_DEPTH)}">${nameText(nameOfRun(run))} ${type}${known}</span>`;
  const ending = (run.failed || run.end_ms === null) && statusCell(run);
  const took = markup`<span class="took">${ending} ${tookText(run)}</span>`;
  const content = withContent
    ? contentOf(run, fields, extra, metadata)
    : field("Content", markup`<p class="soft">Too large for this page: <code>GET /runs/${run.id}</code></p>`);
  return markup`<details class="run" id="run-${run.id}"><summary>${name}${took}${bar(run, line)}</summary>
<dl>${content}</dl></details>
`;
}

function bar({ start_ms, end_ms, failed }: RunRow, line: TimeLine): Markup {
  const span = line.end_ms - line.start_ms;
  const percent = (time: number) => (span > 0 ? Math.min(100, Math.max(0, ((time - line.start_ms) / span) * 100)) : 0);
  const to = span > 0 ? percent(end_ms ?? line.end_ms) : 100;
  const left = Math.min(percent(start_ms), 100 - LEAST_WIDTH);
  const width = Math.max(LEAST_WIDTH, to - left);
  const kind = failed ? "failed" : end_ms === null ? "open" : "";
  const title = `from ${latencyText(start_ms - line.start_ms)}`;
  return markup`<span class="track" title="${title}"><span class="bar ${kind}" style="left:${left.toFixed(2)}%;width:${width.toFixed(2)}%"></span></span>`;
}

function contentOf(
  run: RunRow,
  fields: ReadonlyMap<string, string>,
  extra: ReadonlyMap<string, string>,
  metadata: ReadonlyMap<string, string>,
): Content {
  const error = fields.get("error");
  const lines = (members: ReadonlyMap<string, string>) =>
    textCell([...members].map(([name, json]) => `${name}: ${valueText(name, json)}`).join("\n"));
  const times = [timeCell(run.start_ms), run.end_ms !== null && timeCell(run.end_ms)];
  return [
    error !== undefined && field("Error", markup`<div class="fault">${textCell(stringOf(error) ?? error)}</div>`),
    field("Inputs", objectCell(run.inputs ?? undefined)),
    field("Outputs", lines(membersIn(run.outputs))),
    field("Metadata", lines(metadata)),
    field("Events", textCell(run.events === "[]" ? undefined : (run.events ?? undefined))),
    field("Extra", objectCell(without(extra, new Set(metadata.size > 0 ? ["metadata"] : [])))),
    field("Other fields", objectCell(without(fields, SHOWN_ELSEWHERE))),
    field("Time", joined(times, " to ")),
    field("Run", codeCell(run.id)),
  ];
}
