import { describeValidationError, validationErrorsIn, type ValidationError } from "../contract/validation-error.ts";
import { ForeignText } from "../text/foreign-text.ts";
import { jsonOrUndefined } from "../text/json-text.ts";
import { reasonsIn, webPageOf } from "./error-body.ts";
import { HttpStatusError, InvalidResponseError, RedirectError } from "./errors.ts";
import type { TextRedactor } from "./redactor.ts";
import type { HideSent } from "./sent-echo.ts";
import type { TransportAnswer } from "./transport.ts";

const MOST_DETAILS = 20;
const MOST_CHARACTERS = 500;
// Deeper than any field of the contract, with room for what people nest in their inputs.
const MOST_STEPS = 100;
const LIKE_A_WORD = /^[\w.-]{1,100}$/;
// Where a request must not be repeated, no other id is shown: it may be anything that was sent.
const LIKE_AN_ID = /^[\da-f-]{1,64}$/i;

/** The request, and the secrets that its error must not show. */
export interface RefusalContext {
  readonly url: URL;
  /** `METHOD https://host/path`. */
  readonly target: string;
  readonly redactor: TextRedactor;
  /** Hides what was sent in the lines of `shownLines`. */
  readonly hide?: HideSent | undefined;
  /** True if the address of the request is secret: of where it is redirected to, only the host is shown. */
  readonly hidesAddress?: boolean;
  readonly note?: string | undefined;
  /** How long the server asks to wait, milliseconds. */
  readonly retryAfterMilliseconds?: number | undefined;
}

/** The error for a response with another status than a success. */
export function refusal(answer: TransportAnswer, context: RefusalContext): HttpStatusError | RedirectError {
  if (answer.status >= 300 && answer.status < 400) return redirectTo(answer, context);
  const { target, redactor, hide, note, retryAfterMilliseconds } = context;
  const id = requestIdOf(answer, redactor);
  const requestId = !hide || (LIKE_AN_ID.test(id) && hide(id) === id) ? id : "";
  const details = detailsOf(answer, redactor).map((line) => hide?.(line) ?? line);
  return new HttpStatusError(answer.status, details.filter(Boolean), {
    target,
    requestId: requestId === "" ? undefined : requestId,
    violations: violationsOf(answer, redactor, hide),
    note,
    retryAfterMilliseconds,
  });
}

/** The lines of a response with another status than a success in which what was sent must be hidden. */
export function shownLines(answer: TransportAnswer, redactor: TextRedactor): readonly string[] {
  const location = answer.headers["location"];
  if (answer.status >= 300 && answer.status < 400) return location === undefined ? [] : [shorten(location)];
  // A violation without a reason is no detail, but its place may repeat what was sent.
  const violations = violationsIn(answer).flatMap((violation) => [lineOf(violation, redactor), typeOf(violation)]);
  const lines = new Set([...detailsOf(answer, redactor), ...violations].filter(Boolean));
  // For an id alone nothing is read: see LIKE_AN_ID.
  return lines.size === 0 ? [] : [...lines, requestIdOf(answer, redactor)];
}

function violationsIn({ body }: TransportAnswer): readonly ValidationError[] {
  return validationErrorsIn(jsonOrUndefined(new TextDecoder().decode(body))).slice(0, MOST_DETAILS);
}

function lineOf({ loc, msg }: ValidationError, redactor: TextRedactor): string {
  return shorten(oneLine(redactor.text(describeValidationError({ loc, msg }))));
}

function typeOf({ type }: ValidationError): string {
  return LIKE_A_WORD.test(type) ? type : "";
}

/** What the lines say, as data: what is hidden in a line is hidden here, too. */
function violationsOf(
  answer: TransportAnswer,
  redactor: TextRedactor,
  hide: HideSent = (line) => line,
): readonly ValidationError[] {
  const foreign = new ForeignText((text) => redactor.text(text));
  const clean = (text: string) => foreign.line(text, MOST_CHARACTERS);
  return violationsIn(answer).map((violation) => {
    const line = hide(lineOf(violation, redactor));
    const place = describeValidationError({ loc: violation.loc, msg: "" }).trimEnd();
    const word = typeOf(violation);
    const type = hide(word) === word ? clean(word) : "";
    // A place that is cut, or that repeats a secret or what was sent, is none that a program could follow.
    if (!line.startsWith(place) || violation.loc.length > MOST_STEPS) return { loc: [], msg: clean(line), type };
    const loc = violation.loc.map((step) => (typeof step === "string" ? clean(step) : step));
    return { loc, msg: clean(line.slice(place.length)), type };
  });
}

function requestIdOf({ headers }: TransportAnswer, redactor: TextRedactor): string {
  return oneLine(redactor.text(headers["x-request-id"] ?? "")).slice(0, 100);
}

function detailsOf(answer: TransportAnswer, redactor: TextRedactor): readonly string[] {
  const lines = reasonsIn(answer);
  // Schema checkers write several lines, and show the rejected input on the later ones.
  const shown = lines.slice(0, MOST_DETAILS).map((line) => shorten(oneLine(redactor.text(line))));
  return lines.length > MOST_DETAILS ? [...shown, `and ${String(lines.length - MOST_DETAILS)} more`] : shown;
}

function redirectTo({ status, headers }: TransportAnswer, context: RefusalContext): RedirectError {
  const { url, target, redactor, hide = (line) => line, hidesAddress = false } = context;
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
  const repeats = hide(shorten(location)) !== shorten(location);
  if (hidesAddress || repeats || host !== to.host || !isClean(given) || !isClean(to.pathname))
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

/** What a service said, and how a message repeats it. */
interface Said {
  readonly text: string;
  readonly write: (text: string) => string;
}

interface GarbageFacts {
  /** False for JSON that breaks the schema: the next response would be the same. */
  readonly mayImprove: boolean;
  readonly advice?: string | undefined;
  /** Follows the message after a comma. */
  readonly said?: Said;
}

/** The facts of a web page in place of JSON. */
export function saidByPage({ title }: { readonly title: string }): Pick<GarbageFacts, "said"> {
  return title === "" ? {} : { said: { text: title, write: JSON.stringify } };
}

/** Thrown while a response body is read that is not of this API. The retry loop turns it into an InvalidResponseError. */
export class GarbageError extends Error {
  /** False for JSON that breaks the schema: the next response would be the same. */
  readonly mayImprove: boolean;
  readonly #advice: string | undefined;
  readonly #said: Said | undefined;
  /** What stands before it. */
  readonly #before: string;

  constructor(message: string, { mayImprove, advice, said }: GarbageFacts) {
    super(said ? `${message}, ${said.write(said.text)}` : message);
    this.mayImprove = mayImprove;
    this.#advice = advice;
    this.#said = said;
    this.#before = `${message}, `;
  }

  /** The lines in which what was sent must be hidden. */
  shownLines(redactor: TextRedactor): readonly string[] {
    return this.#said ? [shorten(oneLine(redactor.text(this.#said.text)))] : [];
  }

  /** The error without secrets: this message may quote the server. */
  toUserError(target: string, redactor: TextRedactor, hide?: HideSent): InvalidResponseError {
    const said = this.#said;
    const [line = ""] = this.shownLines(redactor);
    const what = !hide || !said ? oneLine(redactor.text(this.message)) : this.#before + said.write(hide(line));
    return new InvalidResponseError(what, { target, advice: this.#advice });
  }
}

/** For a success whose body nobody needs: only a web page, e.g. of a login or a portal, is not from the service. */
export function refusePage(answer: TransportAnswer): void {
  const page = webPageOf(answer);
  if (page) throw new GarbageError("a web page", { mayImprove: true, ...saidByPage(page) });
}

/** The first line of a text from outside, without control characters and without the spaces around it. */
function oneLine(text: string): string {
  const first = text.trim().split(/[\r\n\u2028\u2029]/, 1)[0] ?? "";
  return first.replaceAll(/\p{Cc}+/gu, " ").trim();
}
