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
  /** The body, if it was read as JSON and the service was started with `keepBodies`. */
  readonly json: unknown;
  /** Undefined until the response is sent, and if the connection was cut. */
  readonly status: number | undefined;
}

/** A record that is still being filled in. */
export interface OpenRecord extends Omit<RecordedRequest, "bodyBytes" | "status"> {
  bodyBytes: number;
  status: number | undefined;
  /** Takes the text of a JSON body. */
  readonly keep: (text: string) => void;
}

// A service that runs for days is polled often; its memory must not grow.
const MOST_REQUESTS = 10_000;
// A head may have 16 KiB and a body 1 MiB, so a number of requests alone is no bound.
const MOST_BYTES = 32 * 1024 * 1024;
// The objects of a record, besides its texts.
const RECORD_BYTES = 1024;
// Each of those texts, besides its characters.
const TEXT_BYTES = 32;

/** The latest requests, oldest first, bounded by their number and by the memory that they take. */
export class RequestRecords {
  readonly list: readonly OpenRecord[];
  readonly #list: OpenRecord[] = [];
  readonly #keepBodies: boolean;
  /** What each record of the list takes. */
  readonly #sizes = new Map<OpenRecord, number>();
  #bytes = 0;

  constructor({ keepBodies = false }: { readonly keepBodies?: boolean | undefined } = {}) {
    this.list = this.#list;
    this.#keepBodies = keepBodies;
  }

  /** What the records take, at most. */
  get bytes(): number {
    return this.#bytes;
  }

  open(request: Pick<RecordedRequest, "server" | "method" | "path" | "query" | "headers">): OpenRecord {
    let body: string | undefined;
    const record: OpenRecord = {
      ...request,
      bodyBytes: 0,
      // Kept as text, whose size is known; the objects of a parsed body may take many times as much.
      get json() {
        return body === undefined ? undefined : (JSON.parse(body) as unknown);
      },
      status: undefined,
      keep: (text) => {
        const size = this.#sizes.get(record);
        if (!this.#keepBodies || size === undefined) return;
        body = text;
        this.#count(record, size + sizeOf(text));
      },
    };
    this.#list.push(record);
    const texts = [request.method, request.path, ...request.query].flat();
    const fields = Object.entries(request.headers).flatMap(([name, value = ""]) => [name, value].flat());
    this.#count(
      record,
      [...texts, ...fields].reduce((sum, text) => sum + sizeOf(text), RECORD_BYTES),
    );
    return record;
  }

  #count(record: OpenRecord, size: number): void {
    this.#bytes += size - (this.#sizes.get(record) ?? 0);
    this.#sizes.set(record, size);
    while (this.#list.length > MOST_REQUESTS || this.#bytes > MOST_BYTES) {
      const oldest = this.#list.shift();
      if (!oldest) return;
      this.#bytes -= this.#sizes.get(oldest) ?? 0;
      this.#sizes.delete(oldest);
    }
  }
}

// UTF-16, as the engine may keep it, and its place in a list or an object: a head may have thousands of short texts.
function sizeOf(text: string): number {
  return TEXT_BYTES + 2 * text.length;
}
