import { Agent, request as send } from "node:http";
import { buffer } from "node:stream/consumers";
import type { Handler } from "./fault-server.ts";
import type { WireAnswer } from "./faults.ts";

const HOP_BY_HOP = new Set(["connection", "host", "keep-alive", "transfer-encoding", "date"]);

/** A handler that hands each request on to the service at `url()`, and may edit what it answers. */
export function forwardTo(url: () => string, edit: (body: string) => string = (body) => body): Handler {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  return ({ method, target, headers, body }) =>
    new Promise<WireAnswer>((resolve, reject) => {
      const own = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name));
      const sent = send(new URL(target, url()), { method, agent, headers: Object.fromEntries(own) });
      sent.on("error", reject).on("response", (answer) => {
        buffer(answer).then((bytes) => {
          const kept = Object.entries(answer.headers).filter(([name]) => !HOP_BY_HOP.has(name));
          const text = Buffer.from(edit(bytes.toString("utf8")));
          const length = { "content-length": String(text.length) };
          const all = { ...Object.fromEntries(kept.map(([name, value]) => [name, String(value)])), ...length };
          resolve({ status: answer.statusCode ?? 500, headers: answer.statusCode === 204 ? {} : all, body: text });
        }, reject);
      });
      sent.end(body);
    });
}
