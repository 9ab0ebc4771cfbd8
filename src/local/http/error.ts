import { isRecord } from "../../contract/call-arguments.ts";
import type { ValidationError } from "../../contract/validation-error.ts";

/** An error response: its status, and `detail`, a sentence or a list of validation errors. */
export class HttpError extends Error {
  readonly status: number;
  readonly detail: string | readonly ValidationError[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    detail: string | readonly ValidationError[],
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(typeof detail === "string" ? detail : "The request is invalid.");
    this.name = "HttpError";
    this.status = status;
    this.detail = detail;
    this.headers = headers;
  }
}

/** Throws a 404 with the id that was not found. */
export function notFound(
  noun: "Dataset" | "Deployment" | "Experiment" | "Project" | "Revision" | "Trace",
  id: string,
): never {
  throw new HttpError(404, `${noun} ID ${id} not found.`);
}

/** 413. The rest of the body is not read, so the connection closes. */
export function tooLarge(limitBytes: number): HttpError {
  return new HttpError(413, `The body is larger than ${String(limitBytes)} bytes.`, { connection: "close" });
}

/** 422 with an HTTPValidationError body. */
export function invalid(errors: readonly ValidationError[]): HttpError {
  return new HttpError(422, errors);
}

/** The fields of an object that the contract does not have: to ignore them would hide mistakes of a client. */
export function extraFields(
  value: unknown,
  known: ReadonlySet<string>,
  loc: ValidationError["loc"],
): readonly ValidationError[] {
  return Object.keys(isRecord(value) ? value : {})
    .filter((name) => !known.has(name))
    .map((name) => ({ loc: [...loc, name], msg: "Extra inputs are not permitted", type: "extra_forbidden" }));
}

/** The code of a system error, such as `ECONNRESET`; empty for any other error. */
export function errorCode(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

// A quota, or a limit on the size of a file.
const LIMITED: ReadonlySet<string> = new Set(["EDQUOT", "EFBIG"]);
// Of SQLite, which knows no other reason than ENOSPC: SQLITE_FULL, SQLITE_IOERR_WRITE, SQLITE_IOERR_FSYNC.
const SQLITE_FULL = 13;
const SQLITE_LIMITED: ReadonlySet<unknown> = new Set([778, 1034]);

/** Why a write found no room, in words that follow "because"; empty for any other error. */
export function noRoom(error: unknown): string {
  const code = errorCode(error);
  const number = error instanceof Error && "errcode" in error ? error.errcode : 0;
  if (code === "ENOSPC" || number === SQLITE_FULL) return "its disk is full";
  return LIMITED.has(code) || SQLITE_LIMITED.has(number)
    ? "its disk takes no more: it may be full, or over a quota or a limit"
    : "";
}

/** The error as a response: itself, or 507 when a write found no room; undefined for one that says nothing to a client. */
export function toHttpError(error: unknown): HttpError | undefined {
  if (error instanceof HttpError) return error;
  const reason = noRoom(error);
  if (reason === "") return undefined;
  return new HttpError(
    507,
    `The local service stored nothing of this, because ${reason}. Free some space and try again.`,
  );
}
