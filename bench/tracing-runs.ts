import { readFileSync } from "node:fs";
import { connectTracing } from "../src/connection.ts";
import { RunIngest, Tracer } from "../src/tracing/index.ts";

/** What is traced, as all clients get it in their arguments. */
export interface TracedRuns {
  readonly url: string;
  readonly count: number;
  /** Characters of the text that a run has as its input, and again as its output. */
  readonly size: number;
  /** A file of text, of which each run has another piece. */
  readonly textFile: string;
}

/** Reads the arguments that each client of the bench gets: url, count, size, file of text. */
export function tracedRunsOf([url = "", count = "", size = "", textFile = ""]: readonly string[]): TracedRuns {
  return { url, count: Number(count), size: Number(size), textFile };
}

/** Traces the runs, one after the other, as a program does, until all are stored; calls back after each one. */
export async function traceRuns({ url, count, size, textFile }: TracedRuns, onRun?: (index: number) => void) {
  const text = readFileSync(textFile, "latin1");
  const begin = performance.now();
  const busy = process.cpuUsage();
  await using connection = connectTracing({ url, apiKey: "key-of-the-bench-0123456789" });
  const { clock, tracing } = connection;
  const ingest = new RunIngest({ tracing, clock });
  const tracer = new Tracer({ ingest, clock, session: { session_name: "bench" } });
  for (let index = 0; index < count; index++) {
    const [question, answer] = piecesOf(text, size, index);
    const run = tracer.start("bench", { inputs: { question, index } });
    await run.end({ answer });
    onRun?.(index);
  }
  const { stored, rejected, unsent } = await tracer.flush();
  const { user, system } = process.cpuUsage(busy);
  if (stored !== count)
    throw new Error(`${stored} of ${count} runs are stored, ${rejected} rejected, ${unsent} unsent`);
  return { seconds: (performance.now() - begin) / 1000, processorSeconds: (user + system) / 1e6 };
}

/** Two texts of so many characters for each run, none of which comes twice in what zstd looks back to. */
function piecesOf(text: string, size: number, index: number): readonly [question: string, answer: string] {
  const start = (2 * size * index) % (text.length - 2 * size);
  // Each tenth question has characters beyond ASCII.
  const end = index % 10 === 0 ? " – ü" : "";
  return [text.slice(start, start + size) + end, text.slice(start + size, start + 2 * size)];
}
