import { once } from "node:events";
import { createServer, request as send, Agent, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import * as z from "zod";
import { seeded } from "./seeded.ts";

/** How often a request fails, 0 to 1. */
export interface Rates {
  /** Answered with 429 before anything is done. */
  readonly limited: number;
  /** Cut; every second time after the service behind has done it. */
  readonly reset: number;
}

/** A way to a service that loses some requests on it. */
export class FlakyFront {
  readonly url: string;
  /** How often each fault happened. */
  readonly faults = { limited: 0, reset: 0 };

  constructor(url: string) {
    this.url = url;
  }

  /** Opens one before the service at `behind`; the same requests fail each time that the seed is the same. */
  static async open(behind: string, rates: Rates, seed: string): Promise<FlakyFront> {
    const random = seeded(seed);
    const agent = new Agent({ keepAlive: true, maxSockets: 16 });
    const server = createServer((request, response) => {
      const chance = random();
      handle(request, response, chance).catch(() => request.socket.destroy());
    });
    const handle = async (request: IncomingMessage, response: ServerResponse, chance: number) => {
      const body = await buffer(request);
      if (chance < rates.limited) {
        front.faults.limited += 1;
        response.writeHead(429, { "retry-after": "0" }).end();
        return;
      }
      const isReset = chance < rates.limited + rates.reset;
      if (isReset) front.faults.reset += 1;
      const isCutBefore = isReset && front.faults.reset % 2 === 0;
      const answer = isCutBefore ? undefined : await forward(request, body);
      if (isReset || answer === undefined) request.socket.resetAndDestroy();
      else response.writeHead(answer.status, answer.headers).end(answer.body);
    };
    const forward = async ({ method, url, headers }: IncomingMessage, body: Buffer) => {
      const sent = send(new URL(url ?? "/", behind), { method, headers, agent });
      sent.end(body);
      const [answer] = z.tuple([z.custom<IncomingMessage>()]).parse(await once(sent, "response"));
      return { status: answer.statusCode ?? 500, headers: answer.headers, body: await buffer(answer) };
    };
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = z.object({ port: z.number() }).parse(server.address());
    const front = new FlakyFront(`http://127.0.0.1:${String(port)}`);
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    });
    return front;
  }
}
