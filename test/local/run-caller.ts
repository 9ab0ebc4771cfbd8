import { expect } from "vitest";
import * as z from "zod";
import { dottedOrder } from "../../src/contract/dotted-order.ts";
import type { LocalService } from "../../src/local/index.ts";
import { call, type Ask, type Reply } from "./caller.ts";

export const BOUNDARY = "b0undary";
export const START_MS = Date.UTC(2026, 2, 4, 5);

export type Fields = Readonly<Record<string, unknown>>;

/** A run that breaks no rule. */
export interface TestRun extends Fields {
  readonly id: string;
  readonly trace_id: string;
  readonly dotted_order: string;
}

/** One part of a form; `headers` stand beside its name. */
export interface TestPart {
  readonly name: string;
  readonly content: string | Buffer;
  readonly headers?: readonly string[];
}

/** The id of a run by its number. */
export function runId(number: number): string {
  return `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`;
}

/** A run by its number, which starts that many milliseconds after the first. */
export function run(number: number, change: Fields = {}, parent?: TestRun): TestRun {
  const id = runId(number);
  const startMicroseconds = (START_MS + number) * 1000;
  return {
    id,
    name: `run ${number}`,
    run_type: "chain",
    start_time: new Date(START_MS + number).toISOString(),
    trace_id: parent?.trace_id ?? id,
    dotted_order: dottedOrder({ startMicroseconds, id, parent: parent?.dotted_order }),
    ...(parent === undefined ? {} : { parent_run_id: parent.id }),
    session_name: "project",
    ...change,
  };
}

/** What adds to a run. */
export function addition({ id, trace_id, dotted_order }: TestRun, change: Fields = {}): TestRun {
  return { id, trace_id, dotted_order, ...change };
}

/** A part of a batch as the API takes it. */
export function part(name: string, value: unknown): TestPart {
  return { name, content: JSON.stringify(value) };
}

/** The parts of a run: inputs, outputs and events travel alone. */
export function partsOf(event: "patch" | "post", sent: TestRun): readonly TestPart[] {
  const alone = ["inputs", "outputs", "events"].filter((field) => field in sent);
  const main = Object.fromEntries(Object.entries(sent).filter(([field]) => !alone.includes(field)));
  const name = `${event}.${sent.id}`;
  return [part(name, main), ...alone.map((field) => part(`${name}.${field}`, sent[field]))];
}

/** The parts as one body. */
export function form(parts: readonly TestPart[], end = `--${BOUNDARY}--\r\n`): Buffer {
  const bytes = parts.flatMap(({ name, content, headers = usual(content) }) => {
    const head = [`Content-Disposition: form-data; name="${name}"`, ...headers].join("\r\n");
    return [Buffer.from(`--${BOUNDARY}\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from("\r\n")];
  });
  return Buffer.concat([...bytes, Buffer.from(end)]);
}

function usual(content: string | Buffer): readonly string[] {
  return ["Content-Type: application/json", `Content-Length: ${Buffer.byteLength(content)}`];
}

/** Sends a body to `/runs/multipart`. */
export function sendForm(service: LocalService, body: Buffer, ask: Ask = {}): Promise<Reply> {
  const headers = { "content-type": `multipart/form-data; boundary=${BOUNDARY}`, ...ask.headers };
  return call(service.url, "POST", "/runs/multipart", { body, headers });
}

/** Sends runs that are made, and then what adds to runs; all is taken. */
export async function traced(service: LocalService, posts: readonly TestRun[], patches: readonly TestRun[] = []) {
  const parts = [...posts.flatMap((one) => partsOf("post", one)), ...patches.flatMap((one) => partsOf("patch", one))];
  const reply = await sendForm(service, form(parts));
  expect(reply, reply.text).toMatchObject({ status: 202 });
}

const List = z.object({ resources: z.array(z.looseObject({})), offset: z.number(), total: z.number() });

/** A list of the service. */
export async function listOf(service: LocalService, path: string) {
  const reply = await call(service.url, "GET", path);
  expect(reply, reply.text).toMatchObject({ status: 200 });
  if (!Array.isArray(reply.json)) return List.parse(reply.json);
  // As public clients list sessions: the elements alone, and their number in a header.
  const total = Number(reply.headers["x-pagination-total"]);
  return List.parse({ resources: reply.json, offset: reply.json.length, total });
}

/** A run as it reads back. */
export async function readBack(service: LocalService, id: string): Promise<Fields> {
  const reply = await call(service.url, "GET", `/runs/${id}`);
  expect(reply, reply.text).toMatchObject({ status: 200 });
  return z.looseObject({}).parse(reply.json);
}

/** Nothing of a rejected request is stored. */
export async function nothingIsThere(service: LocalService): Promise<void> {
  expect(await listOf(service, "/sessions")).toEqual({ resources: [], offset: 0, total: 0 });
}
