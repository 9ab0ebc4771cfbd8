import { availableParallelism, loadavg } from "node:os";

/** Lines of a table: the first column to the left, all others to the right, as numbers are read. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? "").length)));
  const line = (cells: readonly string[]) =>
    widths
      .map((width, column) =>
        column === 0 ? (cells[column] ?? "").padEnd(width) : (cells[column] ?? "").padStart(width),
      )
      .join("  ")
      .trimEnd();
  return [line(head), widths.map((width) => "-".repeat(width)).join("  "), ...rows.map(line)];
}

/** Bytes in millions, or a dash. */
export function megabytes(bytes: number | undefined): string {
  return bytes === undefined ? "–" : (bytes / 1e6).toFixed(bytes < 1e7 ? 2 : 1);
}

/** A target and whether it is met, as one line. */
export function targetLine(what: string, figure: string, isMet: boolean): string {
  return `${isMet ? "met   " : "MISSED"}  ${what}: ${figure}`;
}

/** What the figures were measured on: `2 processors, load 0.45, Node v24.21.0`. */
export function machine(): string {
  const load = loadavg()[0]?.toFixed(2) ?? "unknown";
  return `${availableParallelism()} processors, load ${load}, Node ${process.version}`;
}
