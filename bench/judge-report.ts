import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import * as z from "zod";
import type { ResultsRequest } from "../src/experiments/request.ts";
import { systemClock } from "../src/http/clock.ts";
import { Gates } from "../src/judgement/gates/gates.ts";
import { renderReport } from "../src/judgement/report/page.ts";
import { judgeResults } from "../src/judgement/judge-results.ts";
import { findChromium } from "../test/browser/chromium-install.ts";
import { attachToPage, startPipe } from "../test/browser/chromium-pipe.ts";
import { judgedFiles } from "./judge-files.ts";
import { megabytes, table, targetLine } from "./table.ts";

const CASES = 10_000;
const TARGETS = { paint: 1_000, filter: 100 };
const ROUNDS = 7;

/** How long until a page is seen, and until each filter is applied and laid out; milliseconds. */
interface Seen {
  readonly paint: number;
  readonly filters: readonly number[];
}

const Painted = z.object({ result: z.object({ value: z.number() }) });
const Filtered = z.object({ result: z.object({ value: z.array(z.number()) }) });

/** Opens the report of many cases in Chromium: is it seen at once, and does it stay fluid? */
export async function reportInBrowser(): Promise<void> {
  const chromium = await findChromium();
  if ("missing" in chromium) {
    console.log(`The report is not measured: ${chromium.missing}`);
    return;
  }
  const directory = await mkdtemp(join(tmpdir(), "graph-deploy-bench-report-"));
  try {
    const page = await pageOf(directory);
    const file = join(directory, "report.html");
    await writeFile(file, page);
    const seen: Seen[] = [];
    for (let round = 0; round < ROUNDS; round += 1) seen.push(await look(chromium.program, pathToFileURL(file).href));
    print(page, seen);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function pageOf(directory: string): Promise<string> {
  const { now, before } = judgedFiles(CASES);
  const filesOf = (path: string): ResultsRequest => {
    return { files: [{ path, name: basename(path) }], format: undefined, mapping: undefined, workspace: "/" };
  };
  const judged = await judgeResults(
    {
      ...{ results: filesOf(now), baseline: filesOf(before), anchor: undefined, run: {}, directions: new Map() },
      ...{ keepsTexts: true, gates: Gates.parse("accuracy not regressed\ntone not worse by 2pp"), cluster: undefined },
      ...{ onMissingBaseline: "fail", onEvaluatorChange: "fail", baselineMaxAge: undefined, baselineKeep: 1 },
    },
    {
      ...{ spoolDirectory: directory, clock: systemClock, signal: new AbortController().signal },
      emit: () => undefined,
    },
  );
  const begin = performance.now();
  const page = await renderReport(judged, { showsTexts: true });
  console.log(
    `${String(CASES)} cases with five scores and their texts: rendered in ${String(Math.round(performance.now() - begin))} ms.`,
  );
  return page;
}

// Applies filters one after the other: words that are found late, a member of metadata, what happened, and no filter.
const FILTERS = `(() => {
  const find = (id) => document.getElementById(id);
  const took = [];
  const apply = (id, value, event) => {
    const begin = performance.now();
    find(id).value = value;
    find(id).dispatchEvent(new Event(event));
    void document.body.offsetHeight;
    took.push(performance.now() - begin);
  };
  apply("query", "word1 word19", "input");
  apply("query", "case-99", "input");
  apply("label", find("label").querySelector("optgroup option").value, "change");
  apply("trait", "1", "change");
  apply("query", "", "input");
  apply("trait", "", "change");
  apply("metric", "3", "change");
  return took;
})()`;

async function look(program: string, url: string): Promise<Seen> {
  const pipe = await startPipe(program);
  try {
    const send = await attachToPage(pipe);
    await send("Page.enable");
    const size = { width: 1440, height: 900, deviceScaleFactor: 1, mobile: false };
    await send("Emulation.setDeviceMetricsOverride", size);
    const loaded = pipe.next("Page.loadEventFired");
    await send("Page.navigate", { url });
    await loaded;
    const evaluate = (expression: string) =>
      send("Runtime.evaluate", { expression, returnByValue: true, awaitPromise: true });
    const painted = await evaluate(
      `new Promise((resolve) => new PerformanceObserver((list) => resolve(list.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN)).observe({ type: "paint", buffered: true }))`,
    );
    const filtered = await evaluate(FILTERS);
    return { paint: Painted.parse(painted).result.value, filters: Filtered.parse(filtered).result.value };
  } finally {
    await pipe.close();
  }
}

function print(page: string, seen: readonly Seen[]): void {
  const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
  const paint = median(seen.map((each) => each.paint));
  const names = ["first search", "search", "metadata", "what happened", "no search", "all cases", "other metric"];
  const filters = names.map((_, at) => median(seen.map((each) => each.filters[at] ?? NaN)));
  const rows = [["first paint", paint] as const, ...names.map((name, at) => [name, filters[at] ?? NaN] as const)];
  const lines = rows.map(([name, ms]) => [name, `${ms.toFixed(0)} ms`]);
  for (const line of table([`${megabytes(page.length)} MB, median of ${String(ROUNDS)}`, "took"], lines))
    console.log(line);
  const slowest = Math.max(...filters);
  console.log(`\n${targetLine("first paint, at most 1 s", `${paint.toFixed(0)} ms`, paint <= TARGETS.paint)}`);
  console.log(targetLine("slowest filter, at most 100 ms", `${slowest.toFixed(0)} ms`, slowest <= TARGETS.filter));
}
