import { isUuid } from "../../contract/uuid.ts";
import { isUtf8 } from "node:buffer";
import { describeValidationError } from "../../contract/validation-error.ts";
import type { HttpAnswer } from "../http/response.ts";
import type { HttpCall } from "../http/call.ts";
import { boundaryOf } from "./multipart-reader.ts";
import { elementsOf, membersOf } from "../http/raw-json.ts";
import { Refusal } from "../http/error.ts";
import { param, type PathParams, type Route } from "../http/router.ts";
import { readRunBody } from "./body.ts";
import { parseText, runChange, type RunChange, type RunPlace } from "./change.ts";
import { readRunForm } from "./form.ts";
import { BATCH_LIMITS } from "./limits.ts";
import { runReadRoutes } from "./read-routes.ts";
import type { Runs } from "./runs.ts";

/** Run tracing, with and without the prefix `/api/v1`; errors are `{"error": TEXT}` here. */
export function runRoutes(runs: Runs, tenantId: string): readonly Route[] {
  const routes = [...takingRoutes(runs), ...runReadRoutes(runs, tenantId)];
  return ["", "/api/v1"].flatMap((prefix) =>
    routes.map(({ method, path, answer }) => ({
      method,
      path: prefix + path,
      answer: async (call: HttpCall, params: PathParams) => {
        try {
          return await answer(call, params);
        } catch (error) {
          await call.drain();
          if (!(error instanceof Refusal)) throw error;
          return answerOfRefusal(error);
        }
      },
    })),
  );
}

function takingRoutes(runs: Runs): readonly Route[] {
  return [
    { method: "GET", path: "/info", answer: () => info(runs.limitBytes) },
    { method: "POST", path: "/runs", answer: (call) => createRun(call, runs) },
    { method: "PATCH", path: "/runs/:run", answer: (call, params) => updateRun(call, runs, param(params, "run")) },
    { method: "POST", path: "/runs/multipart", answer: (call) => takeForm(call, runs) },
    { method: "POST", path: "/runs/batch", answer: (call) => takeBatch(call, runs) },
  ];
}

function info(limitBytes: number): HttpAnswer {
  const json = {
    version: "local",
    batch_ingest_config: { ...BATCH_LIMITS, size_limit_bytes: limitBytes },
    instance_flags: { gzip_body_enabled: true, zstd_compression_enabled: true },
  };
  return { status: 200, json };
}

async function createRun(call: HttpCall, runs: Runs): Promise<HttpAnswer> {
  const main = await readText(call, runs);
  const change = runChange({ made: true, main, place: (run) => runs.newPlace(run) });
  return taken(runs.receive({ changes: [change], attachments: [] }));
}

async function updateRun(call: HttpCall, runs: Runs, id: string): Promise<HttpAnswer> {
  const main = await readText(call, runs);
  if (!isUuid(id)) throw new Refusal(422, `run ID ${id} is no UUID`);
  const place = (): RunPlace => {
    const known = runs.knownPlace(id.toLowerCase());
    // One that says its place can wait for the run; this one could wait for ever.
    if (known === undefined) throw new Refusal(404, `run ${id} not found`);
    return known;
  };
  return taken(runs.receive({ changes: [runChange({ made: false, id, main, place })], attachments: [] }));
}

async function takeForm(call: HttpCall, runs: Runs): Promise<HttpAnswer> {
  const boundary = boundaryOf(call.headers["content-type"] ?? "");
  return taken(runs.receive(readRunForm(await readRunBody(call, runs.limitBytes), boundary)));
}

async function takeBatch(call: HttpCall, runs: Runs): Promise<HttpAnswer> {
  const text = await readText(call, runs);
  const body = parseText(text, "the batch");
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw new Refusal(422, "the batch is no JSON object");
  }
  const members = membersOf(text);
  const changesOf = (name: "patch" | "post"): readonly RunChange[] => {
    const list = members.get(name) ?? "null";
    if (list === "null") return [];
    if (!list.startsWith("[")) throw new Refusal(422, `${name} is no list of runs`);
    return elementsOf(list).map((main) => runChange({ made: name === "post", main }));
  };
  return taken(runs.receive({ changes: [...changesOf("post"), ...changesOf("patch")], attachments: [] }));
}

async function readText(call: HttpCall, runs: Runs): Promise<string> {
  call.checkJsonType();
  const body = await readRunBody(call, runs.limitBytes);
  if (!isUtf8(body)) throw new Refusal(422, "the body is not UTF-8");
  return body.toString("utf8");
}

function taken(isNew: boolean): HttpAnswer {
  return isNew
    ? { status: 202, json: { message: "Runs ingested" } }
    : { status: 409, json: { error: "the runs are there already" } };
}

function answerOfRefusal({ status, headers, detail }: Refusal): HttpAnswer {
  const error = typeof detail === "string" ? detail : detail.map(describeValidationError).join("; ");
  return { status, headers, json: { error } };
}
