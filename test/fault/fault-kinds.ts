import { setTimeout as sleep } from "node:timers/promises";
import {
  resetAfter,
  resetBefore,
  serialise,
  stalledHeaders,
  status,
  statusAfter,
  truncated,
  truncatedChunked,
  type Fault,
  type WireAnswer,
} from "../wire/faults.ts";

/** What may go wrong with a request to the control plane, by chance. */
export interface FaultKind {
  readonly name: string;
  /** A fault of a POST or PATCH. */
  readonly ofWrite: (random: () => number) => Fault;
  /** A fault of a GET; the usual answer where only writes go wrong. */
  readonly ofRead: (random: () => number) => Fault;
  /** The longest time that what was made may be missing from the answers to a GET, milliseconds. */
  readonly longestLagMilliseconds?: number;
}

/** How long an attempt may take where one of the faults is that no answer comes, milliseconds. */
export const ATTEMPT_MILLISECONDS = 150;

/** The request goes well. */
export const well: Fault = { processed: true };

/** The answer to a look at a revision, as it is while the service still deploys it. */
export function unfinished({ headers = {}, body = "", ...answer }: WireAnswer): WireAnswer {
  const { "content-length": _, ...others } = headers;
  const text = Buffer.isBuffer(body) || typeof body === "string" ? body.toString() : JSON.stringify(body);
  return { ...answer, headers: others, body: text.replace(/"status":\s*"DEPLOYED"/, '"status":"DEPLOYING"') };
}

/** The request goes well, and the revision that it looks at is not live yet: there will be another look. */
export const notYet: Fault = {
  processed: true,
  keepsAlive: true,
  act: ({ socket, answer = { status: 500 } }) => void socket.write(serialise(unfinished(answer))),
};

const either = (first: Fault, second: Fault) => (random: () => number) => (random() < 0.5 ? first : second);
const always = (name: string, fault: Fault): FaultKind => ({ name, ofWrite: () => fault, ofRead: () => fault });
const alternating = (name: string, first: Fault, second: Fault): FaultKind => ({
  name,
  ofWrite: either(first, second),
  ofRead: either(first, second),
});
const stalledBefore: Fault = { ...stalledHeaders, processed: false };
const late = (milliseconds: number): Fault => ({
  processed: true,
  keepsAlive: true,
  act: async ({ socket, answer }) => {
    await sleep(milliseconds);
    socket.write(serialise(answer ?? { status: 500 }));
  },
});

const SINGLE_KINDS: readonly FaultKind[] = [
  always("reset before processing", resetBefore),
  always("reset after processing", resetAfter),
  always("502 after processing", statusAfter(502)),
  alternating("timeout", stalledHeaders, stalledBefore),
  alternating("truncated answer", truncated, truncatedChunked),
  {
    // Half of them by a gateway that sent the request twice itself, half by a service that made nothing.
    name: "409",
    ofWrite: either(statusAfter(409), status(409, { body: { detail: "There already exists one." } })),
    ofRead: () => well,
  },
  {
    name: "429 with Retry-After",
    ofWrite: (random) => tooMany(random),
    ofRead: (random) => tooMany(random),
  },
  {
    name: "slow list",
    ofWrite: either(resetAfter, resetBefore),
    ofRead: (random) => late(random() * 20),
    longestLagMilliseconds: 6_000,
  },
];

/** Each kind alone, and all of them together. */
export const FAULT_KINDS: readonly FaultKind[] = [
  ...SINGLE_KINDS,
  {
    name: "any of them",
    ofWrite: (random) => anyKind(random).ofWrite(random),
    ofRead: (random) => anyKind(random).ofRead(random),
    longestLagMilliseconds: 2_000,
  },
];

function tooMany(random: () => number): Fault {
  return status(429, {
    headers: { "retry-after": String(Math.ceil(random() * 3)) },
    body: { detail: "Slow down." },
  });
}

function anyKind(random: () => number): FaultKind {
  const kind = SINGLE_KINDS[Math.floor(random() * SINGLE_KINDS.length)];
  if (kind === undefined) throw new Error("There is no kind of fault.");
  return kind;
}
