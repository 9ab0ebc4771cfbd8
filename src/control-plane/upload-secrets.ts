import type { UploadTarget } from "../contract/deployment.ts";
import type { Redactor } from "../http/redactor.ts";
import { SecretMask } from "../text/secret-mask.ts";

// A text of this length is hardly an ordinary word.
const LEAST_LENGTH = 16;
// A shorter one is a token when it mixes letters and digits, and part of a word below that.
const LEAST_TOKEN_LENGTH = 8;

/** The secrets of one upload. */
export interface UploadSecrets {
  /** Removes all of them from a text that comes from the store or is about it. */
  readonly text: (text: string) => string;
}

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
): UploadSecrets {
  const wholes = [upload_url, url.href, url.pathname + url.search, url.pathname, url.search.slice(1)];
  const headers = Object.entries(upload_headers ?? {});
  const parts = [
    ...url.pathname.split("/"),
    url.hash.slice(1),
    ...[...url.searchParams].map(([name, value]) => (value === "" ? name : value)),
    ...headers.map(([, value]) => value),
  ];
  const publicTexts = [object_path, deploymentId, url.host, ...headers.flatMap(contentType)];
  const isPublic = (part: string) => publicTexts.some((text) => text.includes(part));
  for (const whole of wholes) if (whole.length >= LEAST_LENGTH) redactor.add(whole);
  for (const part of parts) if (couldBeToken(part) && !isPublic(decoded(part))) redactor.add(part);
  const mask = new SecretMask({ evenCommon: true });
  // Every address contains the path "/".
  for (const secret of [...wholes.filter((whole) => whole !== "/"), ...parts]) mask.add(secret);
  return { text: (text) => redactor.text(mask.text(text)) };
}

function couldBeToken(part: string): boolean {
  if (part.length >= LEAST_LENGTH) return true;
  return part.length >= LEAST_TOKEN_LENGTH && /\p{L}/u.test(part) && /\d/.test(part);
}

function contentType([name, value]: readonly [string, string]): readonly string[] {
  return /^content-type$/i.test(name) ? [value] : [];
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
