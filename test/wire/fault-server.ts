import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import { serialise, type Fault, type WireAnswer } from "./faults.ts";
import { WireReader, type WireRequest } from "./wire-request.ts";

/** What stands behind the fault server. */
export type Handler = (request: WireRequest) => Promise<WireAnswer> | WireAnswer;

/** Which requests a fault may hit; the path is without the query. */
export interface Match {
  readonly method?: string;
  readonly path?: RegExp;
}

interface Rule {
  readonly match: Match;
  readonly fault: Fault;
  left: number;
}

/**
 * A server of raw TCP that answers what no HTTP library would let it answer. Faults stand in a script: each hits the
 * next requests that match, in order, and everything else goes through.
 */
export class FaultServer {
  readonly url: string;
  /** Everything that was asked, oldest first. */
  readonly requests: WireRequest[] = [];
  /** How many connections were made, whether or not a request came. */
  connections = 0;
  /** Called whenever a fault has left a client waiting for good: what to do with that client's clock. */
  onStall: () => void = () => undefined;
  /** Nobody listens until then: connections are refused, and those that are open end. Resolves when it is back. */
  readonly away: (until: Promise<unknown>) => Promise<void>;
  readonly #handler: Handler;
  readonly #rules: Rule[] = [];

  constructor(url: string, handler: Handler, away: FaultServer["away"]) {
    this.url = url;
    this.#handler = handler;
    this.away = away;
  }

  /** The next `times` requests that match meet this fault. */
  script(match: Match, fault: Fault, times = 1): void {
    this.#rules.push({ match, fault, left: times });
  }

  /** Forgets the faults that have not happened and the requests that have. */
  reset(): void {
    this.#rules.length = 0;
    this.requests.length = 0;
    this.connections = 0;
  }

  /** How many requests matched so far. */
  count(match: Match = {}): number {
    return this.requests.filter((request) => matches(match, request)).length;
  }

  async serve(socket: Socket): Promise<void> {
    this.connections += 1;
    const reader = new WireReader(socket);
    try {
      for (let open = true; open;) {
        const request = await reader.head();
        if (request === undefined) break;
        open = await this.#exchange(socket, reader, request);
      }
    } catch {
      // The client hung up, or the test is over.
      socket.destroy();
    }
  }

  async #exchange(socket: Socket, reader: WireReader, request: WireRequest): Promise<boolean> {
    this.requests.push(request);
    const fault = this.#take(request);
    const onStall = () => {
      this.onStall();
    };
    if (fault?.early === true) {
      await fault.act?.({ socket, reader, request, answer: undefined, onStall });
      return false;
    }
    await reader.body(request, fault?.afterChunk);
    const answer = fault === undefined || fault.processed ? await this.#handler(request) : undefined;
    if (fault?.act !== undefined) {
      await fault.act({ socket, reader, request, answer, onStall });
      return fault.keepsAlive === true;
    }
    socket.write(serialise(answer ?? { status: 500 }));
    return true;
  }

  #take(request: WireRequest): Fault | undefined {
    const rule = this.#rules.find(({ match, left }) => left > 0 && matches(match, request));
    if (rule === undefined) return undefined;
    rule.left -= 1;
    return rule.fault;
  }
}

/** Says what is to be done when a server is no longer needed. */
export type Ending = (end: () => Promise<void>) => void;

/** Starts a fault server on loopback; it ends with the test unless the test ends it earlier. */
export async function startFaultServer(
  handler: Handler,
  ending: Ending = (end) => {
    onTestFinished(end);
  },
): Promise<FaultServer> {
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    void faulty.serve(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  let back = Promise.resolve();
  const away = (until: Promise<unknown>) => {
    server.close();
    for (const socket of sockets) socket.destroySoon();
    back = until.then(async () => {
      server.listen(address.port, "127.0.0.1");
      await once(server, "listening");
    });
    return back;
  };
  const faulty = new FaultServer(`http://127.0.0.1:${String(address.port)}`, handler, away);
  ending(async () => {
    await back;
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  return faulty;
}

function matches({ method, path }: Match, request: WireRequest): boolean {
  return (method === undefined || method === request.method) && (path === undefined || path.test(request.path));
}
