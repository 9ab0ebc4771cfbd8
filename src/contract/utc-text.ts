const MICROSECONDS = 1_000_000;

// Runs start many times a second, and a date costs more than all the rest of a time: it is written once a second.
let written = { second: Number.NaN, text: "" };

/** `2024-01-02T01:04:05`, and the six digits of what is finer; microseconds since 1970, whole, and exact until 2255. */
export function utcText(microseconds: number): readonly [second: string, fraction: string] {
  const second = Math.floor(microseconds / MICROSECONDS);
  if (second !== written.second) written = { second, text: new Date(second * 1_000).toISOString().slice(0, 19) };
  return [written.text, String(microseconds - second * MICROSECONDS).padStart(6, "0")];
}
