import { isRecord } from "../../contract/call-arguments.ts";
import { isUtf8 } from "node:buffer";
import { promisify } from "node:util";
import { gunzip, zstdDecompress } from "node:zlib";
import { TRACING } from "../../contract/operations/tracing.ts";
import { isUuid } from "../../contract/uuid.ts";
import { describeValidationError } from "../../contract/validation-error.ts";
import type { Experiments } from "../experiments/experiments.ts";
import type { HttpCall } from "../http/call.ts";
import { errorCode, HttpError, noRoom, toHttpError, tooLarge } from "../http/error.ts";
import { elementsOf, membersOf } from "../http/raw-json.ts";
import type { HttpResponse } from "../http/response.ts";
import { serve, underBothPrefixes, type Route } from "../http/router.ts";
import { parseText, runChange, type RunChange, type RunPlace } from "./change.ts";
import { readRunForm } from "./form.ts";
import { boundaryOf } from "./multipart-reader.ts";
import { runReadRoutes } from "./read-routes.ts";
import type { Runs } from "./runs.ts";

// What GET /info reports, by its public description. Larger batches are accepted, too.
const BATCH_LIMITS = {
  use_multipart_endpoint: true,
  scale_up_qsize_trigger: 1000,
  scale_up_nthreads_limit: 16,
  scale_down_nempty_trigger: 4,
  size_limit: 100,
} as const;

type Decode = (bytes: Buffer, options: { readonly maxOutputLength: number }) => Promise<Buffer>;

const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ["gzip", promisify(gunzip)],
  ["zstd", promisify(zstdDecompress)],
]);

export interface RunRoutesOptions {
  readonly runs: Runs;
  readonly experiments: Experiments;
  readonly tenantId: string;
  readonly log: (line: string) => void;
}

/** Run tracing, also under the prefix `/api/v1`. Errors have the form `{"error": TEXT}`. */
export function runRoutes({ runs, experiments, tenantId, log }: RunRoutesOptions): readonly Route[] {
  const routes = [...takingRoutes(runs), ...runReadRoutes(runs, experiments, tenantId)];
  return underBothPrefixes(
    routes.map(({ method, path, handle }) => ({
      method,
      path,
      handle: async (call, params) => {
        try {
          return await handle(call, params);
        } catch (thrown) {
          await call.drain();
          const told = toHttpError(thrown);
          if (!told) throw thrown;
          // The listener does not see it any more.
          const full = noRoom(thrown);
          if (full !== "") log(`${call.method} ${call.path} failed: ${full}`);
          const { status, headers, detail } = told;
          const error = typeof detail === "string" ? detail : detail.map(describeValidationError).join("; ");
          return { status, headers, json: { error } };
        }
      },
    })),
  );
}

function takingRoutes(runs: Runs): readonly Route[] {
  return [
    serve(TRACING.info, () => {
      const json = {
        version: "local",
        batch_ingest_config: { ...BATCH_LIMITS, size_limit_bytes: runs.limitBytes },
        instance_flags: { gzip_body_enabled: true, zstd_compression_enabled: true },
      };
      return { status: 200, json };
    }),
    serve(TRACING.createRun, async ({ call }) => {
      const main = await readText(call, runs);
      const change = runChange({ made: true, main, place: (run) => runs.newPlace(run) });
      return taken(runs.receive({ changes: [change], attachments: [] }));
    }),
    serve(TRACING.updateRun, async ({ call, param }) => {
      const id = param("run_id");
      const main = await readText(call, runs);
      if (!isUuid(id)) throw new HttpError(422, `run ID ${id} is not a valid UUID`);
      const place = (): RunPlace => {
        const known = runs.knownPlace(id.toLowerCase());
        // An update with a place can be stored until the run is created; without one it cannot.
        if (!known) throw new HttpError(404, `run ${id} not found`);
        return known;
      };
      return taken(runs.receive({ changes: [runChange({ made: false, id, main, place })], attachments: [] }));
    }),
    serve(TRACING.sendBatch, async ({ call }) => {
      const boundary = boundaryOf(call.headers["content-type"] ?? "");
      return taken(runs.receive(readRunForm(await readRunBody(call, runs.limitBytes), boundary)));
    }),
    serve(TRACING.sendJsonBatch, ({ call }) => takeBatch(call, runs)),
  ];
}

async function takeBatch(call: HttpCall, runs: Runs): Promise<HttpResponse> {
  const text = await readText(call, runs);
  const body = parseText(text, "the batch");
  if (!isRecord(body)) {
    throw new HttpError(422, "the batch is not a JSON object");
  }
  const members = membersOf(text);
  const changesOf = (name: "patch" | "post"): readonly RunChange[] => {
    const list = members.get(name) ?? "null";
    if (list === "null") return [];
    if (!list.startsWith("[")) throw new HttpError(422, `${name} is not a list of runs`);
    return elementsOf(list).map((main) => runChange({ made: name === "post", main }));
  };
  return taken(runs.receive({ changes: [...changesOf("post"), ...changesOf("patch")], attachments: [] }));
}

async function readText(call: HttpCall, runs: Runs): Promise<string> {
  call.checkJsonType();
  const body = await readRunBody(call, runs.limitBytes);
  if (!isUtf8(body)) throw new HttpError(422, "the body is not UTF-8");
  return body.toString("utf8");
}

function taken(isNew: boolean): HttpResponse {
  return isNew
    ? { status: 202, json: { message: "Runs ingested" } }
    : { status: 409, json: { error: "the runs already exist" } };
}

// 413 if the body is above the limit, before or after decoding.
async function readRunBody(call: HttpCall, limitBytes: number): Promise<Buffer> {
  const { "content-encoding": encoding = "identity", "content-length": length = "0" } = call.headers;
  const decode = DECODERS.get(encoding.toLowerCase());
  if (!decode && encoding !== "identity") {
    throw new HttpError(415, `Content-Encoding ${encoding} is neither gzip nor zstd`);
  }
  if (Number(length) > limitBytes) throw tooLarge(limitBytes);
  const chunks: Buffer[] = [];
  for await (const chunk of call.body(limitBytes)) chunks.push(chunk);
  const [first = Buffer.alloc(0)] = chunks;
  const bytes = chunks.length > 1 ? Buffer.concat(chunks) : first;
  try {
    // A few bytes can decode to gigabytes.
    return decode ? await decode(bytes, { maxOutputLength: limitBytes }) : bytes;
  } catch (error) {
    const code = errorCode(error);
    if (code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(limitBytes);
    if (code === "Z_BUF_ERROR") throw new HttpError(422, `error reading ${encoding} data: unexpected EOF`);
    throw new HttpError(400, `error reading ${encoding} data: the body is not in this encoding`);
  }
}
