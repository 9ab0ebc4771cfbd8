import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { ExperimentUploads } from "../../src/experiment-upload/client.ts";
import type { SentExperiment } from "../../src/experiments/events.ts";
import type { ExperimentRequest } from "../../src/experiments/request.ts";
import { uploadResults } from "../../src/experiments/upload.ts";
import { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import { HttpClient } from "../../src/http/http-client.ts";
import { startLocalService, type LocalService } from "../../src/local/index.ts";
import { Endpoint } from "../../src/http/endpoint.ts";
import { FastClock } from "../wire/clocks.ts";
import { startFaultServer } from "../wire/fault-server.ts";
import { closed, garbageJson, htmlPage, status, statusAfter, type Fault } from "../wire/faults.ts";
import { forwardTo } from "../wire/forward.ts";
import { isSentence } from "../wire/texts-of.ts";
import { FAULT_KINDS, well } from "./fault-kinds.ts";
import { inLanes } from "./lanes.ts";
import { seeded } from "./seeded.ts";
import { REQUEST } from "../experiments/request.ts";

const RUNS = 600;
const LANES = 6;
const RATES = [0.1, 0.3, 0.6];
const PARTS = 3;
const MOST_POSTS = 60;

// A conflict that is made up, and an answer that never comes, are not what this is about.
const OTHERS: ReadonlySet<string> = new Set(["409", "timeout", "slow list", "any of them"]);
const KINDS: readonly ((random: () => number) => Fault)[] = [
  ...FAULT_KINDS.filter(({ name }) => !OTHERS.has(name)).map(({ ofWrite }) => ofWrite),
  ...[closed, htmlPage, garbageJson, status(503), statusAfter(500), status(401)].map((fault) => () => fault),
];

const Page = z.object({ resources: z.array(z.looseObject({ id: z.string(), name: z.string() })) });

/** One upload of three parts that met faults: how it ended, and what stands in the service then. */
interface Run {
  readonly seed: string;
  readonly names: readonly string[];
  readonly sent: readonly SentExperiment[];
  readonly error: GraphDeployError | undefined;
  readonly stored: ReadonlyMap<string, string>;
  /** How many are stored, those of one name counted each. */
  readonly count: number;
}

async function listed({ url }: LocalService, path: string) {
  return Page.parse(await (await fetch(`${url}${path}?limit=100`)).json()).resources;
}

async function datasetOf({ url }: LocalService, name: string) {
  return Page.shape.resources.parse(await (await fetch(`${url}/datasets?name=${encodeURIComponent(name)}`)).json())[0];
}

function requestOf(path: string, name: string): ExperimentRequest {
  return {
    ...REQUEST,
    results: { files: [{ path, name: "results.jsonl" }], format: undefined, mapping: undefined, workspace: "/nowhere" },
    name,
    defaultName: name,
    datasetName: name,
    expectedRows: PARTS,
    maxRows: 1,
    timeoutMilliseconds: 600_000,
  };
}

async function runOne(service: LocalService, folder: string, index: number): Promise<Run> {
  const seed = `upload-${String(index)}`;
  const random = seeded(seed);
  const rate = RATES[index % RATES.length] ?? 0;
  const ends: (() => Promise<void>)[] = [];
  const front = await startFaultServer(
    forwardTo(() => service.url),
    (end) => ends.push(end),
  );
  for (let post = 0; post < MOST_POSTS; post += 1) {
    const kind = KINDS[Math.floor(random() * KINDS.length)];
    front.script({ method: "POST" }, kind !== undefined && random() < rate ? kind(random) : well);
  }
  const clock = new FastClock();
  await using http = new HttpClient({ clock, random });
  const uploads = new ExperimentUploads({ endpoint: new Endpoint(front.url), http });
  const sent: SentExperiment[] = [];
  const signal = new AbortController().signal;
  const ended = await uploadResults(requestOf(join(folder, "results.jsonl"), seed), {
    uploads,
    clock,
    signal,
    spoolDirectory: folder,
    emit: (event) => {
      if (event.type === "sent") sent.push(event.experiment);
    },
  }).catch((error: unknown) => error);
  for (const end of ends) await end();
  const dataset = await datasetOf(service, seed);
  const stored = dataset === undefined ? [] : await listed(service, `/datasets/${dataset.id}/experiments`);
  if (ended instanceof Error && !(ended instanceof GraphDeployError)) throw ended;
  return {
    seed,
    names: Array.from({ length: PARTS }, (_, part) => `${seed} [${String(part + 1)}/${String(PARTS)}]`),
    sent,
    error: ended instanceof GraphDeployError ? ended : undefined,
    stored: new Map(stored.map(({ name, id }) => [name, id])),
    count: stored.length,
  };
}

/** Uploaded with the id that it has there, or red with a sentence that names the part: uncertain, or not stored. */
function judge({ seed, names, sent, error, stored, count }: Run): string {
  expect(count, seed).toBe(stored.size);
  for (const name of stored.keys()) expect(names, seed).toContain(name);
  for (const { name, id } of sent) {
    expect(stored.has(name), seed).toBe(true);
    expect(id, seed).toBe(stored.get(name));
  }
  if (error === undefined) {
    expect([...stored.keys()].toSorted(), seed).toEqual(names);
    return "uploaded";
  }
  const next = names[sent.length] ?? "";
  expect(error.message, seed).toContain(next);
  expect(error.message, seed).toSatisfy(isSentence);
  // What is said not to be uploaded is not there.
  if (error.code !== "EXPERIMENT_UNANSWERED") expect(stored.has(next), seed).toBe(false);
  expect(stored.size, seed).toBeLessThanOrEqual(sent.length + 1);
  return error.code === "EXPERIMENT_UNANSWERED" ? "uncertain" : "failed";
}

test(`${String(RUNS)} uploads of three parts under faults store no part twice, and say what is stored`, async () => {
  const service = await startLocalService({ experimentDelayMilliseconds: 0 });
  const folder = await mkdtemp(join(tmpdir(), "graph-deploy-uploads-"));
  onTestFinished(async () => {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  });
  const times = { start_time: "2026-05-04T10:00:00Z", end_time: "2026-05-04T10:00:01Z" };
  const lines = Array.from({ length: PARTS }, (_, row) =>
    JSON.stringify({ inputs: { row }, scores: { exact: 1 }, ...times }),
  );
  await writeFile(join(folder, "results.jsonl"), lines.join("\n"));
  const indexes = Array.from({ length: RUNS }, (_, index) => index);
  const endings = (await inLanes(LANES, indexes, (index) => runOne(service, folder, index))).map(judge);
  const count = (ending: string) => endings.filter((each) => each === ending).length;
  console.log(["uploaded", "uncertain", "failed"].map((ending) => `${ending}: ${String(count(ending))}`).join(", "));
  // Each ending is met, or this would prove nothing of it.
  for (const ending of ["uploaded", "uncertain", "failed"]) expect(count(ending), ending).toBeGreaterThan(RUNS / 40);
});
