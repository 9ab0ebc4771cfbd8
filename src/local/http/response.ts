import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { FieldNames } from "../../contract/field-names.ts";
import { contentHash, RELOAD_SCRIPT } from "../../pages/frame.ts";
import type { FaultAction } from "../faults/faults.ts";
import { toHttpError } from "./error.ts";
import { writeJson } from "./raw-json.ts";

/** A response: JSON, a page, the stream of another server, or only a status. */
export interface HttpResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  readonly json?: unknown;
  /** JSON as text. Its names belong to the caller, so they are not renamed. */
  readonly jsonText?: string;
  readonly html?: string;
  /** Piped as it comes; `headers` must be complete. */
  readonly stream?: Readable;
}

/** A value as JSON, whose raw parts and names are the caller's own. */
export function json(value: unknown): HttpResponse {
  return { status: 200, jsonText: writeJson(value) };
}

/** A page in which this script may run, and no other. */
export function scriptedPage(html: string, script: string): HttpResponse {
  return { status: 200, html, headers: { "content-security-policy": policyOf(script) } };
}

/** A part of a list, with the offset of the next one. */
export function listPart(offset: number, resources: readonly unknown[], total?: number): HttpResponse {
  return json({ resources, offset: offset + resources.length, total });
}

// Foreign text that got past the escaping still could not run or load anything.
const policyOf = (script: string) =>
  `default-src 'none'; script-src ${contentHash(script)}; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
const PAGE_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policyOf(RELOAD_SCRIPT),
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
};

/** `detail` for an HttpError and for a full disk; nothing about the internals for any other error. */
export function responseOfError(error: unknown, fieldNames: FieldNames): HttpResponse {
  const told = toHttpError(error);
  if (!told) return { status: 500, json: { detail: "Internal Server Error" } };
  const { status, headers, detail } = told;
  if (typeof detail === "string") return { status, headers, json: { detail } };
  // A caller looks for the name that it sent.
  const named = detail.map(({ loc, ...rest }) => ({
    loc: loc.map((step) => (typeof step === "string" ? fieldNames.wireName(step) : step)),
    ...rest,
  }));
  return { status, headers, json: { detail: named } };
}

export function responseOfFault(fault: Extract<FaultAction, { kind: "answer" }>): HttpResponse {
  const { status, headers = {}, body = { detail: "Injected fault." } } = fault;
  if (typeof body === "string") return { status, headers: { "content-type": "text/plain", ...headers }, html: body };
  return { status, headers, json: body };
}

/** Sends the whole response, or half of it if the fault says so. */
export async function send(response: ServerResponse, reply: HttpResponse, fault?: FaultAction): Promise<void> {
  if (reply.stream) {
    response.writeHead(reply.status, reply.headers);
    // The first event of a stream may take a while.
    response.flushHeaders();
    await pipeline(reply.stream, response);
    return;
  }
  const body = Buffer.from(reply.html ?? jsonOf(reply, fault) ?? "");
  const type = reply.html === undefined ? { "content-type": "application/json" } : PAGE_HEADERS;
  const head = body.length === 0 && reply.status === 204 ? {} : { ...type, "content-length": String(body.length) };
  response.writeHead(reply.status, { ...head, ...reply.headers });
  const cut = fault?.kind === "truncate" || (fault?.kind === "stall" && fault.when === "body");
  if (!cut) {
    response.end(body);
    return;
  }
  const { promise: sent, resolve } = Promise.withResolvers<undefined>();
  response.write(body.subarray(0, Math.floor(body.length / 2)), () => {
    resolve(undefined);
  });
  await sent;
  if (fault.kind === "truncate") response.destroy();
  else await gone(response);
}

function jsonOf({ json, jsonText }: HttpResponse, fault: FaultAction | undefined): string | undefined {
  const edit = fault?.kind === "edit" ? fault.edit : undefined;
  if (!edit && jsonText !== undefined) return jsonText;
  const value: unknown = jsonText === undefined ? json : JSON.parse(jsonText);
  const edited = edit ? edit(value) : value;
  return edited === undefined ? undefined : JSON.stringify(edited);
}

/** Waits until the client hangs up or the server closes. */
export async function gone(response: ServerResponse): Promise<void> {
  if (!response.destroyed && response.socket?.destroyed === false) await once(response, "close");
}
