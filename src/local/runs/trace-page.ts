import { latencyText } from "../../text/duration.ts";
import { escapeHtml, factList, link } from "../pages/html.ts";
import { page } from "../pages/frame.ts";
import { projectPath, tracePath } from "../pages/paths.ts";
import { pager, type ShownPage } from "../pages/pager.ts";
import { nameOfRun } from "./project-page.ts";
import { statusCell, tookText } from "./cells.ts";
import { runItem, type TimeLine } from "./item.ts";
import type { RunRow } from "./reader.ts";
import type { SessionRow } from "./project-store.ts";
import { timeCell } from "../pages/time-cell.ts";

/** What a page shows of the content of its runs at most; it is for each run over HTTP, whole. */
const SHOWN_CHARACTERS = 4_000_000;

/** A trace, as its page shows it. */
export interface ShownTrace {
  readonly id: string;
  readonly session: SessionRow;
  /** Undefined until it comes: the runs of a trace may come in any order. */
  readonly root: RunRow | undefined;
  /** Some of its runs, in `dotted_order`. */
  readonly runs: readonly RunRow[];
  readonly failedCount: number;
  /** How many have no end. */
  readonly openCount: number;
  readonly line: TimeLine;
  readonly shown: ShownPage;
}

/** One trace: its runs as a tree beside a time line, each with what it was given and what came out. */
export function tracePage(trace: ShownTrace, tenantId: string): string {
  const { id, session, root, runs, line, shown } = trace;
  const path = tracePath(tenantId, session.id, id);
  const turner = shown.total > runs.length ? pager(path, "runs", { ...shown, limit: Math.max(1, runs.length) }) : "";
  const total = line.endMilliseconds - line.startMilliseconds;
  const body = [
    factList(factsOf(trace)),
    '<h2 id="runs">Runs</h2>',
    turner,
    `<div class="axis"><span>0</span><span>${escapeHtml(latencyText(total / 2))}</span><span>${escapeHtml(latencyText(total))}</span></div>`,
    `<div class="runs">\n${itemsOf(runs, line).join("\n")}\n</div>`,
    turner,
  ];
  const title = root === undefined ? `Trace ${id}` : nameOfRun(root);
  const trail = [link(projectPath(tenantId, session.id), session.name)];
  return page(title, body.join("\n"), { section: "Projects", trail });
}

function factsOf({
  id,
  root,
  failedCount,
  openCount,
  line,
  shown,
}: ShownTrace): readonly (readonly [string, string])[] {
  const none = '<span class="soft">its root has not come yet</span>';
  return [
    ["Status", root === undefined ? none : statusCell(root)],
    ["Took", root === undefined ? "" : escapeHtml(tookText(root))],
    ["Runs", String(shown.total)],
    ["Failed runs", failedCount === 0 ? "" : `<b class="worse">${String(failedCount)}</b>`],
    ["Still running", openCount === 0 ? "" : String(openCount)],
    ["Started", timeCell(line.startMilliseconds)],
    ["Trace", `<code>${escapeHtml(id)}</code>`],
  ];
}

// The texts of all runs together may be more than a browser can show.
function itemsOf(runs: readonly RunRow[], line: TimeLine): readonly string[] {
  let characters = 0;
  return runs.map((run) => {
    const item = runItem(run, line, characters < SHOWN_CHARACTERS);
    characters += item.length;
    return item;
  });
}
