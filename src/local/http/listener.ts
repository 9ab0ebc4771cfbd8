import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import type { FieldNames } from "../../contract/field-names.ts";
import { checkCaller } from "./access.ts";
import type { FaultAction, Faults } from "../faults/faults.ts";
import { responseOfError, responseOfFault, gone, send, type HttpResponse } from "./response.ts";
import { HttpCall } from "./call.ts";
import { errorCode, HttpError, noRoom } from "./error.ts";
import type { OpenRecord, RequestRecords } from "./request-record.ts";

export interface ListenerOptions {
  readonly server: "service" | "agent";
  /** 0 picks a free port. */
  readonly port: number;
  readonly handle: (call: HttpCall) => Promise<HttpResponse>;
  /** How names are spelled on this server's wire. */
  readonly fieldNames: FieldNames;
  /** Requests may use our own spelling of those names, too. */
  readonly acceptOwnNames: boolean;
  readonly faults: Faults;
  readonly records: RequestRecords;
  readonly log: (line: string) => void;
}

/** An HTTP server on 127.0.0.1. It records each request, injects faults, and turns errors into responses. */
export class HttpListener {
  readonly port: number;
  readonly #server: Server;
  readonly #options: ListenerOptions;
  readonly #open = new Set<Promise<void>>();

  private constructor(server: Server, port: number, options: ListenerOptions) {
    this.#server = server;
    this.port = port;
    this.#options = options;
    server.on("request", (request, response) => {
      const served = this.#serve(request, response).finally(() => this.#open.delete(served));
      this.#open.add(served);
    });
  }

  /** Resolves once it listens; rejects with EADDRINUSE if the port is taken. */
  static async open(options: ListenerOptions): Promise<HttpListener> {
    const server = createServer();
    server.listen(options.port, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("The server has no port.");
    return new HttpListener(server, address.port, options);
  }

  get url(): string {
    return `http://127.0.0.1:${String(this.port)}`;
  }

  /** Cuts all connections, idle ones too, and waits for the requests in progress. */
  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
    await Promise.all(this.#open);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { server, records, faults } = this.#options;
    const { method = "GET", url = "/", headers } = request;
    const [path = "/", query = ""] = url.split("?", 2);
    const record = records.open({ server, method, path, query: new URLSearchParams(query), headers });
    const fault = faults.take(record);
    const moment = momentOf(fault);
    try {
      if (fault && moment === "before") {
        await this.#fail(response, record, fault);
        return;
      }
      if (fault?.kind === "delay") await Promise.race([sleep(fault.milliseconds), gone(response)]);
      const over = new AbortController();
      response.once("close", () => {
        over.abort();
      });
      const reply = await this.#respond(request, record, over.signal);
      if (fault && moment === "after") {
        reply.stream?.destroy();
        await this.#fail(response, record, fault);
        return;
      }
      record.status = reply.status;
      await send(response, reply, fault);
    } catch (error) {
      // The response cannot be sent any more: the client hung up, or its source was aborted for that.
      const isHangUp =
        error instanceof Error && (error.name === "AbortError" || errorCode(error) === "ERR_STREAM_PREMATURE_CLOSE");
      if (!isHangUp) this.#options.log(`${method} ${path} failed: ${String(error)}`);
      response.destroy();
    }
  }

  async #respond(request: IncomingMessage, record: OpenRecord, over: AbortSignal): Promise<HttpResponse> {
    const { handle, fieldNames, acceptOwnNames } = this.#options;
    try {
      checkCaller(request.headers);
      const given = await handle(new HttpCall(request, record, fieldNames, acceptOwnNames, over));
      return given.json === undefined ? given : { ...given, json: fieldNames.toWire(given.json) };
    } catch (error) {
      // A client that hangs up early is not an error of the service.
      if (!(error instanceof HttpError) && !over.aborted) {
        this.#options.log(`${record.method} ${record.path} failed: ${noRoom(error) || String(error)}`);
      }
      return responseOfError(error, fieldNames);
    }
  }

  async #fail(response: ServerResponse, record: OpenRecord, fault: FaultAction): Promise<void> {
    if (fault.kind === "reset") response.socket?.resetAndDestroy();
    else if (fault.kind === "stall") await gone(response);
    else if (fault.kind === "answer") {
      record.status = fault.status;
      await send(response, responseOfFault(fault));
    }
  }
}

function momentOf(fault: FaultAction | undefined): "before" | "after" | undefined {
  if (fault?.kind === "answer" || fault?.kind === "reset") return fault.when ?? "before";
  if (fault?.kind === "stall" && fault.when !== "body") return fault.when ?? "before";
  return undefined;
}
