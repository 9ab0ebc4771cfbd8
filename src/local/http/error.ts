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

/** 404 with the id that was not found. */
export function notFound(
  noun: "Dataset" | "Deployment" | "Experiment" | "Project" | "Revision" | "Trace",
  id: string,
): HttpError {
  return new HttpError(404, `${noun} ID ${id} not found.`);
}

/** 413. The rest of the body is not read, so the connection closes. */
export function tooLarge(limitBytes: number): HttpError {
  return new HttpError(413, `The body is larger than ${String(limitBytes)} bytes.`, { connection: "close" });
}

/** 422 with an HTTPValidationError body. */
export function invalid(errors: readonly ValidationError[]): HttpError {
  return new HttpError(422, errors);
}

/** The code of a system error, such as `ECONNRESET`; undefined for any other error. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
