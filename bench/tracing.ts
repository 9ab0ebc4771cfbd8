import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bench, type Claim, count, names, number } from "./options.ts";
import { cpuRatioTo, ratioTo, runRounds, type Result } from "./rounds.ts";
import { machine, megabytes, table } from "./table.ts";
import { Random, sourceText } from "./text.ts";
import { SERVICES, tracingCases } from "./tracing-cases.ts";
import { claimOf } from "./times.ts";
import { tracingClients } from "./tracing-clients.ts";
import { ENCODED_RUNS, encoderCases, ENCODERS } from "./tracing-encoder.ts";
import { longRun, type LongRun } from "./tracing-memory.ts";
import { TracingScenes } from "./tracing-scene.ts";
import { encoderTargets, memoryTarget, workloadTargets, type Measured } from "./tracing-targets.ts";

// Of more than zstd looks back to, so that it finds no run in an earlier one.
const TEXT_BYTES = 4_000_000;
const LONG_RUN = 1_000_000;
const ENCODER_ROUNDS = 10;

/** Traces runs, by our client and the public ones in turn, and prints tables and the targets. */
export const tracing = bench(
  "sending runs, against the public SDKs for JS and Python, and what encodes them",
  {
    rounds: count("rounds, without the one that is dropped", 3),
    share: number("a share of the runs: to see that all works", 1, { least: 0.01, most: 1 }),
    services: names("services that say which encodings they take", [...SERVICES.keys()]),
  },
  async ({ rounds, share, services: chosen }) => {
    const services = chosen.flatMap((name) => SERVICES.get(name) ?? []);
    console.log(
      `${machine()}; each client in a process of its own, ` +
        "and the server in another.\nOf each round the server reads all that has arrived, when the client has ended: each " +
        "client must have sent the same.\nRatios of time hold where others keep few CPUs busy while a case has its best " +
        "round; CPU is that of all threads once the code is loaded.",
    );
    const work = mkdtempSync(join(tmpdir(), "graph-deploy-bench-tracing-"));
    try {
      const textFile = join(work, "text");
      writeFileSync(textFile, sourceText(new Random(5), TEXT_BYTES));
      printEncoders(await runRounds(encoderCases(), ENCODER_ROUNDS));
      using scenes = await TracingScenes.start();
      const cases = tracingCases(await tracingClients(), { scenes, services, textFile, share });
      const results = await runRounds(cases, rounds);
      const measured = cases.flatMap(({ client, workload, service }, at): readonly Measured[] => {
        const result = results[at];
        return result === undefined ? [] : [{ client, workload, service, result }];
      });
      const same = Map.groupBy(measured, ({ service, workload }) => `${service.name}, ${workload.name}`);
      for (const of of same.values()) printWorkload(of);
      printLongRun(await longRun(scenes, LONG_RUN * share, textFile));
      if (share < 1)
        console.log(
          "\nThe targets are for all of the runs: what is compiled and loaded once counts for more in fewer.",
        );
    } finally {
      rmSync(work, { recursive: true, force: true });
    }
  },
  shortTracing,
);

/** A fifth of the runs of 1 KB, beside the JS SDK, with a limit that noise does not reach. */
async function shortTracing(): Promise<readonly Claim[]> {
  const work = mkdtempSync(join(tmpdir(), "graph-deploy-bench-tracing-"));
  try {
    const textFile = join(work, "text");
    writeFileSync(textFile, sourceText(new Random(5), TEXT_BYTES));
    const clients = (await tracingClients()).filter(({ kind }) => kind === "ours" || kind === "js");
    using scenes = await TracingScenes.start();
    const services = [...SERVICES.values()].slice(0, 1);
    const all = tracingCases(clients, { scenes, services, textFile, share: 0.2 });
    const results = await runRounds(
      all.filter(({ workload }) => workload.name === "1 KB").map((each) => ({ ...each, name: each.client.kind })),
      2,
    );
    return [claimOf("sending runs of 1 KB, of the public JS SDK", results, { ours: "ours", theirs: "js", most: 0.5 })];
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function printWorkload(measured: readonly Measured[]): void {
  const [first] = measured;
  if (first === undefined) return;
  const { workload, service, result: ours } = first;
  const { count } = workload;
  const rows = measured.map(({ client, result }) => {
    const { bestSeconds, medianSeconds, processorSeconds, medianProcessorSeconds, busyElsewhere } = result;
    const rates = [bestSeconds, medianSeconds].map((seconds) => (count / seconds).toFixed(0));
    const processor = [processorSeconds, medianProcessorSeconds].map((seconds) =>
      seconds === undefined ? "–" : ((1e6 * seconds) / count).toFixed(0),
    );
    const ratios = (["best", "median"] as const).map((of) => cpuRatioTo(ours, result, of)?.toFixed(2) ?? "–");
    const usage = [megabytes(result.peakBytes), megabytes(result.outputBytes), busyElsewhere?.toFixed(1) ?? "–"];
    return [client.name, ...rates, ratioTo(ours, result).toFixed(1), ...processor, ...ratios, ...usage];
  });
  print(
    `${count.toLocaleString("en")} runs of ${workload.name}, ${service.name}`,
    table(HEAD, rows),
    workloadTargets(measured),
  );
}

const HEAD = [
  "client",
  "best runs/s",
  "median runs/s",
  "ours is × as fast",
  "best CPU µs/run",
  "median",
  "× the CPU of ours",
  "median",
  "peak MB",
  "sent MB",
  "others' CPUs",
];

function printEncoders(results: readonly Result[]): void {
  const stringify = results.find(({ name }) => name === ENCODERS.stringify);
  if (stringify === undefined) return;
  const rows = results.map((result) => {
    const times = [result.bestSeconds, result.medianSeconds].map((seconds) =>
      ((1e6 * seconds) / ENCODED_RUNS).toFixed(2),
    );
    return [result.name, ...times, ratioTo(stringify, result).toFixed(1)];
  });
  const head = ["encoder", "best µs/run", "median µs/run", "of JSON.stringify"];
  print("100 runs a batch, 3 parts and 1.6 kB a run", table(head, rows), encoderTargets(results));
}

function printLongRun(run: LongRun): void {
  const { count, seconds, residentBytes } = run;
  const name = `${count.toLocaleString("en")} runs of 200 B in one process, ${(count / seconds).toFixed(0)} runs/s`;
  const rows = [["peak MB", ...residentBytes.map(megabytes)]];
  const head = ["tenth of the runs", ...residentBytes.map((_, at) => String(at + 1))];
  print(name, table(head, rows), [memoryTarget(run)]);
}

function print(name: string, lines: readonly string[], targets: readonly string[]): void {
  for (const line of ["", name, ...lines, "", ...targets]) console.log(line);
}
