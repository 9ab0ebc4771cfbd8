const LINE_WIDTH = 100;

/** The items with dots between them, in lines of a readable length. */
export function dotted(items: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (const item of items) {
    const last = lines.at(-1);
    const longer = `${last ?? ""} · ${item}`;
    if (last === undefined || longer.length > LINE_WIDTH) lines.push(item);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}
