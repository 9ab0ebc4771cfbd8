import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import * as z from "zod";
import { promptfoo, pythonPeer } from "../test/peers/tools.ts";
import { promptfooRun } from "./evaluate-promptfoo.ts";
import { bench, count } from "./options.ts";
import { plainProgram } from "./plain-program.ts";
import { runReporting } from "./process.ts";
import { cpuRatioTo, runRounds, type Case, type Result, type Sample } from "./rounds.ts";
import { machine, megabytes, table, targetLine } from "./table.ts";

const AT_A_TIME = "8";
// Of a case: the time of the processor in milliseconds, and the requests beside the one that runs it.
const MOST = { milliseconds: 1, bytes: 150e6, requests: 3 } as const;
// Those of the start and the end are not of a case.
const REQUESTS_OF_ALL = 50;

const Counts = z.looseObject({ run: z.number(), threads: z.number().default(0), left: z.number() });
type Counts = z.infer<typeof Counts>;

/** Evaluates an agent that answers at once, beside a plain loop with the public SDK and promptfoo; a claim that is missed sets exit code 1. */
export const evaluate = bench(
  "evaluating an agent that answers at once, against a loop with the public Python SDK and promptfoo's HTTP provider",
  { rounds: count("rounds, without the one that is dropped", 3), cases: count("cases", 10_000) },
  async ({ rounds, cases }) => {
    const directory = mkdtempSync(join(tmpdir(), "graph-deploy-bench-evaluate-"));
    const dataset = join(directory, "cases.jsonl");
    const text = (at: number) => `What is case ${String(at)}?`;
    const lines = Array.from({ length: cases }, (_, at) => ({
      id: `case-${at}`,
      question: text(at),
      answer: text(at),
    }));
    writeFileSync(dataset, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const server = spawn(process.execPath, [join(import.meta.dirname, "evaluate-server.ts")], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    try {
      const url = String(await once(server.stdout, "data")).trim();
      const counted = new Map<string, Counts>();
      const caseOf = (name: string, work: () => Promise<Sample>): Case => ({
        name,
        run: async () => {
          const sample = await work();
          const counts = await fetch(`${url}/bench/counts`);
          counted.set(name, Counts.parse(await counts.json()));
          return sample;
        },
      });
      const ours = plainProgram(join(import.meta.dirname, "evaluate-child.ts"));
      const all = [caseOf("ours", () => runReporting(process.execPath, [ours, url, directory, AT_A_TIME]))];
      const python = await pythonPeer();
      if ("program" in python) {
        const loop = [join(import.meta.dirname, "evaluate-case.py"), url, dataset, AT_A_TIME];
        const program = join(dirname(python.program), "python");
        all.push(caseOf("public Python SDK", () => runReporting(program, loop)));
      }
      const tool = await promptfoo();
      if ("program" in tool) {
        const run = promptfooRun({ ...tool, url, directory, cases: lines, concurrency: AT_A_TIME });
        // It takes minutes, so the round that is dropped goes without it.
        all.push({ ...caseOf("promptfoo", run), rounds });
      }
      print(await runRounds(all, rounds), cases, counted);
    } finally {
      server.stdin.end();
      rmSync(directory, { recursive: true, force: true });
    }
  },
);

function print(results: readonly Result[], cases: number, counted: ReadonlyMap<string, Counts>): void {
  const [ours] = results;
  if (ours === undefined) return;
  const milliseconds = (seconds: number | undefined) => (1000 * (seconds ?? Number.NaN)) / cases;
  const requests = (name: string) => {
    const { run = Number.NaN, threads = Number.NaN } = counted.get(name) ?? {};
    return { run: run / cases, others: threads / cases };
  };
  const rows = results.map((result) => {
    const { run, others } = requests(result.name);
    return [
      result.name,
      milliseconds(result.processorSeconds).toFixed(2),
      milliseconds(result.medianProcessorSeconds).toFixed(2),
      cpuRatioTo(ours, result)?.toFixed(2) ?? "–",
      megabytes(result.peakBytes),
      (run + others).toFixed(2),
    ];
  });
  console.log(
    `${machine()}; ${cases.toLocaleString("en")} cases, ${AT_A_TIME} at a time, each client in a process of its own\n`,
  );
  const head = ["client", "best CPU ms/case", "median", "× the CPU of ours", "peak MB", "requests/case"];
  for (const line of table(head, rows)) console.log(line);
  const { run, others } = requests(ours.name);
  const [best, peak, left] = [
    milliseconds(ours.processorSeconds),
    ours.peakBytes ?? Number.NaN,
    counted.get(ours.name)?.left ?? Number.NaN,
  ];
  const claims = [
    [`at most ${MOST.milliseconds} ms of CPU a case`, best.toFixed(2), best <= MOST.milliseconds],
    ["at most 150 MB of memory", `${megabytes(peak)} MB`, peak <= MOST.bytes],
    ["one run a case", run.toFixed(4), run === 1],
    [
      `at most ${MOST.requests} requests a case beside it`,
      others.toFixed(4),
      others * cases <= MOST.requests * cases + REQUESTS_OF_ALL,
    ],
    ["no thread is left", String(left), left === 0],
  ] as const;
  console.log("");
  for (const [what, figure, isMet] of claims) console.log(targetLine(what, figure, isMet));
  if (claims.some(([, , isMet]) => !isMet)) process.exitCode = 1;
}
