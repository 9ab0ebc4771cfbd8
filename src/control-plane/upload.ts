import { setInterval as every } from "node:timers/promises";
import { createReadStream, type ReadStream } from "node:fs";
import type { UploadTarget } from "../contract/deployment.ts";
import { refusePage } from "../http/bad-response.ts";
import { parseAddress } from "../http/base-url.ts";
import { AddressError, hasStatus, HttpStatusError, RedirectError } from "../http/errors.ts";
import type { HttpClient } from "../http/http-client.ts";
import type { CallOptions } from "../http/json-api.ts";
import type { Lag } from "./look-again.ts";
import type { Redactor } from "../http/redactor.ts";
import { SecretMask } from "../text/secret-mask.ts";
import { urlDecoded } from "../text/url-decoded.ts";

// A full-object upload may be silent that long; after that, the server counts as dead.
const STALL_MILLISECONDS = 120_000;
const DEADLINE_MILLISECONDS = 30 * 60_000;
// Fewer system calls than with the 64 KiB of the default; a slow line still shows every few seconds that bytes move.
const CHUNK_BYTES = 256 * 1024;
const PROGRESS_MILLISECONDS = 1_000;
// The range that object stores of the public service sign; a signed header must be sent as it was signed.
const SIGNED_LENGTH_RANGE = ["x-goog-content-length-range", "0,209715200"] as const;

/** A file on disk and its length, which must not change while it is sent. */
export interface UploadFile {
  /** The path of the file. */
  readonly file: string;
  /** Its length in bytes. */
  readonly bytes: number;
}

/** The times are those of each request; an attempt to send the file may take 30 minutes when they are not given. */
export interface UploadOptions extends CallOptions, Lag {
  /** Called about once a second while an attempt sends; an attempt that starts again starts from 0. */
  readonly onProgress?: ((sentBytes: number) => void) | undefined;
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
    timeLimit,
  }: UploadOptions,
): Promise<void> {
  const url = uploadAddress(target, http);
  const secrets = uploadSecrets(target, { url, deploymentId, redactor: http.redactor });
  const label = `PUT ${url.origin}/***`;
  let current: ReadStream | undefined;
  const open = () => (current = http.transfers.add(createReadStream(file, { highWaterMark: CHUNK_BYTES })));
  // A file is read no faster than its bytes leave this machine.
  const sentBytes = () => current?.bytesRead ?? 0;
  const request = {
    method: "PUT",
    url,
    headers: uploadHeaders(url, target.upload_headers ?? undefined),
    body: { bytes, open },
    stallMilliseconds: STALL_MILLISECONDS,
    attemptMilliseconds: attemptMilliseconds ?? deadlineMilliseconds,
    deadlineMilliseconds,
    timeLimit,
    signal,
    label,
    redactor: secrets,
  } as const;
  const send = () => http.sender.send(request, refusePage);
  const watch = new AbortController();
  const progress = report(sentBytes, onProgress, watch.signal);
  try {
    await (timeLimit ? timeLimit.whileMoving(() => http.transfers.bytes(), send) : send());
  } catch (error) {
    throw asStoreError(error, label);
  } finally {
    watch.abort();
    await progress;
  }
}

function uploadAddress({ upload_url }: UploadTarget, { allowHttp }: HttpClient): URL {
  try {
    return parseAddress(upload_url, { allowHttp });
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    const why = error.message.replace(/^T/, "t");
    throw new AddressError(`The service gave out an upload address that cannot be used: ${why}`, {
      advice: "Correct the address of the object store in the service.",
    });
  }
}

/** True if a store rejected a signed address, most likely because it expired: S3 sends 403, others 400. */
export function isExpiredTarget(error: unknown): error is HttpStatusError {
  return hasStatus(error, 400, 401, 403);
}

/** The error of an upload with its own advice: the usual one is about the API key and its address. */
export function asStoreError(error: unknown, target: string): unknown {
  if (error instanceof RedirectError) {
    const advice = "The service must give out the final address of its object store, such as that of its region.";
    return new RedirectError(error.status, error.host, { target, advice });
  }
  if (!isExpiredTarget(error)) return error;
  const { status, details, requestId } = error;
  const said = details.join(" ");
  if (/EntityTooLarge|RequestBodyTooLarge/i.test(said)) {
    const advice = "The object store does not accept a file of this size.";
    return new HttpStatusError(status, details, { target, requestId, reasons: ["BODY_TOO_LARGE"], advice });
  }
  const advice = /RequestTimeTooSkewed|expired/i.test(said)
    ? "The upload address was not valid at the time of the store: check the clocks of the service, of the store and of this machine, and run again."
    : "The object store refused the upload address that the service gave out. The API key plays no part in this: correct the store, or the address that the service signs.";
  return new HttpStatusError(status, details, { target, requestId, reasons: ["UPLOAD_ADDRESS_REFUSED"], advice });
}

function uploadHeaders(url: URL, given: Readonly<Record<string, string>> | undefined): Record<string, string> {
  const headers: Record<string, string> = { "content-type": "application/gzip" };
  const signed = (url.searchParams.get("X-Goog-SignedHeaders") ?? "").toLowerCase().split(";");
  if (!given && signed.includes(SIGNED_LENGTH_RANGE[0])) headers[SIGNED_LENGTH_RANGE[0]] = SIGNED_LENGTH_RANGE[1];
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
  if (!onProgress) return;
  try {
    const ticks = every(PROGRESS_MILLISECONDS, undefined, { signal });
    while ((await ticks.next()).done !== true) onProgress(sent());
  } catch {
    // Aborted: the upload has ended.
  }
}

// A text of this length is hardly an ordinary word.
const LEAST_LENGTH = 16;
// A shorter one is a token when it mixes letters and digits, and part of a word below that.
const LEAST_TOKEN_LENGTH = 8;

/**
 * All that a service hands out for an upload is the permission to upload, and secret: the address beyond its host and
 * each header. The rule, for all of the product:
 *
 * - A text that comes from the store, or is about a request to it, shows none of it, however short or common it is.
 * - Everywhere else, and in the masks of the runner, these are secret: the address, its path and its query as a whole,
 *   and of their parts and of the headers what could be a token. Not so `3600`, `host` or `application/gzip`, and not
 *   what is in the object path, in the id of the deployment or in the host: logs and outputs need those words.
 */
export function uploadSecrets(
  { upload_url, upload_headers, object_path }: UploadTarget,
  { url, deploymentId, redactor }: { readonly url: URL; readonly deploymentId: string; readonly redactor: Redactor },
) {
  const wholes = [upload_url, url.href, url.pathname + url.search, url.pathname, url.search.slice(1)];
  const headers = Object.entries(upload_headers ?? {});
  const parts = [
    ...url.pathname.split("/"),
    url.hash.slice(1),
    ...[...url.searchParams].map(([name, value]) => (value === "" ? name : value)),
    ...headers.map(([, value]) => value),
  ];
  const publicTexts = [
    object_path,
    deploymentId,
    url.host,
    ...headers.flatMap(([name, value]) => (/^content-type$/i.test(name) ? [value] : [])),
  ];
  const couldBeToken = (part: string) =>
    part.length >= LEAST_LENGTH || (part.length >= LEAST_TOKEN_LENGTH && /\p{L}/u.test(part) && /\d/.test(part));
  const isPublic = (part: string) => publicTexts.some((text) => text.includes(part));
  for (const whole of wholes) if (whole.length >= LEAST_LENGTH) redactor.add(whole);
  for (const part of parts) if (couldBeToken(part) && !isPublic(urlDecoded(part))) redactor.add(part);
  const mask = new SecretMask({ evenCommon: true });
  // Every address contains the path "/".
  for (const secret of [...wholes.filter((whole) => whole !== "/"), ...parts]) mask.add(secret);
  return { text: (text: string) => redactor.text(mask.text(text)) };
}
