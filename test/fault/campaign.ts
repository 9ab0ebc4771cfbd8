import { table } from "../../bench/table.ts";
import { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import { ControlPlane } from "../../src/control-plane/client.ts";
import { HttpClient } from "../../src/http/http-client.ts";
import { Endpoint } from "../../src/http/endpoint.ts";
import { FastClock } from "../wire/clocks.ts";
import { startFaultServer, type FaultServer } from "../wire/fault-server.ts";
import { ATTEMPT_MILLISECONDS, FAULT_KINDS, well, type FaultKind } from "./fault-kinds.ts";
import { inLanes } from "./lanes.ts";
import { LenientService } from "./lenient-service.ts";
import { seeded } from "./seeded.ts";

const RATES = [0.1, 0.3, 0.5];
const LANES = 8;
// A run that sends more has lost its way; the rest of it goes well, and is counted.
const MOST_FAULTY_REQUESTS = 200;

/** One operation that met faults, judged by what stands in the service afterwards. */
export interface Verdict {
  readonly ok: boolean;
  /** More of it than one. */
  readonly duplicate: boolean;
  /** It is there, and neither the error says so nor does the next run find it; or it is not there, and no error. */
  readonly lost: boolean;
  /** A success that names something else than what is there. */
  readonly falseGreen: boolean;
}

/** What one operation works with. */
export interface Scene {
  readonly service: LenientService;
  readonly front: FaultServer;
  readonly plane: ControlPlane;
  readonly clock: FastClock;
  readonly random: () => number;
  /** The text of this name makes the same faults again. */
  readonly seed: string;
  /** From here on all goes well, and the lists have caught up. */
  readonly calm: () => Promise<void>;
}

/** How an operation is done and judged. */
export interface Operation {
  readonly name: string;
  readonly runsPerCell: number;
  readonly run: (scene: Scene) => Promise<Verdict>;
}

/** The sum of all runs of one kind of fault at one rate. */
export interface Cell {
  readonly kind: string;
  readonly rate: number;
  readonly runs: number;
  readonly ok: number;
  readonly failures: number;
  readonly duplicates: number;
  readonly lost: number;
  readonly falseGreens: number;
  readonly requests: number;
  /** The seeds of the runs with a duplicate, something lost or a false green. */
  readonly bad: readonly string[];
}

/**
 * Runs an operation against each kind of fault at each rate; `only` is the seed of a single run. Every run has a server
 * and a client of its own, and a clock on which pauses take no time.
 */
export async function campaign(
  { name, runsPerCell, run }: Operation,
  only: string | undefined,
): Promise<readonly Cell[]> {
  const cells: Cell[] = [];
  for (const kind of FAULT_KINDS) {
    for (const rate of RATES) {
      const all = Array.from({ length: runsPerCell }, (_, index) => `${name}/${kind.name}/${rate}/${index}`);
      const seeds = all.filter((seed) => only === undefined || seed === only);
      if (seeds.length === 0) continue;
      const runs = await inLanes(LANES, seeds, (seed) => runOne(seed, kind, rate, run));
      cells.push(sumOf(kind.name, rate, runs));
    }
  }
  if (cells.length === 0) throw new Error(`No run of ${name} has the seed ${only ?? ""}.`);
  return cells;
}

interface Run extends Verdict {
  readonly seed: string;
  readonly requests: number;
}

async function runOne(seed: string, kind: FaultKind, rate: number, run: Operation["run"]): Promise<Run> {
  const random = seeded(seed);
  const clock = new FastClock();
  const service = new LenientService(() => clock.now());
  service.lagMilliseconds = random() * (kind.longestLagMilliseconds ?? 0);
  const ends: (() => Promise<void>)[] = [];
  const front = await startFaultServer(service.handle, (end) => ends.push(end));
  front.onStall = () => clock.pass(ATTEMPT_MILLISECONDS);
  for (let request = 0; request < MOST_FAULTY_REQUESTS; request += 1) {
    front.script({ method: "GET" }, random() < rate ? kind.ofRead(random) : well);
    front.script({ method: "POST" }, random() < rate ? kind.ofWrite(random) : well);
    front.script({ method: "PATCH" }, random() < rate ? kind.ofWrite(random) : well);
  }
  await using http = new HttpClient({ clock, random });
  const plane = new ControlPlane({ endpoint: new Endpoint(front.url), http });
  let requests: number | undefined;
  const calm = async () => {
    requests = front.requests.length;
    front.reset();
    await clock.sleep(60_000);
  };
  try {
    const verdict = await run({ service, front, plane, clock, random, seed, calm });
    return { ...verdict, seed, requests: requests ?? front.requests.length };
  } finally {
    for (const end of ends) await end();
  }
}

/** How long an attempt of a call may take, since some answers never come. */
export const CALL = { attemptMilliseconds: ATTEMPT_MILLISECONDS } as const;

/** The value of a call, or the error that a user would see. */
export async function settled<Value>(
  call: Promise<Value>,
): Promise<{ readonly value: Value } | { readonly error: GraphDeployError }> {
  try {
    return { value: await call };
  } catch (error) {
    if (error instanceof GraphDeployError) return { error };
    throw error;
  }
}

function sumOf(kind: string, rate: number, runs: readonly Run[]): Cell {
  const count = (is: (run: Run) => boolean) => runs.filter(is).length;
  const isBad = ({ duplicate, lost, falseGreen }: Verdict) => duplicate || lost || falseGreen;
  return {
    kind,
    rate,
    runs: runs.length,
    ok: count(({ ok }) => ok),
    failures: count(({ ok }) => !ok),
    duplicates: count(({ duplicate }) => duplicate),
    lost: count(({ lost }) => lost),
    falseGreens: count(({ falseGreen }) => falseGreen),
    requests: runs.reduce((sum, { requests }) => sum + requests, 0),
    bad: runs.filter(isBad).map(({ seed }) => seed),
  };
}

const HEAD = [
  "kind of fault",
  "rate",
  "runs",
  "ok",
  "clean failures",
  "duplicates",
  "lost",
  "false greens",
  "requests",
];

/** The table of a campaign and its sum. */
export function report(title: string, cells: readonly Cell[]): string {
  const row = ({ kind, rate, ...sums }: Cell, rateText = `${String(rate * 100)} %`) => [
    kind,
    rateText,
    ...[sums.runs, sums.ok, sums.failures, sums.duplicates, sums.lost, sums.falseGreens, sums.requests].map(String),
  ];
  const rows = cells.map((cell) => row(cell));
  return [title, ...table(HEAD, [...rows, row(totalOf(cells), "")])].join("\n");
}

/** All cells as one. */
export function totalOf(cells: readonly Cell[]): Cell {
  const sum = (of: (cell: Cell) => number) => cells.reduce((total, cell) => total + of(cell), 0);
  return {
    kind: "all",
    rate: 0,
    runs: sum(({ runs }) => runs),
    ok: sum(({ ok }) => ok),
    failures: sum(({ failures }) => failures),
    duplicates: sum(({ duplicates }) => duplicates),
    lost: sum(({ lost }) => lost),
    falseGreens: sum(({ falseGreens }) => falseGreens),
    requests: sum(({ requests }) => requests),
    bad: cells.flatMap(({ bad }) => bad),
  };
}
