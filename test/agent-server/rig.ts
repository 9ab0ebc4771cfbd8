import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { AgentServer } from "../../src/agent-server/client.ts";
import { HttpClient } from "../../src/http/http-client.ts";
import type { RetryNotice } from "../../src/http/retry.ts";
import { Endpoint } from "../../src/http/endpoint.ts";
import { FastClock } from "../wire/clocks.ts";
import { startFaultServer, type Handler } from "../wire/fault-server.ts";
import type { Fault } from "../wire/faults.ts";
import { API_KEY } from "../control-plane/rig.ts";

/** A client in front of a fault server that answers as this handler does. */
export async function agentRig(handler: Handler, clock = new FastClock()) {
  const front = await startFaultServer(handler);
  const notices: RetryNotice[] = [];
  const cancel = new AbortController();
  const http = new HttpClient({
    clock,
    random: () => 0.5,
    signal: cancel.signal,
    onRetry: (notice) => notices.push(notice),
  });
  onTestFinished(() => http.close());
  return {
    front,
    http,
    clock,
    notices,
    cancel,
    server: new AgentServer({ endpoint: new Endpoint(front.url, { apiKey: API_KEY }), http }),
  };
}

/** How an answer in pieces ends: as it should, without its last chunk, with a reset, or not at all. */
export type Ending = "close" | "complete" | "reset" | "silent";

/** How the pieces of an answer come. */
interface Pieces {
  readonly type?: string;
  /** Milliseconds after each piece. */
  readonly pause?: number;
  readonly ending?: Ending;
  /** Called with the number of pieces so far. */
  readonly onPiece?: (count: number) => void;
}

/** An answer that comes in these pieces. */
export function inPieces(pieces: readonly (Buffer | string)[], how: Pieces = {}): Fault {
  const { type = "text/event-stream", pause = 0, ending = "complete", onPiece } = how;
  return {
    processed: true,
    act: async ({ socket }) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\ntransfer-encoding: chunked\r\n\r\n`);
      for (const [index, piece] of pieces.entries()) {
        const bytes = Buffer.from(piece);
        socket.write(Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]));
        await sleep(pause);
        onPiece?.(index + 1);
      }
      if (ending === "complete") socket.end("0\r\n\r\n");
      else if (ending === "close") socket.end();
      else if (ending === "reset") socket.resetAndDestroy();
      else await new Promise<void>((resolve) => socket.once("close", () => resolve()).resume());
    },
  };
}

/** The error that this ends with. */
export async function errorOf(work: Promise<unknown>): Promise<unknown> {
  return await work.then(
    (value) => ({ expected: "an error", value }),
    (error: unknown) => error,
  );
}

/** All that comes out of a generator. */
export async function all<Value>(values: AsyncIterable<Value>): Promise<readonly Value[]> {
  const found: Value[] = [];
  for await (const value of values) found.push(value);
  return found;
}
