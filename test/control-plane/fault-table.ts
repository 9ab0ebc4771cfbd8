import { API_KEY } from "./rig.ts";
import {
  closed,
  duplicateLength,
  echo,
  garbageBytes,
  garbageJson,
  htmlPage,
  hugeBody,
  hugeHeader,
  noContent,
  resetAfter,
  resetBefore,
  slowloris,
  stalledBody,
  stalledHeaders,
  truncated,
  truncatedChunked,
  type Fault,
} from "../wire/faults.ts";

/** A fault, and how an operation ends that meets it once. */
export interface FaultRow {
  readonly name: string;
  readonly fault: Fault;
  /** What becomes of a request that may be sent twice: `retried`, or the code of the error. */
  readonly repeatable: string;
  /** What becomes of one that may not: `retried` blindly, `looked up` first, or the code of the error. */
  readonly once: string;
  /** True when the client must give up by the clock. */
  readonly stalls?: boolean;
}

const passing = { repeatable: "retried", once: "looked up" } as const;
const final = (code: string) => ({ repeatable: code, once: code });

/** A refusal by a server that repeats whatever it was sent, in each place that an error could quote. */
function refusalThatEchoes(status: number): Fault {
  return echo(({ headers, body }) => ({
    status,
    headers: { "x-request-id": headers["x-api-key"] ?? "none", "x-echo": headers["x-api-key"] ?? "none" },
    body: {
      detail: `Refused.\u001b[31m key ${headers["x-api-key"] ?? ""} body ${body.toString("latin1")} ${API_KEY}`,
      input: body.toString("latin1"),
    },
  }));
}

const FINAL_STATUSES = [400, 401, 403, 404, 405, 406, 410, 411, 413, 415, 418, 422, 426, 431, 451];
// Processed or not: nobody says that it was, so that a write is looked up.
const FINAL_SERVER_STATUSES = [501, 505, 507, 511];
const PASSING_STATUSES = [408, 500, 502, 503, 504];
const UNTOUCHED_STATUSES = [425, 429];

/** What can go wrong once, each with the ending that it must have. */
export const FAULT_TABLE: readonly FaultRow[] = [
  { name: "a reset before it is processed", fault: resetBefore, ...passing },
  { name: "a reset after it is processed", fault: resetAfter, ...passing },
  { name: "a close without an answer", fault: closed, ...passing },
  { name: "a truncated body", fault: truncated, ...passing },
  { name: "a truncated chunked body", fault: truncatedChunked, ...passing },
  { name: "stalled headers", fault: stalledHeaders, ...passing, stalls: true },
  { name: "a stalled body", fault: stalledBody, ...passing, stalls: true },
  { name: "endless headers", fault: slowloris, ...passing, stalls: true },
  { name: "bytes that are no HTTP", fault: garbageBytes, ...passing },
  { name: "half of some JSON", fault: garbageJson, ...passing },
  { name: "a page of HTML", fault: htmlPage, ...passing },
  { name: "two lengths", fault: duplicateLength, ...passing },
  { name: "a body of 17 MiB", fault: hugeBody, repeatable: "NETWORK", once: "looked up" },
  { name: "a header of 64 KiB", fault: hugeHeader, repeatable: "NETWORK", once: "looked up" },
  { name: "204 without a body", fault: noContent, repeatable: "INVALID_RESPONSE", once: "looked up" },
  ...FINAL_STATUSES.map((status) => ({
    name: String(status),
    fault: refusalThatEchoes(status),
    ...final(status === 401 ? "UNAUTHORIZED" : "HTTP_STATUS"),
  })),
  ...FINAL_SERVER_STATUSES.map((status) => ({
    name: String(status),
    fault: refusalThatEchoes(status),
    repeatable: "HTTP_STATUS",
    once: "looked up",
  })),
  ...PASSING_STATUSES.map((status) => ({ name: String(status), fault: refusalThatEchoes(status), ...passing })),
  ...UNTOUCHED_STATUSES.map((status) => ({
    name: String(status),
    fault: refusalThatEchoes(status),
    repeatable: "retried",
    once: "retried",
  })),
];
