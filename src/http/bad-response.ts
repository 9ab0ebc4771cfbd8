import { reasonsIn } from "./error-body.ts";
import { HttpStatusError, InvalidResponseError, RedirectError } from "./errors.ts";
import type { TextRedactor } from "./redactor.ts";
import type { TransportAnswer } from "./transport.ts";
import { webPageOf, webPageText } from "./web-page.ts";

const MOST_DETAILS = 20;
const MOST_CHARACTERS = 500;

/** The request, and the secrets that its error must not show. */
export interface RefusalContext {
  readonly url: URL;
  /** `METHOD https://host/path`. */
  readonly target: string;
  readonly redactor: TextRedactor;
  /** True if the address of the request is secret: of where it is redirected to, only the host is shown. */
  readonly hidesAddress?: boolean | undefined;
  readonly note?: string | undefined;
  /** How long the server asks to wait, milliseconds. */
  readonly retryAfterMilliseconds?: number | undefined;
}

/** The error for a response with another status than a success. */
export function refusal(answer: TransportAnswer, context: RefusalContext): HttpStatusError | RedirectError {
  if (answer.status >= 300 && answer.status < 400) return redirectTo(answer, context);
  const { target, redactor, note, retryAfterMilliseconds } = context;
  const requestId = oneLine(redactor.text(answer.headers["x-request-id"] ?? "")).slice(0, 100);
  // Schema checkers write several lines, and show the rejected input on the later ones.
  const details = detailsOf(answer).map((line) => shorten(oneLine(redactor.text(line))));
  return new HttpStatusError(answer.status, details.filter(Boolean), {
    target,
    requestId: requestId === "" ? undefined : requestId,
    note,
    retryAfterMilliseconds,
  });
}

function detailsOf(answer: TransportAnswer): readonly string[] {
  const lines = reasonsIn(answer);
  const shown = lines.slice(0, MOST_DETAILS);
  return lines.length > MOST_DETAILS ? [...shown, `and ${String(lines.length - MOST_DETAILS)} more`] : shown;
}

function redirectTo({ status, headers }: TransportAnswer, context: RefusalContext): RedirectError {
  const { url, target, redactor, hidesAddress = false } = context;
  const location = headers["location"];
  if (location === undefined || !URL.canParse(location, url.href)) {
    return new RedirectError(status, "an unknown address", { target });
  }
  const to = new URL(location, url.href);
  // A URL has its host in lower case, which hides a secret from the redactor: so the original text is checked too.
  const given = location.replace(/^([a-z][a-z\d+.-]*:)?[\\/]+/i, "").replace(/[?#].*$/s, "");
  const isClean = (text: string) => redactor.text(text) === text;
  const host =
    isClean(given.replace(/[\\/].*$/s, "")) && isClean(to.host)
      ? shorten(to.host)
      : "an address that contains a secret";
  if (hidesAddress || host !== to.host || !isClean(given) || !isClean(to.pathname))
    return new RedirectError(status, host, { target });
  // A long part of a path may be a token of a stranger.
  const path = to.pathname.replaceAll(/[^/]{41,}/g, "…");
  const isMoved = to.origin !== url.origin && withoutSlash(to) === withoutSlash(url);
  return new RedirectError(status, host, {
    target,
    address: path === "/" ? to.origin : shorten(to.origin + path),
    ...(isMoved ? { advice: `Use ${to.origin} in place of ${url.origin} as the beginning of the address.` } : {}),
  });
}

function withoutSlash({ pathname }: URL): string {
  return pathname.replace(/\/+$/, "");
}

function shorten(line: string): string {
  return line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS).toWellFormed()}…` : line;
}

/** Thrown while a response body is read that is not of this API. The retry loop turns it into an InvalidResponseError. */
export class GarbageError extends Error {
  /** False for JSON that breaks the schema: the next response would be the same. */
  readonly mayImprove: boolean;
  readonly #advice: string | undefined;

  constructor(
    message: string,
    { mayImprove, advice }: { readonly mayImprove: boolean; readonly advice?: string | undefined },
  ) {
    super(message);
    this.mayImprove = mayImprove;
    this.#advice = advice;
  }

  /** The error without secrets: this message may quote the server. */
  toUserError(target: string, redactor: TextRedactor): InvalidResponseError {
    return new InvalidResponseError(oneLine(redactor.text(this.message)), { target, advice: this.#advice });
  }
}

/** For a success whose body nobody needs: only a web page, e.g. of a login or a portal, is not from the service. */
export function refusePage(answer: TransportAnswer): void {
  const page = webPageOf(answer);
  if (page !== undefined) throw new GarbageError(webPageText(page), { mayImprove: true });
}

/** The first line of a text from outside, without control characters and without the spaces around it. */
function oneLine(text: string): string {
  const first = text.trim().split(/[\r\n\u2028\u2029]/, 1)[0] ?? "";
  return first.replaceAll(/\p{Cc}+/gu, " ").trim();
}
