import { once } from "node:events";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import type { WireReader, WireRequest } from "./wire-request.ts";

/** An answer before it is bytes; an object is sent as JSON. */
export interface WireAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string | object | undefined;
}

export interface FaultContext {
  readonly socket: Socket;
  readonly reader: WireReader;
  readonly request: WireRequest;
  /** What the handler answered; undefined when it was not asked. */
  readonly answer: WireAnswer | undefined;
  /** To be called when nothing more will come, and the client has to give up by itself. */
  readonly onStall: () => void;
}

/** What happens to one request instead of its usual answer. */
export interface Fault {
  /** Whether the handler gets the request before it goes wrong. */
  readonly processed: boolean;
  /** True when it goes wrong before the body of the request is read. */
  readonly early?: boolean;
  /** True when the connection may be used again. */
  readonly keepsAlive?: boolean;
  /** Holds the sender of the body back. */
  readonly afterChunk?: () => Promise<void>;
  /** Absent: the usual answer. */
  readonly act?: (context: FaultContext) => Promise<void> | void;
}

/** The bytes of an answer; a `content-length` among its headers stands as it is. */
export function serialise({ status, headers = {}, body = "" }: WireAnswer): Buffer {
  const isJson = typeof body === "object" && !Buffer.isBuffer(body);
  const bytes = Buffer.from(isJson ? JSON.stringify(body) : body);
  const all: Record<string, string> = {
    ...(isJson ? { "content-type": "application/json" } : {}),
    ...(status === 204 ? {} : { "content-length": String(bytes.length) }),
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const head = `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? "Odd"}\r\n${lines.join("")}\r\n`;
  return Buffer.concat([Buffer.from(head, "latin1"), status === 204 ? Buffer.alloc(0) : bytes]);
}

/** An answer that the handler did not give; the request is not processed. */
export function status(code: number, answer: Omit<WireAnswer, "status"> = { body: { detail: "No." } }): Fault {
  return {
    processed: false,
    keepsAlive: true,
    act: ({ socket }) => void socket.write(serialise({ status: code, ...answer })),
  };
}

/** The same after the request was processed: a gateway that lost the answer. */
export function statusAfter(code: number, answer?: Omit<WireAnswer, "status">): Fault {
  return { ...status(code, answer), processed: true };
}

/** An answer made from the request, for example one that repeats what it holds. */
export function echo(answer: (request: WireRequest) => WireAnswer): Fault {
  return {
    processed: false,
    keepsAlive: true,
    act: ({ socket, request }) => void socket.write(serialise(answer(request))),
  };
}

export function redirect(code: number, location: string): Fault {
  return status(code, { headers: { location } });
}

// An answer without a body gets one, so that there is something to cut.
const bodyOf = ({ answer }: FaultContext) => {
  const bytes = serialise(answer ?? { status: 200 });
  const body = bytes.subarray(bytes.indexOf("\r\n\r\n") + 4);
  return body.length === 0 ? Buffer.from("{}") : body;
};
const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n";

export const resetBefore: Fault = { processed: false, act: ({ socket }) => void socket.resetAndDestroy() };
export const resetAfter: Fault = { ...resetBefore, processed: true };
/** FIN in place of an answer. */
export const closed: Fault = { processed: true, act: ({ socket }) => void socket.end() };
/** The head announces more than comes. */
export const truncated: Fault = {
  processed: true,
  act: (context) => {
    const body = bodyOf(context);
    context.socket.end(Buffer.concat([Buffer.from(`${HEAD}content-length: ${body.length + 100}\r\n\r\n`), body]));
  },
};
export const truncatedChunked: Fault = {
  processed: true,
  act: (context) => {
    const body = bodyOf(context);
    const size = body.length.toString(16);
    context.socket.end(
      Buffer.concat([Buffer.from(`${HEAD}transfer-encoding: chunked\r\n\r\n${size}\r\n`), body, Buffer.from("\r\n")]),
    );
  },
};
/** The request is taken, and nothing comes, until the client gives up. */
export const stalledHeaders: Fault = { processed: true, act: gone };
/** Half of the body comes. */
export const stalledBody: Fault = {
  processed: true,
  act: async (context) => {
    const body = bodyOf(context);
    context.socket.write(`${HEAD}content-length: ${body.length}\r\n\r\n`);
    context.socket.write(body.subarray(0, body.length / 2));
    await gone(context);
  },
};
/** One more header every 20 ms, without end: no idle timer fires. */
export const slowloris: Fault = {
  processed: true,
  act: async ({ socket, onStall }) => {
    socket.write("HTTP/1.1 200 OK\r\n");
    for (let headers = 1; !socket.destroyed; headers += 1) {
      socket.write("x-more: to come\r\n");
      await sleep(20);
      if (headers === 2) onStall();
    }
  },
};
/** Bytes that are no HTTP, and that repeat what was sent. */
export const garbageBytes: Fault = {
  processed: true,
  act: ({ socket, request }) => void socket.end(`\u0016\u0003\u0001 ${request.head}\r\n\r\n`),
};
export const garbageJson: Fault = statusAfter(200, {
  headers: { "content-type": "application/json" },
  body: '{"id": "11111111-',
});
export const htmlPage: Fault = statusAfter(200, {
  headers: { "content-type": "text/html" },
  body: "<!doctype html><title>Sign in</title>",
});
// Larger than what the client takes: 16 MiB.
const HUGE = serialise({ status: 200, body: Buffer.alloc(17 * 1024 * 1024, " ") });
export const hugeBody: Fault = { processed: true, act: ({ socket }) => void socket.write(HUGE) };
export const hugeHeader: Fault = statusAfter(200, { headers: { "x-filler": "x".repeat(64 * 1024) }, body: {} });
export const duplicateLength: Fault = {
  processed: true,
  act: ({ socket }) => void socket.end(`${HEAD}content-length: 2\r\ncontent-length: 3\r\n\r\n{}x`),
};
export const noContent: Fault = statusAfter(204);
/** An answer while the body is still being sent, and then the end of the connection. */
export function earlyAnswer(answer: WireAnswer, end: (socket: Socket) => void): Fault {
  return {
    processed: false,
    early: true,
    act: async ({ socket }) => {
      socket.write(serialise(answer));
      await sleep(20);
      // A client in this process has read the answer by then, however busy the machine is; another process may not have,
      // and a reset would take it away.
      await turn();
      end(socket);
      if (!socket.destroyed) await once(socket, "close");
    },
  };
}
export const EARLY_403 = { status: 403, headers: { connection: "close" }, body: "<Code>AccessDenied</Code>" };
export const earlyRefusal = earlyAnswer(EARLY_403, (socket) => socket.resetAndDestroy());

/** The body of the request is taken slowly: so many milliseconds after each piece of at most 64 KiB. */
export function slowReader(milliseconds: number): Fault {
  return { processed: true, afterChunk: () => sleep(milliseconds) };
}

async function gone({ socket, onStall }: FaultContext): Promise<void> {
  if (socket.destroyed) return;
  const end = new Promise<void>((resolve) => socket.once("close", () => resolve()).resume());
  // An idle client has read by then what came; for a busy one it is as if that were still on its way.
  await sleep(20);
  onStall();
  await end;
}
