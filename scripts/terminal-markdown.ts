/** Lays out the markdown of a job summary for a terminal: headings, tables, lists and details, nothing more. */
export function renderMarkdown(markdown: string): readonly string[] {
  const lines: string[] = [];
  let table: string[][] = [];
  for (const line of [...markdown.split("\n"), ""]) {
    if (line.startsWith("|")) {
      table.push(cellsOf(line));
      continue;
    }
    if (table.length > 0) lines.push(...layOut(table));
    table = [];
    lines.push(plain(line));
  }
  return lines.filter((line, index) => line !== "" || (lines[index - 1] ?? "") !== "");
}

function cellsOf(row: string): string[] {
  return row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => plain(cell.trim()));
}

function layOut(rows: readonly string[][]): readonly string[] {
  const cells = rows.filter((row) => !row.every((cell) => /^:?-*:?$/.test(cell) && cell !== ""));
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("   ")
      .trimEnd(),
  );
}

function plain(line: string): string {
  return line
    .replace(/^#+ /, "")
    .replace(/<details><summary>(.*)<\/summary>/, "▸ $1")
    .replace("</details>", "")
    .replace(/\*\*|`/g, "")
    .replace(/<(https?:[^>]*)>/g, "$1")
    .replace(/^- /, "  ")
    .replace(/\\([\\`*_{}[\]()#+\-.!|<>@~])/g, "$1");
}
