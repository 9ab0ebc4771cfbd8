import { escapeHtml } from "../pages/html.ts";
import type { LogRow } from "../state/log-store.ts";
import { timeCell } from "../pages/time-cell.ts";

/** Lines of a log, as a page shows them. */
export interface ShownLog {
  /** Oldest first. */
  readonly lines: readonly LogRow[];
  /** Where older ones are read over HTTP, when there are any. */
  readonly older: readonly string[];
}

/** A log as HTML: in a box of its own, whose end, and so the newest line, is in view. */
export function logBox(label: string, { lines, older }: ShownLog): string {
  if (lines.length === 0) return '<p class="soft">It is empty.</p>';
  const items = lines.map(({ timestamp, level, message }) => {
    const kind =
      level === "ERROR" || level === "CRITICAL" ? ' class="worse"' : level === "WARNING" ? ' class="warn"' : "";
    return `<li>${timeCell(timestamp)} <b${kind}>${level.padEnd(8)}</b> ${escapeHtml(message)}</li>`;
  });
  const paths = older.map((path) => `<code>GET ${escapeHtml(path)}</code>`).join(", ");
  const note = paths === "" ? "" : `<p class="soft">Older lines are not shown here. Read them with ${paths}</p>\n`;
  return `${note}<div class="log" role="region" tabindex="0" aria-label="${escapeHtml(label)}"><ol>\n${items.join("\n")}\n</ol></div>`;
}
