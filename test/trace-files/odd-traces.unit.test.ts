import { expect, test } from "vitest";
import { oddTraces, toldOfRun, traceText } from "./odd-traces.ts";
import { faultsOf, readFiles } from "./read-files.ts";

test.each(oddTraces())("%s: %s", async (_table, _name, odd) => {
  const files = { "a.jsonl": traceText(odd) };
  const options = { format: odd.lines ? "jsonl" : "otlp" } as const;
  if (odd.faults.length > 0) {
    expect(await faultsOf(files, options)).toEqual(odd.faults);
    return;
  }
  const { sent, read, warnings } = await readFiles(files, options);
  expect(warnings).toEqual(odd.warnings);
  if (odd.runs) expect(sent.map((each, at) => toldOfRun(each, odd.runs?.[at] ?? {}))).toEqual(odd.runs);
  if (odd.tokens !== undefined) expect(read.sums.tokens ?? null).toBe(odd.tokens);
});
