import { setInterval as every } from "node:timers/promises";
import { createReadStream, type ReadStream } from "node:fs";
import { UploadTarget } from "../contract/deployment.ts";
import { parseAddress } from "../http/base-url.ts";
import { hasStatus, HttpStatusError } from "../http/errors.ts";
import { findPath } from "../http/find-path.ts";
import type { HttpClient } from "../http/http-client.ts";
import type { CallOptions, JsonApi } from "../http/json-api.ts";
import { pathSegment } from "./path-segment.ts";
import { uploadSecrets } from "./upload-secrets.ts";

// A full-object upload may be silent that long; after that, the server counts as dead.
const STALL_MILLISECONDS = 120_000;
const DEADLINE_MILLISECONDS = 30 * 60_000;
// Fewer system calls than with the 64 KiB of the default.
const CHUNK_BYTES = 1024 * 1024;
const PROGRESS_MILLISECONDS = 1_000;
// The range that object stores of the public service sign; a signed header must be sent as it was signed.
const SIGNED_LENGTH_RANGE = ["x-goog-content-length-range", "0,209715200"] as const;

// The documented path comes first.
const PREFIXES = ["", "/v2"] as const;
type Prefix = (typeof PREFIXES)[number];

/** A file on disk and its length, which must not change while it is sent. */
export interface UploadFile {
  readonly file: string;
  readonly bytes: number;
}

/** The times are those of each request; an attempt to send the file may take 30 minutes when they are not given. */
export interface UploadOptions extends CallOptions {
  /** Called about once a second while an attempt sends; an attempt that starts again starts from 0. */
  readonly onProgress?: ((sentBytes: number) => void) | undefined;
}

/** Requests upload addresses for tarballs. Remembers the path under which the service has responded. */
export class UploadUrls {
  readonly #api: JsonApi;
  #prefix: Prefix | undefined;

  constructor(api: JsonApi) {
    this.#api = api;
  }

  async request(deploymentId: string, options: CallOptions): Promise<UploadTarget> {
    const { path, result } = await findPath(
      this.#prefix === undefined ? PREFIXES : [this.#prefix],
      (prefix) => this.#ask(prefix, deploymentId, options),
      {
        isElsewhere: (error) =>
          hasStatus(error, 404, 405) && !error.details.some((line) => isAbout(deploymentId, line)),
      },
    );
    this.#prefix = path;
    return result;
  }

  async #ask(prefix: Prefix, deploymentId: string, options: CallOptions): Promise<UploadTarget> {
    return await this.#api.request({
      ...options,
      method: "POST",
      path: `${prefix}/deployments/${pathSegment("deployment", deploymentId)}/upload-url`,
      body: { supports_upload_headers: true },
      schema: UploadTarget,
      repeatable: true,
    });
  }
}

// A router that does not know the path may quote it, and so name the deployment too.
function isAbout(deploymentId: string, line: string): boolean {
  return !line.includes("upload-url") && line.toLowerCase().includes(deploymentId.toLowerCase());
}

/** Sends a file to an upload target, without any credential of ours; a failed attempt reads the file again. */
export async function putFile(
  { file, bytes }: UploadFile,
  { deploymentId, target }: { readonly deploymentId: string; readonly target: UploadTarget },
  http: HttpClient,
  {
    onProgress,
    signal = http.signal,
    deadlineMilliseconds = DEADLINE_MILLISECONDS,
    attemptMilliseconds,
  }: UploadOptions,
): Promise<void> {
  const url = parseAddress(target.upload_url, { allowHttp: http.allowHttp });
  const secrets = uploadSecrets(target, { url, deploymentId, redactor: http.redactor });
  const label = `PUT ${url.origin}/***`;
  let current: ReadStream | undefined;
  const open = () => (current = createReadStream(file, { highWaterMark: CHUNK_BYTES }));
  const watch = new AbortController();
  const progress = report(() => current?.bytesRead ?? 0, onProgress, watch.signal);
  try {
    await http.sender.send(
      {
        method: "PUT",
        url,
        headers: uploadHeaders(url, target.upload_headers ?? undefined),
        body: { bytes, open },
        stallMilliseconds: STALL_MILLISECONDS,
        attemptMilliseconds: attemptMilliseconds ?? deadlineMilliseconds,
        deadlineMilliseconds,
        signal,
        label,
        redactor: secrets,
      },
      () => undefined,
    );
  } catch (error) {
    throw isExpiredTarget(error) ? refusedByStore(error, label) : error;
  } finally {
    watch.abort();
    await progress;
  }
}

/** True if a store rejected a signed address, most likely because it expired: S3 sends 403, others 400. */
export function isExpiredTarget(error: unknown): error is HttpStatusError {
  return hasStatus(error, 400, 401, 403);
}

// The usual advice is about the API key, which an upload does not send.
function refusedByStore({ status, details, requestId }: HttpStatusError, target: string): HttpStatusError {
  return new HttpStatusError(status, details, {
    target,
    requestId,
    reasons: ["UPLOAD_ADDRESS_REFUSED"],
    advice: "The object store refused the upload address that the service gave out; check the clock, and run again.",
  });
}

function uploadHeaders(url: URL, given: Readonly<Record<string, string>> | undefined): Record<string, string> {
  const headers: Record<string, string> = { "content-type": "application/gzip" };
  const signed = (url.searchParams.get("X-Goog-SignedHeaders") ?? "").toLowerCase().split(";");
  if (given === undefined && signed.includes(SIGNED_LENGTH_RANGE[0]))
    headers[SIGNED_LENGTH_RANGE[0]] = SIGNED_LENGTH_RANGE[1];
  for (const [name, value] of Object.entries(given ?? {})) {
    // The length comes from the file, and the host from the URL.
    if (!["content-length", "host"].includes(name.toLowerCase())) headers[name.toLowerCase()] = value;
  }
  return headers;
}

async function report(
  sent: () => number,
  onProgress: ((sentBytes: number) => void) | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (onProgress === undefined) return;
  try {
    const ticks = every(PROGRESS_MILLISECONDS, undefined, { signal });
    while ((await ticks.next()).done !== true) onProgress(sent());
  } catch {
    // Aborted: the upload has ended.
  }
}
