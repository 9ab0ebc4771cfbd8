const UNITS = ["kB", "MB", "GB", "TB"] as const;

/** An amount of bytes for a person, in decimal units: `512 bytes`, `38.2 kB`, `212 MB`. */
export function bytesText(bytes: number): string {
  const whole = Number.isFinite(bytes) ? Math.max(0, Math.round(bytes)) : 0;
  if (whole < 1_000) return whole === 1 ? "1 byte" : `${String(whole)} bytes`;
  let value = whole;
  for (const unit of UNITS) {
    value /= 1_000;
    const text = value < 99.95 ? value.toFixed(1) : value.toFixed(0);
    // 999.9 kB is rounded up to the next unit.
    if (Number(text) < 1_000 || unit === UNITS.at(-1)) return `${text} ${unit}`;
  }
  return "";
}

/** As users write them. */
const SIZES = [
  ["", 1],
  ["kB", 1e3],
  ["MB", 1e6],
  ["GB", 1e9],
  ["KiB", 2 ** 10],
  ["MiB", 2 ** 20],
  ["GiB", 2 ** 30],
] as const;

/** A limit as a user writes it, exact and as short as can be: `200MiB`, `1.5GB`, `1048577`. */
export function limitText(bytes: number): string {
  const texts = SIZES.map(([unit, size]) => `${String(bytes / size)}${unit}`);
  return texts.reduce((shortest, text) => (text.length < shortest.length ? text : shortest));
}

/** A rate for a person: `1.2 MB/s`; empty when there is nothing to divide by. */
export function rateText(bytes: number, milliseconds: number): string {
  return milliseconds > 0 ? `${bytesText((bytes / milliseconds) * 1_000)}/s` : "";
}

/** Reads `200MiB`, `1.5GB` or a bare number of bytes, in any case; whole bytes, or undefined when the text is not a size. */
export function parseSize(text: string): number | undefined {
  const [, count, written = ""] = /^(\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(text) ?? [];
  const [, size] = SIZES.find(([unit]) => unit.toLowerCase() === written.toLowerCase().replace(/^b$/, "")) ?? [];
  if (count === undefined || size === undefined) return undefined;
  const bytes = Math.floor(Number(count) * size);
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}
