/**
 * The runner's masker (SecretMasker.cs and ValueEncoders.cs): it replaces each registered value, and the usual
 * encodings of it, by three stars. Only what was registered before is masked.
 */
export class SecretMasker {
  readonly #values = new Set<string>();

  /** Registers a value as `add-mask` does: as a whole, and each of its lines. */
  add(secret: string): void {
    for (const value of [secret, ...secret.split(/[\r\n]+/).map((line) => line.trim())]) {
      for (const form of formsOf(value)) this.#values.add(form);
    }
  }

  /** The text as the log shows it. Values that overlap or touch become one mask, as in the runner. */
  mask(text: string): string {
    let masked = "";
    let shown = 0;
    for (const [start, end] of merged(this.#positions(text))) {
      masked += `${text.slice(shown, start)}***`;
      shown = end;
    }
    return masked + text.slice(shown);
  }

  #positions(text: string): [number, number][] {
    const found: [number, number][] = [];
    for (const value of this.#values) {
      for (let at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1)) found.push([at, at + value.length]);
    }
    return found.sort(([a], [b]) => a - b);
  }
}

function merged(positions: readonly [number, number][]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const [start, end] of positions) {
    const last = ranges.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else ranges.push([start, end]);
  }
  return ranges;
}

/** A value and its encodings: base64 at each of the three offsets, a URI's, JSON's and XML's escapes, quotes. */
export function formsOf(value: string): string[] {
  if (value === "") return [];
  const bytes = Buffer.from(value, "utf8");
  const base64 = [0, 1, 2].map((shift) => (bytes.length > shift ? bytes.subarray(shift) : bytes).toString("base64"));
  const uri = encodeURIComponent(value.toWellFormed()).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const xml = value.replace(
    /[<>"'&]/g,
    (c) => ({ "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;", "&": "&amp;" })[c] ?? c,
  );
  const json = JSON.stringify(value).slice(1, -1);
  const quoted = value.length > 8 && value.startsWith('"') && value.endsWith('"') ? [value.slice(1, -1)] : [];
  return [...new Set([value, ...base64, uri, xml, json, value.replaceAll('"', '\\"'), ...quoted])];
}
