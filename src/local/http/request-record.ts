import type { IncomingHttpHeaders } from "node:http";

/** A recorded request. Its headers are complete, so that a test can see which credentials went where. */
export interface RecordedRequest {
  readonly server: "service" | "agent";
  readonly method: string;
  /** As it was sent, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  /** How many bytes of the body were read. */
  readonly bodyBytes: number;
  /** The body, if it was read as JSON. */
  readonly json: unknown;
  /** Undefined until the response is sent, and if the connection was cut. */
  readonly status: number | undefined;
}

export type OpenRecord = { -readonly [Field in keyof RecordedRequest]: RecordedRequest[Field] };

// A service that runs for days is polled often; its memory must not grow.
const KEPT = 10_000;

/** The latest requests, oldest first. */
export class RequestRecords {
  readonly list: OpenRecord[] = [];

  open(request: Pick<RecordedRequest, "server" | "method" | "path" | "query" | "headers">): OpenRecord {
    const record: OpenRecord = { ...request, bodyBytes: 0, json: undefined, status: undefined };
    this.list.push(record);
    if (this.list.length > KEPT) this.list.shift();
    return record;
  }
}
