import { HttpError } from "../http/error.ts";

/** A part of a form; its content is the bytes of the body between `from` and `to`. */
export interface FormPart {
  readonly name: string;
  /** The Content-Type without parameters, in lower case. */
  readonly type: string;
  readonly from: number;
  readonly to: number;
}

// RFC 2046 §5.1.1.
const MOST_BOUNDARY_CHARACTERS = 70;
// A header has a name, a type and a length.
const HEAD_LIMIT_BYTES = 16 * 1024;

const HEAD_END = Buffer.from("\r\n\r\n");
const CR = 0x0d;
const LF = 0x0a;
const DASH = 0x2d;

/** The boundary in a Content-Type; 422 if there is none. */
export function boundaryOf(contentType: string): string {
  if (!/^multipart\/form-data\s*(?:;|$)/i.test(contentType)) {
    throw new HttpError(422, "request Content-Type isn't multipart/form-data");
  }
  const [, quoted, plain = quoted ?? ""] = /;\s*boundary=(?:"([^"]*)"|([^\s;"]+))/i.exec(contentType) ?? [];
  if (plain === "" || plain.length > MOST_BOUNDARY_CHARACTERS) {
    throw new HttpError(422, "no multipart boundary param in Content-Type");
  }
  return plain;
}

/**
 * Splits a form. Each part has a length, so no content is searched: the boundary must follow where the part ends.
 * 422 for a form that is truncated or has an invalid part.
 */
export function readForm(body: Buffer, boundary: string): readonly FormPart[] {
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const parts: FormPart[] = [];
  // No line break precedes the first boundary.
  let at = delimiter.length - 2;
  if (!startsWith(body, delimiter.subarray(2), 0)) throw malformed("multipart: NextPart: EOF");
  while (!isEnd(body, at)) {
    const limit = Math.min(body.length, at + HEAD_LIMIT_BYTES);
    const headBytes = body.subarray(at, limit).indexOf(HEAD_END);
    if (headBytes === -1) {
      throw malformed(limit === body.length ? "multipart: NextPart: EOF" : "multipart: message too large");
    }
    const headEnd = at + headBytes;
    const part = readHead(body.toString("utf8", at + 2, headEnd));
    const from = headEnd + HEAD_END.length;
    const to = from + part.length;
    if (to + delimiter.length > body.length) throw malformed("unexpected EOF");
    if (!startsWith(body, delimiter, to)) {
      throw new HttpError(
        422,
        `part ${part.name}: its content is not ${String(part.length)} bytes long, as its header says`,
      );
    }
    parts.push({ name: part.name, type: part.type, from, to });
    at = to + delimiter.length;
  }
  return parts;
}

// After a boundary: two dashes at the end of the form, or else a line break.
function isEnd(body: Buffer, at: number): boolean {
  if (body[at] === DASH && body[at + 1] === DASH) return true;
  if (at + 2 > body.length) throw malformed("multipart: NextPart: EOF");
  if (body[at] !== CR || body[at + 1] !== LF) throw malformed("multipart: expecting a new Part");
  return false;
}

// `text` does not end with an empty line.
function readHead(text: string): { readonly name: string; readonly type: string; readonly length: number } {
  const fields = readFields(text);
  // Clients send the name first; a file name may contain anything.
  const disposition = /^form-data\s*;\s*name=(?:"([^"]*)"|([^\s;"]+))/i.exec(fields.get("content-disposition") ?? "");
  const [, quoted, name = quoted ?? ""] = disposition ?? [];
  if (name === "") throw new HttpError(422, "a part has no name in its Content-Disposition");
  const type = fields.get("content-type");
  if (type === undefined || type === "") throw new HttpError(422, `part ${name}: Content-Type is missing`);
  if (fields.has("content-encoding"))
    throw new HttpError(422, `part ${name}: Content-Encoding is not allowed in a part`);
  const [, parameter] = /;\s*length="?([^\s;"]*)"?/i.exec(type) ?? [];
  const length = fields.get("content-length") ?? parameter;
  if (length === undefined) {
    throw new HttpError(422, `part ${name}: neither a Content-Length header nor a length parameter`);
  }
  if (parameter !== undefined && parameter !== length) {
    throw new HttpError(422, `part ${name}: Content-Length and the length parameter differ`);
  }
  if (!/^\d{1,15}$/.test(length)) throw new HttpError(422, `part ${name}: its length is not a number of bytes`);
  const [plain = ""] = type.split(";", 1);
  return { name, type: plain.trim().toLowerCase(), length: Number(length) };
}

function readFields(text: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.split("\r\n")) {
    if (line === "") continue;
    const colon = line.indexOf(":");
    const name = line.slice(0, colon).toLowerCase();
    if (colon < 1 || fields.has(name)) throw malformed(`malformed MIME header line: ${line.slice(0, 100)}`);
    fields.set(name, line.slice(colon + 1).trim());
  }
  return fields;
}

function startsWith(body: Buffer, bytes: Buffer, at: number): boolean {
  return at + bytes.length <= body.length && body.compare(bytes, 0, bytes.length, at, at + bytes.length) === 0;
}

// Worded as the public service does.
function malformed(reason: string): HttpError {
  return new HttpError(422, `error reading multipart data: ${reason}`);
}
