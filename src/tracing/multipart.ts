import { PART_FIELDS } from "../contract/run.ts";
import { anyJson } from "./any-json.ts";
import type { RunOperation } from "./run-operation.ts";

/** The body of a request to `/runs/multipart`. */
export interface MultipartBody {
  readonly contentType: string;
  readonly bytes: Buffer;
}

interface Part {
  readonly head: string;
  readonly json: string;
  readonly jsonBytes: number;
}

const LINE_END = "\r\n";

/**
 * Writes runs as the parts of one body: those that make a run before those that add to one, each part with its length in
 * bytes (service.md §4.3). The boundary must be in no content: a random one is not.
 */
export function multipartBody(operations: readonly RunOperation[], boundary: string): MultipartBody {
  const posts = operations.filter(({ event }) => event === "post");
  const patches = operations.filter(({ event }) => event === "patch");
  const parts = [...posts, ...patches].flatMap((operation) => partsOf(operation, boundary));
  const end = `--${boundary}--${LINE_END}`;
  const size = parts.reduce((sum, { head, jsonBytes }) => sum + head.length + jsonBytes + LINE_END.length, end.length);
  // One buffer for all of it: a buffer for each part would cost more than the JSON.
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const { head, json } of parts) {
    at += bytes.write(head, at, "latin1");
    at += bytes.write(json, at, "utf8");
    at += bytes.write(LINE_END, at, "latin1");
  }
  bytes.write(end, at, "latin1");
  return { contentType: `multipart/form-data; boundary=${boundary}`, bytes };
}

function partsOf({ event, id, fields, parts }: RunOperation, boundary: string): readonly Part[] {
  const name = `${event}.${id}`;
  const main = part(name, anyJson(fields), boundary);
  const others = PART_FIELDS.flatMap((field) => {
    const json = parts[field];
    return json === undefined ? [] : [part(`${name}.${field}`, json, boundary)];
  });
  return [main, ...others];
}

function part(name: string, json: string, boundary: string): Part {
  const jsonBytes = Buffer.byteLength(json);
  const head =
    `--${boundary}${LINE_END}Content-Disposition: form-data; name="${name}"${LINE_END}` +
    `Content-Type: application/json${LINE_END}Content-Length: ${String(jsonBytes)}${LINE_END}${LINE_END}`;
  return { head, json, jsonBytes };
}
