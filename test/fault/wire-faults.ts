import {
  hugeBody,
  htmlPage,
  garbageJson,
  redirect,
  resetAfter,
  serialise,
  stalledBody,
  stalledHeaders,
  status,
  statusAfter,
  truncated,
  type Fault,
} from "../wire/faults.ts";

/** A fault on the wire that happens to one request of the built action. */
export interface WireFault {
  readonly name: string;
  /** Absent: nobody listens when the request is made. */
  readonly fault?: Fault;
  /** At how many requests it may end a deploy: at none when it passes by itself. */
  readonly mostRed: number;
  /** True when the client must give up by the clock. */
  readonly stalls?: boolean;
}

const EACH = Number.POSITIVE_INFINITY;

const cutAfter = (bytes: (whole: Buffer) => number): Fault => ({
  processed: true,
  act: async ({ socket, answer }) => {
    const whole = serialise(answer ?? { status: 200, body: {} });
    await new Promise<void>((resolve) => socket.write(whole.subarray(0, bytes(whole)), () => resolve()));
    socket.resetAndDestroy();
  },
});
const headOf = (whole: Buffer) => whole.indexOf("\r\n\r\n");

/** One after the other hits each request. */
export const WIRE_FAULTS: readonly WireFault[] = [
  // The pauses before the attempts are chosen by chance: seldom are all of them too short.
  { name: "refused", mostRed: 1 },
  { name: "reset before headers", fault: resetAfter, mostRed: 0 },
  { name: "reset within headers", fault: cutAfter((whole) => headOf(whole) / 2), mostRed: 0 },
  {
    name: "reset within body",
    fault: cutAfter((whole) => headOf(whole) + 4 + (whole.length - headOf(whole) - 4) / 2),
    mostRed: 0,
  },
  { name: "truncated body", fault: truncated, mostRed: 0 },
  { name: "stall before headers", fault: stalledHeaders, mostRed: 0, stalls: true },
  { name: "stall within body", fault: stalledBody, mostRed: 0, stalls: true },
  { name: "500", fault: status(500), mostRed: 0 },
  { name: "502 after processing", fault: statusAfter(502), mostRed: 0 },
  { name: "503 with Retry-After", fault: status(503, { headers: { "retry-after": "1" } }), mostRed: 0 },
  { name: "429 with Retry-After", fault: status(429, { headers: { "retry-after": "1" } }), mostRed: 0 },
  { name: "404", fault: status(404, { body: { detail: "Not Found" } }), mostRed: EACH },
  { name: "page of HTML", fault: htmlPage, mostRed: 0 },
  { name: "half of some JSON", fault: garbageJson, mostRed: 0 },
  { name: "JSON of another kind", fault: statusAfter(200, { body: { hello: ["world"] } }), mostRed: EACH },
  { name: "redirect elsewhere", fault: redirect(302, "https://elsewhere.example/login"), mostRed: EACH },
  { name: "body of 17 MiB", fault: hugeBody, mostRed: EACH },
];
