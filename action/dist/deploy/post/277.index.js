export const id = 277;
export const ids = [277];
export const modules = {

/***/ 4277:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  closeLeft: () => (/* binding */ closeLeft)
});

// EXTERNAL MODULE: ./node_modules/@actions/core/lib/core.js + 4 modules
var core = __webpack_require__(353);
// EXTERNAL MODULE: ../node_modules/zod/v4/classic/schemas.js + 11 modules
var schemas = __webpack_require__(9987);
// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
;// CONCATENATED MODULE: ./src/http/clock.js

/** The time of this machine. */
const systemClock = {
    now: () => performance.now(),
    date: () => new Date(),
    sleep: async (milliseconds, signal) => {
        signal?.throwIfAborted();
        try {
            await (0,promises_.setTimeout)(milliseconds, undefined, signal === undefined ? {} : { signal });
        }
        catch (error) {
            signal?.throwIfAborted();
            throw error;
        }
    },
    alarm: (milliseconds, ring) => {
        const timer = setTimeout(ring, milliseconds);
        return () => {
            clearTimeout(timer);
        };
    },
};

// EXTERNAL MODULE: external "node:util"
var external_node_util_ = __webpack_require__(7975);
;// CONCATENATED MODULE: ./src/text/foreign-text.js

// Everything that a terminal, a runner or .NET's StreamReader could take for the end of a line.
const LINE_BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;
// Controls, bidi overrides, zero-width characters, lone surrogates, unassigned and private ones. They can hide text
// from a reader, and the runner's culture-sensitive search looks through some of them: `#<zero width>#[` is `##[` to it.
const INVISIBLE = /[\p{C}\p{Default_Ignorable_Code_Point}]/gu;
const MOST_CHARACTERS = 2_000;
/** Makes text from outside fit to be shown: without secrets, escape sequences, invisible characters and line breaks. */
class ForeignText {
    #redact;
    constructor(redact = (text) => text) {
        this.#redact = redact;
    }
    /** The text on one line, cut to so many characters. */
    line(text, most = MOST_CHARACTERS) {
        return this.#clean(this.#redact(text).split(LINE_BREAK).join(" "), most).trim();
    }
    /** The text line by line; blanks at the start of a line stay, because logs indent. */
    lines(text, most = MOST_CHARACTERS) {
        return this.#redact(text)
            .split(LINE_BREAK)
            .map((line) => this.#clean(line, most).trimEnd());
    }
    // Redacted before and after: a secret may hold what is stripped, and may be split by what is stripped. Cut last,
    // since half a secret is one that nothing recognises any more.
    #clean(redacted, most) {
        const visible = stripVTControlCharacters(redacted).replaceAll("\t", "  ").replace(INVISIBLE, "");
        return cut(this.#redact(visible), most);
    }
}
/** The text with an ellipsis in place of what goes beyond so many UTF-16 units; no character is cut in half. */
function cut(text, most) {
    if (text.length <= most)
        return text;
    return `${text.slice(0, Math.max(0, most - 1)).replace(/[\uD800-\uDBFF]$/u, "")}…`;
}

;// CONCATENATED MODULE: ./src/text/number.js
const LEAST_DIGITS = 3;
// Beyond it a difference is the rounding of a sum, and not one of scores.
const MOST_DIGITS = 10;
/** A count for a person: `7`, `12,400`. */
function countText(count) {
    return grouped(String(count));
}
/** A count of things whose plural ends in s: `1 row`, `12,400 rows`. */
function countOf(count, noun) {
    return `${countText(count)} ${noun}${count === 1 ? "" : "s"}`;
}
/**
 * A number for a person: three significant digits, the whole part in full, and as many more digits as it takes that a
 * number which is not whole does not look whole: `0.867`, `1`, `0.9996`, `1,234.5`.
 */
function numberText(value) {
    if (!Number.isFinite(value))
        return "not a number";
    const whole = Math.trunc(Math.abs(value)).toString().length;
    for (let digits = Math.max(LEAST_DIGITS, whole); digits <= MOST_DIGITS; digits += 1) {
        const rounded = Number(value.toPrecision(digits));
        if (!Number.isInteger(rounded))
            return grouped(String(rounded));
    }
    return grouped(String(Number(value.toPrecision(Math.max(MOST_DIGITS, Math.min(whole, 17))))));
}
// Not by Intl: its first NumberFormat costs a fifth of the start of a step.
function grouped(number) {
    return number.replace(/^-?\d{4,}(?!\d*e)/, (whole) => whole.replace(/\B(?=(?:\d{3})+$)/g, ","));
}

;// CONCATENATED MODULE: ./src/text/quoted.js


const LONGEST = 80;
/** A value of the user's in quotes, on one line; a long one is cut, with the count of its characters. */
function quoted(text) {
    return shortened(text, LONGEST, JSON.stringify);
}
/** The name of a column, a key or a field in a sentence: in backticks, on one line; a long one is cut. */
function quotedName(name) {
    if (name === "")
        return "the column without a name";
    const short = name.length > LONGEST ? `${name.slice(0, LONGEST)}…` : name;
    return `\`${short
        .toWellFormed()
        .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ")
        .replaceAll("`", "'")}\``;
}
/** A text of the user's that a sentence repeats; a long one is cut, with the count of its characters. */
function shortened(text, most = LONGEST, write = (shown) => shown) {
    return text.length <= most ? write(text) : `${write(cut(text, most + 1))} (${countText(text.length)} characters)`;
}
/** `a, b or c` */
function listed(words, { conjunction = "or", most = words.length } = {}) {
    const rest = words.length - most;
    const shown = rest > 0 ? [...words.slice(0, most), `${countText(rest)} more`] : words;
    return shown.length < 2 ? shown.join() : `${shown.slice(0, -1).join(", ")} ${conjunction} ${shown.at(-1) ?? ""}`;
}
const SHOWN = 5;
/** Names for a sentence: the first five, and how many more there are. */
function nameList(names) {
    const shown = names.slice(0, SHOWN).map(printable);
    const more = names.length - shown.length;
    return more === 0 ? shown.join(", ") : `${shown.join(", ")} and ${String(more)} more`;
}
/** A file name as it can stand in a line of text: quoted and escaped when it holds control characters. */
function printable(name) {
    return /\p{Cc}/u.test(name) ? JSON.stringify(name) : name;
}

// EXTERNAL MODULE: ./src/contract/graph-deploy-error.js
var graph_deploy_error = __webpack_require__(5884);
;// CONCATENATED MODULE: ./src/contract/field-names.js


/** A rename table that cannot be used; the message lists every fault. */
class FieldNamesError extends graph_deploy_error/* GraphDeployError */.k {
    code = "FIELD_NAMES";
}
/**
 * Services spell some names with a brand in front. This table renames the keys of JSON objects at the border, both
 * ways and at every depth; values are left alone.
 */
class FieldNames {
    #toWire;
    #fromWire;
    #fromClient;
    constructor(pairs) {
        this.#toWire = new Map(pairs);
        this.#fromWire = new Map(pairs.map(([ours, theirs]) => [theirs, ours]));
        this.#fromClient = new Map([...pairs.map(([ours]) => [ours, undefined]), ...this.#fromWire]);
    }
    static none = new FieldNames([]);
    /** Reads pairs like `graph_config_path=acmegraph_config_path`, separated by commas or lines. */
    static parse(text) {
        const pairs = [];
        const faults = [];
        for (const entry of text.split(/[,\n]/).map((part) => part.trim())) {
            if (entry === "")
                continue;
            const match = /^([A-Za-z_]\w*)\s*=\s*([A-Za-z_]\w*)$/.exec(entry);
            if (match?.[1] === undefined || match[2] === undefined)
                faults.push(`${quoted(entry)} is not a pair; write ours=theirs`);
            else
                pairs.push([match[1], match[2]]);
        }
        faults.push(...repeated(pairs.map(([ours]) => ours)).map((name) => `${quoted(name)} is renamed twice`));
        faults.push(...repeated(pairs.map(([, theirs]) => theirs)).map((name) => `two names become ${quoted(name)}`));
        if (faults.length > 0)
            throw new FieldNamesError(faults.join("; "));
        return new FieldNames(pairs);
    }
    /** A JSON value with our names, in the names of the service. */
    toWire(value) {
        return this.#toWire.size === 0 ? value : rename(value, this.#toWire);
    }
    /** One of our names as the service spells it. */
    wireName(name) {
        return this.#toWire.get(name) ?? name;
    }
    /** A JSON value of the service, in our names. */
    fromWire(value) {
        return this.#fromWire.size === 0 ? value : rename(value, this.#fromWire);
    }
    /** What a client sent, in our names, as the service itself reads it: our spelling of a renamed name is unknown there. */
    fromClient(value) {
        return this.#fromClient.size === 0 ? value : rename(value, this.#fromClient);
    }
}
/** Keys that become undefined are left out. */
function rename(value, names) {
    if (Array.isArray(value))
        return value.map((item) => rename(item, names));
    if (value === null || typeof value !== "object")
        return value;
    // fromEntries defines own properties, so a key named __proto__ stays data.
    const renamed = Object.entries(value).flatMap(([key, item]) => {
        const name = names.has(key) ? names.get(key) : key;
        return name === undefined ? [] : [[name, rename(item, names)]];
    });
    return Object.fromEntries(renamed);
}
function repeated(names) {
    return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
;// CONCATENATED MODULE: ./src/contract/uuid.js

// Not the package `uuid`: who installs graph-deploy/tracing loads zod and undici alone.
const FORM = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
/** True for a UUID of any version, in either case: RFC 9562 §4. */
function isUuid(text) {
    return FORM.test(text);
}
/** True when two ids name the same thing: UUIDs are case-insensitive, RFC 9562 §4. Two missing ids are the same, too. */
function isSameId(id, other) {
    return id?.toLowerCase() === other?.toLowerCase();
}
const UNDASHED = /^([\da-f]{8})([\da-f]{4})([\da-f]{4})([\da-f]{4})([\da-f]{12})$/i;
/** A UUID in its normal form, with dashes and in lower case; undefined for any other text, with dashes or without. */
function uuidOf(text) {
    const dashed = text.replace(UNDASHED, "$1-$2-$3-$4-$5");
    return isUuid(dashed) ? dashed.toLowerCase() : undefined;
}
/** 32 hex digits in the form of a UUID. */
function uuidFromHex(hex) {
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}
/** Version 5, which follows from a name: RFC 9562 §5.5. */
function uuidV5(namespace, name) {
    return versioned(hash("sha1", Buffer.concat([namespace, Buffer.from(name)]), "buffer"), 0x50);
}
/** Version 7, which sorts by time: RFC 9562 §5.7. It is written into the 16 random bytes. */
function uuidV7(random, milliseconds) {
    random.writeUIntBE(milliseconds, 0, 6);
    return versioned(random, 0x70);
}
function versioned(bytes, version) {
    bytes.writeUInt8(version | (bytes.readUInt8(6) & 0x0f), 6);
    bytes.writeUInt8(0x80 | (bytes.readUInt8(8) & 0x3f), 8);
    return uuidFromHex(bytes.toString("hex", 0, 16));
}

;// CONCATENATED MODULE: ./src/contract/validation-error.js

/** One thing that is wrong with a request, as the service words it. */
const ValidationError = schemas/* looseObject */._H3({
    loc: schemas/* array */.YOg(schemas/* union */.KCZ([schemas/* string */.YjP(), schemas/* number */.aig()])),
    msg: schemas/* string */.YjP(),
    type: schemas/* string */.YjP(),
});
/** The body of an error answer. `detail` is a string for most statuses, an array for 422. */
const ErrorBody = schemas/* looseObject */._H3({
    detail: schemas/* union */.KCZ([schemas/* string */.YjP(), schemas/* array */.YOg(schemas/* union */.KCZ([ValidationError, schemas/* string */.YjP()]))]),
});
/** What refuses a key before the API itself is asked says so in another form. */
const RefusedKeyBody = schemas/* looseObject */._H3({ error: schemas/* string */.YjP().min(1) });
// FastAPI starts each `loc` with the part of the request that it looked at.
const REQUEST_PARTS = new Set(["body", "path", "query"]);
/** `source_revision_config.graph_config_path: Field required`. The rejected input is never part of it. */
function describeValidationError({ loc, msg }) {
    const path = loc.filter((step, index) => index > 0 || !REQUEST_PARTS.has(step));
    return path.length === 0 ? msg : `${path.join(".")}: ${msg}`;
}
/** The lines that an error body has for a person; `undefined` when the body is not of that form. */
function describeErrorBody(body) {
    const parsed = ErrorBody.safeParse(body);
    if (!parsed.success) {
        const refused = RefusedKeyBody.safeParse(body);
        return refused.success ? [refused.data.error] : undefined;
    }
    const { detail } = parsed.data;
    if (typeof detail === "string")
        return detail === "" ? undefined : [detail];
    return detail.map((entry) => (typeof entry === "string" ? entry : describeValidationError(entry)));
}
/** What zod found, in the form of the service. */
function toValidationErrors(error, part) {
    return error.issues.map((issue) => {
        const path = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
        return { loc: part === undefined ? path : [part, ...path], msg: issue.message, type: issue.code };
    });
}

;// CONCATENATED MODULE: ./src/text/json-text.js
/** A value from outside as JSON, to be shown. For a value that is nested too deep to be written, a phrase says so. */
function jsonText(value) {
    try {
        return JSON.stringify(value);
    }
    catch {
        // JSON.parse is not recursive, and JSON.stringify is.
        return "too deep to be shown";
    }
}
/** The JSON value in a body of UTF-8, also behind a byte order mark, which RFC 8259 §8.1 allows a reader to ignore. Throws SyntaxError. */
function parseJson(body) {
    // It drops a byte order mark at the start.
    return JSON.parse(new TextDecoder().decode(body));
}

;// CONCATENATED MODULE: ./src/http/errors.js


const ADVICE_ADDRESS = "Check that the URL is that of the API, with its path prefix if it has one.";
const ADVICE_LIST = "Check that the URL is that of the service. Looking something up by its id does not need the list.";
/** An address that cannot be used: no URL, or http where https is asked for. */
class errors_AddressError extends graph_deploy_error/* GraphDeployError */.k {
    code = "ADDRESS";
}
/** A credential that cannot be sent; its value is not repeated. */
class errors_CredentialsError extends graph_deploy_error/* GraphDeployError */.k {
    code = "CREDENTIALS";
}
/** The code of an error for a rejected credential (401), whatever the operation. */
const UNAUTHORIZED = "UNAUTHORIZED";
/** The server responded with a status other than a success. */
class HttpStatusError extends graph_deploy_error/* GraphDeployError */.k {
    /** `UNAUTHORIZED` for 401. */
    code;
    /** `GET https://host/path`, without query. */
    target;
    status;
    /** The server's reasons, a line each; without the rejected input. */
    details;
    requestId;
    /** How long the server asks to wait, milliseconds. */
    retryAfterMilliseconds;
    constructor(status, details, { target, requestId, note, retryAfterMilliseconds, ...options }) {
        const said = details.length === 0 ? "" : `: ${details.join("; ")}`;
        const id = requestId === undefined ? "" : ` (request ${requestId})`;
        super(`${target} answered ${String(status)}${note === undefined ? "" : `, ${note}`}${said}${id}`, {
            advice: adviceForStatus(status),
            reasons: status === 413 ? ["BODY_TOO_LARGE"] : [],
            ...options,
        });
        this.code = status === 401 ? UNAUTHORIZED : "HTTP_STATUS";
        this.target = target;
        this.status = status;
        this.details = details;
        this.requestId = requestId;
        this.retryAfterMilliseconds = retryAfterMilliseconds;
    }
}
/** The request did not arrive, or its response did not come back. */
class NetworkError extends graph_deploy_error/* GraphDeployError */.k {
    code = "NETWORK";
    /** `GET https://host/path`, without query. */
    target;
    /** The code of the system or of undici: `ECONNRESET`, `UND_ERR_SOCKET`. */
    networkCode;
    /** True when the server may have carried the request out. */
    mayHaveBeenProcessed;
    constructor(networkCode, what, { target, mayHaveBeenProcessed, ...options }) {
        super(`${target} failed: ${what} (${networkCode})`, options);
        this.target = target;
        this.networkCode = networkCode;
        this.mayHaveBeenProcessed = mayHaveBeenProcessed;
    }
}
/** An attempt, or all attempts together, took too long. */
class TimeoutError extends graph_deploy_error/* GraphDeployError */.k {
    code = "TIMEOUT";
    /** `GET https://host/path`, without query. */
    target;
    seconds;
    mayHaveBeenProcessed;
    constructor(seconds, { target, mayHaveBeenProcessed, verb = "answer", ...options }) {
        super(`${target} did not ${verb} within ${String(Math.round(seconds * 10) / 10)} s`, options);
        this.target = target;
        this.seconds = seconds;
        this.mayHaveBeenProcessed = mayHaveBeenProcessed;
    }
}
/** A success whose body is not the JSON of this API. */
class InvalidResponseError extends graph_deploy_error/* GraphDeployError */.k {
    code = "INVALID_RESPONSE";
    /** `GET https://host/path`, without query. */
    target;
    mayHaveBeenProcessed = true;
    constructor(what, { target, advice = ADVICE_ADDRESS, ...options }) {
        super(`${target} returned an unexpected response body: ${what}`, { ...options, advice });
        this.target = target;
    }
}
/** A redirect, which is not followed: credentials would go to another address. */
class RedirectError extends graph_deploy_error/* GraphDeployError */.k {
    code = "REDIRECT";
    status;
    host;
    constructor(status, host, { target, ...options }) {
        super(`${target} answered ${String(status)}, a redirect to ${host}, which is not followed`, {
            advice: "Use the final address of the API as the URL.",
            ...options,
        });
        this.status = status;
        this.host = host;
    }
}
/** A list that exceeds its number of pages or its timeout. */
class EndlessListError extends graph_deploy_error/* GraphDeployError */.k {
    code = "ENDLESS_LIST";
    /** How many were read. */
    pages;
    /** `deadlineMilliseconds`: the time that was too short; without it the list has too many pages. */
    constructor(what, { pages, deadlineMilliseconds, ...options }) {
        const read = countOf(pages, "page");
        const within = deadlineMilliseconds === undefined ? read : `${String(Math.round(deadlineMilliseconds / 100) / 10)} s (${read})`;
        super(`${what} did not end within ${within}`, { advice: ADVICE_LIST, ...options });
        this.pages = pages;
    }
}
/** True if a request may have been carried out although it failed. */
function mayHaveBeenProcessed(error) {
    if (error instanceof NetworkError || error instanceof TimeoutError)
        return error.mayHaveBeenProcessed;
    if (error instanceof HttpStatusError)
        return error.status === 408 || error.status >= 500;
    return error instanceof InvalidResponseError;
}
/** True if the same request may succeed a little later. */
function isTransient(error) {
    if (error instanceof HttpStatusError)
        return [408, 425, 429].includes(error.status) || error.status >= 500;
    return error instanceof NetworkError || error instanceof TimeoutError || error instanceof InvalidResponseError;
}
/** True if the server responded with one of these statuses. */
function errors_hasStatus(error, ...statuses) {
    return error instanceof HttpStatusError && statuses.includes(error.status);
}
/** The code of an error with this cause: a rejected credential keeps its own code, which programs look for. */
function codeAfter(cause, code) {
    return errors_hasStatus(cause, 401) ? UNAUTHORIZED : code;
}
/** True if the service does not have the endpoint. */
function isMissingEndpoint(error) {
    return errors_hasStatus(error, 404, 405, 501);
}
function adviceForStatus(status) {
    if (status === 401)
        return "Check the API key: it is missing, wrong or expired.";
    if (status === 403)
        return "Check that the API key may do this, and set the tenant id if the key belongs to several workspaces.";
    if (status === 400 || status === 422)
        return "Correct what the service names, and run again.";
    if (status === 413)
        return "The service does not accept a request body of this size.";
    if (status === 429)
        return "The service limits the rate of requests; run again later.";
    if (status >= 500)
        return "The service failed; run again later.";
    return undefined;
}

;// CONCATENATED MODULE: ./src/http/bad-response.js



const MOST_DETAILS = 20;
const bad_response_MOST_CHARACTERS = 500;
/** The error for a response with another status than a success. */
function refusal(answer, { url, target, redactor, ...rest }) {
    if (answer.status >= 300 && answer.status < 400) {
        return new RedirectError(answer.status, redirectHost(answer.headers["location"], url, redactor), { target });
    }
    const requestId = oneLine(redactor.text(answer.headers["x-request-id"] ?? "")).slice(0, 100);
    // Schema checkers write several lines, and show the rejected input on the later ones.
    const details = detailsOf(answer).map((line) => shorten(oneLine(redactor.text(line))));
    return new HttpStatusError(answer.status, details.filter(Boolean), {
        target,
        requestId: requestId === "" ? undefined : requestId,
        ...rest,
    });
}
function detailsOf({ headers, body }) {
    const lines = describeErrorBody(jsonOf(body)) ?? plainLine(headers["content-type"] ?? "", body.toString("utf8"));
    const shown = lines.slice(0, MOST_DETAILS);
    return lines.length > MOST_DETAILS ? [...shown, `and ${String(lines.length - MOST_DETAILS)} more`] : shown;
}
// Agent servers send some errors as plain text; a page of HTML is useless in a log.
function plainLine(contentType, text) {
    return contentType.startsWith("text/plain") ? [text] : [];
}
function jsonOf(body) {
    try {
        return parseJson(body);
    }
    catch {
        return undefined;
    }
}
// A URL has its host in lower case, which hides a secret from the redactor: so the original text is checked too.
function redirectHost(location, base, redactor) {
    if (location === undefined || !URL.canParse(location, base.href))
        return "an unknown address";
    const given = location.replace(/^([a-z][a-z\d+.-]*:)?[\\/]+/i, "").replace(/[\\/?#].*$/s, "");
    const { host } = new URL(location, base.href);
    const isClean = redactor.text(given) === given && redactor.text(host) === host;
    return isClean ? shorten(host) : "an address that contains a secret";
}
function shorten(line) {
    return line.length > bad_response_MOST_CHARACTERS ? `${line.slice(0, bad_response_MOST_CHARACTERS).toWellFormed()}…` : line;
}
/** Thrown while a response body is read that is not of this API. The retry loop turns it into an InvalidResponseError. */
class GarbageError extends Error {
    /** False for JSON that breaks the schema: the next response would be the same. */
    mayImprove;
    #advice;
    constructor(message, { mayImprove, advice }) {
        super(message);
        this.mayImprove = mayImprove;
        this.#advice = advice;
    }
    /** The error without secrets: this message may quote the server. */
    toUserError(target, redactor) {
        return new InvalidResponseError(oneLine(redactor.text(this.message)), { target, advice: this.#advice });
    }
}
/** The first line of a text from outside, without control characters and without the spaces around it. */
function oneLine(text) {
    const first = text.trim().split(/[\r\n\u2028\u2029]/, 1)[0] ?? "";
    return first.replaceAll(/\p{Cc}+/gu, " ").trim();
}

;// CONCATENATED MODULE: ./src/http/json-api.js






const ATTEMPT_MILLISECONDS = 30_000;
/** How long all attempts of a request may take, unless the caller sets another limit. */
const DEADLINE_MILLISECONDS = 120_000;
// A server can send keep-alive comments for ever. No job on GitHub's own runners takes longer than that.
const LONGEST_STREAM_MILLISECONDS = 6 * 3_600_000;
// How many schema errors of a response an error shows.
const MOST_FAULTS = 3;
const MOST_OF_ID = 80;
const CACHE_ADVICE = "A cache in front of the service may have responded: requests to the API must not be cached.";
/** JSON requests below one base URL: renamed at the border, checked by schema, errors as sentences. */
class JsonApi {
    #options;
    constructor(options) {
        this.#options = options;
    }
    /** The address below which all operations are. */
    get url() {
        return this.#options.endpoint.url;
    }
    async request(request) {
        const body = request.source ?? this.#json(request);
        return await this.#options.sender.send(this.#sent(request, "application/json", body), (answer) => this.#checked(readJson(answer), request));
    }
    /** A response that is text of any kind. */
    async text(request) {
        const sent = this.#sent(request, "text/*, */*;q=0.1", this.#json(request));
        return await this.#options.sender.send(sent, ({ body }) => body.toString("utf8"));
    }
    /**
     * A response that is read while it comes. `attemptMilliseconds` and `deadlineMilliseconds` bound the time until it
     * begins; `stallMilliseconds` bounds every silence, also one within it, and `longestMilliseconds` all of it.
     */
    async *stream(request, { mediaType, parts }) {
        const { longestMilliseconds = LONGEST_STREAM_MILLISECONDS } = request;
        const sent = { ...this.#sent(request, mediaType, this.#json(request)), longestMilliseconds };
        yield* this.#options.sender.stream(sent, (answer) => {
            const type = contentType(answer);
            if (type === mediaType)
                return parts(answer.body);
            throw new GarbageError(`not ${mediaType}, but ${type ?? "an unknown type"}`, { mayImprove: false });
        });
    }
    #json({ body }) {
        return body === undefined ? undefined : JSON.stringify(this.#options.fieldNames.toWire(body));
    }
    #sent(request, accept, body) {
        const { endpoint, userAgent, signal } = this.#options;
        const { url, headers: credentials } = endpoint.request(request.path, request.query);
        return {
            method: request.method,
            url,
            headers: {
                accept,
                "user-agent": userAgent,
                ...(body === undefined ? {} : { "content-type": "application/json" }),
                ...request.headers,
                ...credentials,
            },
            body,
            repeatable: request.repeatable,
            stallMilliseconds: request.stallMilliseconds ?? request.attemptMilliseconds ?? ATTEMPT_MILLISECONDS,
            attemptMilliseconds: request.attemptMilliseconds ?? ATTEMPT_MILLISECONDS,
            deadlineMilliseconds: request.deadlineMilliseconds ?? DEADLINE_MILLISECONDS,
            signal: request.signal ?? signal,
            namedBy: endpoint.namedBy,
        };
    }
    #checked(json, { schema, about = {} }) {
        const ours = this.#options.fieldNames.fromWire(json);
        const parsed = schema.safeParse(ours);
        if (parsed.success) {
            checkSubject(ours, about);
            return parsed.data;
        }
        const faults = toValidationErrors(parsed.error).slice(0, MOST_FAULTS).map(describeValidationError);
        throw new GarbageError(faults.join("; "), { mayImprove: false });
    }
}
function checkSubject(json, about) {
    for (const [field, id] of Object.entries(about)) {
        const answered = schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J()).safeParse(json).data?.[field];
        if (typeof answered === "string" && isSameId(answered, id))
            continue;
        const other = typeof answered === "string" ? cut(answered, MOST_OF_ID) : "missing";
        throw new GarbageError(`${field} is ${other}, but ${id} was requested`, { mayImprove: true, advice: CACHE_ADVICE });
    }
}
function readJson(answer) {
    const { body } = answer;
    if (body.length === 0)
        return undefined;
    try {
        return parseJson(body);
    }
    catch {
        const type = contentType(answer);
        throw new GarbageError(type === undefined ? "not JSON" : `not JSON, but ${type}`, { mayImprove: true });
    }
}
/** `text/html`; undefined for anything but a media type. */
function contentType({ headers }) {
    return /^[\w.+-]{1,40}\/[\w.+-]{1,40}/.exec(headers["content-type"] ?? "")?.[0].toLowerCase();
}

;// CONCATENATED MODULE: ./src/text/secret-mask.js
// Shorter values would blot out ordinary words; the runner refuses them as masks for the same reason.
const LEAST_LENGTH = 4;
// Settings that are kept among the secrets; as masks they would blank out outputs such as `created`.
const NO_SECRETS = new Set(["true", "false", "null", "none"]);
// One escape of a URL (a character of UTF-8) or of JSON.
const ESCAPE = /%[0-7][\da-f]|%[c-f][\da-f](?:%[89ab][\da-f]){1,3}|\\u[\da-f]{4}|\\["\\/bfnrt]/gi;
// JSON within JSON within a URL.
const MOST_LAYERS = 3;
// The user name and the password of an address; the `git@` of a repository is neither.
const CREDENTIALS_OF_ADDRESS = /(?<=:\/\/)(?!git@)[^\s/?#"<>`]+(?=@)/g;
/** True for a value that cannot be taken out of texts: it would take ordinary words along. */
function isTooCommonToMask(value) {
    return value.trim().length < LEAST_LENGTH || NO_SECRETS.has(value.toLowerCase());
}
/**
 * Puts `***` in the place of secrets, however they are written: as they are, as in a URL, as in JSON, each character on
 * its own, also one way within another; and of the user names and passwords in addresses, which no reader needs.
 */
class SecretMask {
    #evenCommon;
    #words = new Set();
    constructor({ evenCommon = false } = {}) {
        this.#evenCommon = evenCommon;
    }
    /** Learns a secret and each of its lines; answers its usual spellings, for others who mask literal texts. */
    add(secret) {
        const parts = [secret, ...secret.split(/\r?\n/)].flatMap((part) => [part, part.toWellFormed(), urlDecoded(part)]);
        const forms = parts.flatMap((part) => [part, urlEncoded(part), JSON.stringify(part).slice(1, -1)]);
        // A form of a web page has a plus for a blank.
        for (const part of parts)
            for (const word of [part, part.replaceAll(" ", "+")])
                this.#learn(word);
        return [...new Set(forms)].filter((form) => !isTooCommonToMask(form));
    }
    /** The text with `***` for each secret in it. */
    text(text) {
        let found = [];
        let layer = { text };
        for (let depth = 0; layer !== undefined && depth <= MOST_LAYERS; depth += 1) {
            found = [...found, ...this.#rangesIn(layer)];
            layer = unescaped(layer);
        }
        return withStars(text, found);
    }
    #learn(word) {
        if (this.#evenCommon ? word.trim() !== "" : !isTooCommonToMask(word))
            this.#words.add(word);
    }
    #rangesIn({ text, starts, ends }) {
        const ranges = [];
        const take = (from, to) => {
            ranges.push({ from: starts?.[from] ?? from, to: ends?.[to - 1] ?? to });
        };
        for (const word of this.#words) {
            const isCommon = isTooCommonToMask(word);
            for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
                if (!isCommon || standsAlone(text, at, at + word.length))
                    take(at, at + word.length);
            }
        }
        for (const { 0: credentials, index } of text.matchAll(CREDENTIALS_OF_ADDRESS)) {
            take(index, index + credentials.length);
        }
        return ranges;
    }
}
/** The text with one layer of escapes undone; undefined when there is none. */
function unescaped({ text, starts: oldStarts, ends: oldEnds }) {
    let undone = "";
    const starts = [];
    const ends = [];
    const put = (piece, from, to) => {
        undone += piece;
        for (let unit = 0; unit < piece.length; unit += 1) {
            const [first, last] = to === undefined ? [from + unit, from + unit] : [from, to - 1];
            starts.push(oldStarts?.[first] ?? first);
            ends.push(oldEnds?.[last] ?? last + 1);
        }
    };
    let next = 0;
    for (const { 0: escape, index } of text.matchAll(ESCAPE)) {
        const character = characterOf(escape);
        if (character === undefined)
            continue;
        put(text.slice(next, index), next, undefined);
        next = index + escape.length;
        put(character, index, next);
    }
    if (next === 0)
        return undefined;
    put(text.slice(next), next, undefined);
    return { text: undone, starts, ends };
}
function characterOf(escape) {
    if (escape.startsWith("%")) {
        const decoded = urlDecoded(escape);
        return decoded === escape ? undefined : decoded;
    }
    return String(JSON.parse(`"${escape.toLowerCase()}"`));
}
function standsAlone(text, from, to) {
    return !/[\p{L}\p{N}_]$/u.test(text.slice(Math.max(0, from - 2), from)) && !/^[\p{L}\p{N}_]/u.test(text.slice(to));
}
function withStars(text, ranges) {
    let clean = "";
    let next = 0;
    let open;
    const close = () => {
        if (open === undefined)
            return;
        clean += `${text.slice(next, open.from)}***`;
        next = open.to;
    };
    // Secrets that overlap are one: of neither anything is left.
    for (const range of [...ranges].sort((a, b) => a.from - b.from)) {
        if (open !== undefined && range.from < open.to)
            open = { from: open.from, to: Math.max(open.to, range.to) };
        else {
            close();
            open = range;
        }
    }
    close();
    return clean + text.slice(next);
}
function urlEncoded(text) {
    return encodeURIComponent(text.toWellFormed());
}
function urlDecoded(text) {
    try {
        return decodeURIComponent(text);
    }
    catch {
        return text;
    }
}

;// CONCATENATED MODULE: ./src/http/redactor.js

/** Knows the secrets of a run and removes them from texts; `onSecret` may mask them elsewhere too. */
class Redactor {
    #mask = new SecretMask();
    #reported = new Set();
    #onSecret;
    constructor(onSecret = () => undefined) {
        this.#onSecret = onSecret;
    }
    /** Learns a secret: its lines, and the forms in which it could stand in a URL or in JSON. */
    add(secret) {
        for (const form of this.#mask.add(secret)) {
            if (this.#reported.has(form))
                continue;
            this.#reported.add(form);
            this.#onSecret(form);
        }
    }
    /** The text with `***` in place of each secret. */
    text(text) {
        return this.#mask.text(text);
    }
}

;// CONCATENATED MODULE: ./src/http/outcome.js
// Full-object PUT and DELETE are idempotent: RFC 9110 §9.2.2.
const IDEMPOTENT = new Set(["DELETE", "GET", "HEAD", "PUT"]);
// The server did not get the request, or reports that it did not process it.
const NEVER_REACHED_CODES = new Set([
    "EADDRNOTAVAIL",
    "EAI_AGAIN",
    "ECONNREFUSED",
    "EHOSTDOWN",
    "EHOSTUNREACH",
    "ENETDOWN",
    "ENETUNREACH",
    "ENOTFOUND",
    "PROXY_502",
    "PROXY_503",
    "PROXY_504",
    "PROXY_UNREACHABLE",
    "UND_ERR_CONNECT_TIMEOUT",
]);
const NEVER_REACHED_STATUSES = new Set([425, 429]);
// The request may have been carried out before the failure. 503 is among them: proxies send it for a backend
// that died with the request in its hands.
const AMBIGUOUS_CODES = new Set([
    "ECONNABORTED",
    "ECONNRESET",
    "EPIPE",
    "ETIMEDOUT",
    "UND_ERR_BODY_TIMEOUT",
    "UND_ERR_HEADERS_TIMEOUT",
    "UND_ERR_RES_CONTENT_LENGTH_MISMATCH",
    "UND_ERR_SOCKET",
]);
const AMBIGUOUS_STATUSES = new Set([408, 500, 502, 503, 504]);
/** Whether a request may be sent again, by its method and its outcome. */
function classify(method, outcome) {
    switch (outcome.kind) {
        case "status":
            return classifyStatus(method, outcome.status);
        case "network":
            if (NEVER_REACHED_CODES.has(outcome.code))
                return "retry";
            return AMBIGUOUS_CODES.has(outcome.code) ? repeatIfIdempotent(method) : "final";
        case "garbage":
        case "timeout":
            return repeatIfIdempotent(method);
    }
}
/**
 * True if a failed connection leaves open whether the server carried the request out. An unknown code does: retrying it
 * would not help, but looking up the result may.
 */
function leavesOpen(code) {
    return !NEVER_REACHED_CODES.has(code) && !/^(EPROTO|ERR_SSL_|PROXY_|UND_ERR_INVALID_ARG$)/.test(code);
}
function classifyStatus(method, status) {
    if (status >= 200 && status < 300)
        return "done";
    if (NEVER_REACHED_STATUSES.has(status))
        return "retry";
    return AMBIGUOUS_STATUSES.has(status) ? repeatIfIdempotent(method) : "final";
}
function repeatIfIdempotent(method) {
    return IDEMPOTENT.has(method) ? "retry" : "ambiguous";
}

// EXTERNAL MODULE: ../node_modules/undici/index.js
var undici = __webpack_require__(734);
;// CONCATENATED MODULE: ./src/http/proxy-settings.js
// Apart from proxy.ts, which loads undici: a step that ends at its inputs does not wait for that.
const INVALID_PROXY = "is not a valid proxy URL (example: http://host:port)";
function isProxyUrl(text) {
    return /^https?:\/\//i.test(text) && URL.canParse(text);
}
/**
 * Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY; as with curl, the name in lower case wins and a scheme may be missing.
 * A value that is not a valid URL is reported to `onFault` and ignored.
 */
function proxy_settings_proxyFromEnvironment(variable, onFault) {
    const either = (name) => variable(name.toLowerCase()) ?? variable(name);
    const address = (name) => {
        const value = either(name);
        if (value === undefined)
            return undefined;
        const url = value.includes("://") ? value : `http://${value}`;
        if (isProxyUrl(url))
            return url;
        // The value may hold a password: it is not repeated.
        onFault(name, INVALID_PROXY);
        return undefined;
    };
    const http = address("HTTP_PROXY");
    const https = address("HTTPS_PROXY");
    const except = either("NO_PROXY");
    return {
        ...(http === undefined ? {} : { http }),
        ...(https === undefined ? {} : { https }),
        ...(except === undefined ? {} : { except }),
    };
}

;// CONCATENATED MODULE: ./src/http/proxy.js



/** The proxy could not be reached, so that the server behind it got nothing. */
class ProxyFailure extends Error {
    constructor(cause) {
        super("The proxy could not be reached.", { cause });
    }
}
/**
 * A dispatcher through the proxies of the settings; undefined if none is set. undici's errors do not distinguish a proxy
 * that is down from a server that is, so that connections to a proxy are made here.
 */
function proxyDispatcher({ http, https, except }, limits, { timeout, lookup, ...tls }) {
    const [httpProxy, httpsProxy] = [proxyAddress("HTTP_PROXY", http), proxyAddress("HTTPS_PROXY", https)];
    const addresses = [httpProxy, httpsProxy].filter((address) => address !== "");
    if (addresses.length === 0)
        return undefined;
    const origins = new Set(addresses.map((address) => new URL(address).origin));
    const toProxy = (origin) => new undici/* Pool */.bC(origin, { ...limits, connect: tagged((0,undici/* buildConnector */.gU)({ ...tls, timeout, allowH2: false })) });
    return new undici/* EnvHttpProxyAgent */.J2({
        ...limits,
        allowH2: false,
        connect: { ...tls, timeout, ...(lookup === undefined ? {} : { lookup }) },
        requestTls: tls,
        proxyTls: tls,
        clientFactory: toProxy,
        // Plain http goes to the proxy without a tunnel.
        factory: (origin, options) => (origins.has(new URL(origin).origin) ? toProxy(origin) : new undici/* Pool */.bC(origin, options)),
        httpProxy,
        httpsProxy,
        noProxy: except ?? "",
    });
}
function tagged(connect) {
    return (options, callback) => {
        connect(options, (...[error, socket]) => {
            if (error === null)
                callback(null, socket);
            else
                callback(new ProxyFailure(error), null);
        });
    };
}
function proxyAddress(variable, value) {
    if (value === undefined || value === "")
        return "";
    if (isProxyUrl(value))
        return value;
    // The value may hold a password: it is not repeated.
    throw new errors_AddressError(`${variable} ${INVALID_PROXY}.`);
}

;// CONCATENATED MODULE: ./src/http/failure.js



/** Thrown within the retry loop, which decides what becomes of it. */
class FailedAttempt extends Error {
    failure;
    constructor(failure) {
        super(failure.error.message, { cause: failure.error });
        this.failure = failure;
    }
}
const SENTENCES = {
    EACCES: "the file to send cannot be read",
    EAI_AGAIN: "the name of the host could not be resolved",
    ECONNREFUSED: "connection refused",
    ECONNRESET: "the connection was cut",
    EHOSTUNREACH: "the host cannot be reached",
    ENETUNREACH: "the network cannot be reached",
    ENOENT: "the file to send is gone",
    ENOTFOUND: "the host does not exist",
    EPIPE: "the connection was cut",
    ERR_SSL_PACKET_LENGTH_TOO_LONG: "the server does not use TLS on this port",
    ERR_SSL_WRONG_VERSION_NUMBER: "the server does not use TLS on this port",
    UND_ERR_BODY_TIMEOUT: "the response stalled",
    UND_ERR_CONNECT_TIMEOUT: "the host did not accept a connection in time",
    UND_ERR_HEADERS_OVERFLOW: "the headers of the response are too large",
    UND_ERR_HEADERS_TIMEOUT: "the server stalled",
    UND_ERR_INVALID_ARG: "the request holds something that HTTP does not allow",
    UND_ERR_PRX_CONN: "the proxy closed the connection",
    UND_ERR_PRX_TLS: "the certificate of the proxy is for another host",
    UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: "the file changed while it was sent",
    UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "the response is shorter or longer than its Content-Length",
    UND_ERR_RES_EXCEEDED_MAX_SIZE: "the response is larger than 16 MiB",
    UND_ERR_SOCKET: "the connection was closed",
};
const ADVICE_NETWORK = "Check the address, the network and the proxy settings of this machine.";
const ADVICE_PROXY = "Check the proxy settings of this machine: HTTP_PROXY, HTTPS_PROXY and NO_PROXY.";
const ADVICE_CERTIFICATE = "If the service uses a private CA, the certificate of that CA is needed here.";
/** Classifies what undici or Node threw; by code, because a bundle may hold the class twice. */
function toFailure(error, target) {
    const code = codeOf(error);
    const message = error instanceof Error ? error.message : "an unknown error";
    if (isParserError(error)) {
        // The parser's error contains what the server sent, which may echo our secrets: it does not become the cause.
        const what = { code: code ?? "HPE_INVALID", what: "the response is not HTTP", mayHaveBeenProcessed: true };
        return { ...failure(what, target), outcome: { kind: "garbage" } };
    }
    const proxy = proxyFailure(error, code, message, target);
    if (proxy !== undefined)
        return proxy;
    if (code === undefined) {
        return failure({ code: "UNEXPECTED", what: message, mayHaveBeenProcessed: true }, target, error);
    }
    if (isCertificateCode(code))
        return failure(certificate(code, "server"), target, error);
    const what = SENTENCES[code] ?? "the connection failed";
    return failure({ code, what, mayHaveBeenProcessed: leavesOpen(code) }, target, error);
}
/** An attempt that timed out after so many milliseconds. */
function timeoutFailure(milliseconds, target) {
    return {
        outcome: { kind: "timeout" },
        error: new TimeoutError(milliseconds / 1000, { target, mayHaveBeenProcessed: true, advice: ADVICE_NETWORK }),
    };
}
// A request that failed on the way to the proxy has not reached the server.
function proxyFailure(error, code = "UNKNOWN", message, target) {
    // undici has this only in the message.
    const status = /^Proxy .*\((\d{3})\)/.exec(message)?.[1];
    if (status !== undefined) {
        const what = status === "407" ? "the proxy asks for a user name and a password" : "the proxy refused";
        return failure({ code: `PROXY_${status}`, what, advice: ADVICE_PROXY }, target, error);
    }
    if (!(error instanceof ProxyFailure) && !code.startsWith("UND_ERR_PRX_"))
        return undefined;
    if (isCertificateCode(code))
        return failure(certificate(code, "proxy"), target, error);
    const what = code.startsWith("UND_ERR_PRX_") ? SENTENCES[code] : undefined;
    const known = failure({ code, what: what ?? "the proxy cannot be reached", advice: ADVICE_PROXY }, target, error);
    return code === "UND_ERR_PRX_TLS" ? known : { ...known, outcome: { kind: "network", code: "PROXY_UNREACHABLE" } };
}
function failure({ code, what, mayHaveBeenProcessed = false, advice = ADVICE_NETWORK, reasons }, target, cause) {
    const error = new NetworkError(code, what, {
        target,
        mayHaveBeenProcessed,
        advice,
        reasons,
        ...(cause === undefined ? {} : { cause }),
    });
    return { outcome: { kind: "network", code }, error };
}
// Happy eyeballs throws an AggregateError, a TLS socket wraps its cause: the outermost code counts.
function codeOf(error, depth = 0) {
    if (typeof error !== "object" || error === null || depth > 5)
        return undefined;
    if ("code" in error && typeof error.code === "string")
        return error.code;
    return "cause" in error ? codeOf(error.cause, depth + 1) : undefined;
}
// undici leaves the code of a parser error out where its parser has a better text.
function isParserError(error) {
    return error instanceof Error && (error.name === "HTTPParserError" || codeOf(error)?.startsWith("HPE_") === true);
}
function isCertificateCode(code) {
    return /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_TLS/.test(code);
}
function certificate(code, whose) {
    if (code === "CERT_HAS_EXPIRED")
        return { code, what: `the certificate of the ${whose} has expired` };
    if (code === "ERR_TLS_CERT_ALTNAME_INVALID")
        return { code, what: `the certificate of the ${whose} is for another host` };
    const what = `the certificate of the ${whose} is not trusted`;
    return { code, what, advice: ADVICE_CERTIFICATE, reasons: ["CERTIFICATE_UNTRUSTED"] };
}
/** Why another attempt is made, in a few words. */
function reasonOf({ outcome }) {
    switch (outcome.kind) {
        case "status":
            return `status ${String(outcome.status)}`;
        case "network":
            return outcome.code;
        case "garbage":
            return "the response is not JSON";
        case "timeout":
            return "timed out";
    }
}

;// CONCATENATED MODULE: ./src/http/base-url.js

/** Parses an address of a service; https is required except on loopback or with `allowHttp`. */
function base_url_parseAddress(text, { allowHttp }) {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    // `host:443` is a URL of the scheme `host:`.
    const unschemed = hostWithoutScheme(text);
    if (unschemed !== undefined) {
        const scheme = base_url_isLoopback(unschemed) ? "http://" : "https://";
        throw new errors_AddressError(`The address of the service has no scheme: write ${scheme} before the host (example: ${scheme}host/path).`);
    }
    if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) {
        // The text may be a key in the wrong input: it is not repeated.
        throw new errors_AddressError("The address of the service is not a valid URL (example: https://host/path).");
    }
    if (url.username !== "" || url.password !== "") {
        throw new errors_AddressError(`The address of ${url.host} contains a user name or a password; give the credentials separately.`);
    }
    if (url.protocol === "http:" && !allowHttp && !base_url_isLoopback(url)) {
        throw new errors_AddressError(`The address of ${url.host} uses http, which would send the credentials unencrypted; use https.`);
    }
    return url;
}
/** The address that a text without a scheme means; undefined for what does not look like a host, such as a key. */
function hostWithoutScheme(text) {
    if (!/^[\w.-]+(:\d+)?([/?#]|$)|^\[[\da-f:.]+\]/i.test(text) || !URL.canParse(`http://${text}`))
        return undefined;
    const url = new URL(`http://${text}`);
    return url.port !== "" || base_url_isLoopback(url) || /[.:]/.test(url.hostname) ? url : undefined;
}
/** Appends an absolute path to a base, which may have a path and a trailing slash. */
function joinUrl(base, path, query = {}) {
    const url = new URL(base);
    url.hash = "";
    url.search = "";
    url.pathname = base.pathname.replace(/\/+$/, "") + path;
    for (const [name, value] of Object.entries(query))
        url.searchParams.set(name, String(value));
    return url;
}
/**
 * This machine: 127.0.0.0/8, ::1, and localhost with the names below it. The transport checks where such a name leads: if
 * not to this machine, nothing is sent over http.
 */
function base_url_isLoopback({ hostname }) {
    return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
/** An address that is safe to log: a query may hold a signature. */
function printableUrl(url) {
    return url.origin + url.pathname;
}

;// CONCATENATED MODULE: ./src/http/retry.js


const FIRST_MILLISECONDS = 200;
const CAP_MILLISECONDS = 8_000;
// A gateway responds with 404 while it has no service behind it.
const GATEWAY_MILLISECONDS = 1_000;
// Enough for seven requests that fail permanently. A success gives back the retry that brought it, or pays for a fifth of
// one, as in the token buckets of the AWS SDKs.
const MOST_RETRIES = 20;
const RETRIES_FOR_SUCCESS = 0.2;
/** `GET https://host/path: status 503; attempt 2 of 4 in 1.2 s` */
function retryText({ target, reason, attempt, mostAttempts, delayMilliseconds }) {
    const next = `attempt ${String(attempt + 1)} of ${String(mostAttempts)} in ${durationText(delayMilliseconds)}`;
    return `${target}: ${reason}; ${next}`;
}
/**
 * The one retry loop: works until an attempt succeeds. After a failed one, `pauseAfter` returns how many milliseconds to
 * wait before the next, or throws the error that ends the loop.
 */
async function retry(work, pauseAfter, { clock, signal }) {
    for (let attempt = 1;; attempt += 1) {
        try {
            return await work(attempt);
        }
        catch (error) {
            await clock.sleep(pauseAfter(error, attempt), signal);
        }
    }
}
/** Tries once more, after a second, for one of these statuses: it may come from a gateway. */
async function askTwice(ask, statuses, deps) {
    const pauseAfter = (error, attempt) => {
        if (attempt === 1 && hasStatus(error, ...statuses))
            return GATEWAY_MILLISECONDS;
        throw error;
    };
    return await retry(ask, pauseAfter, deps);
}
/**
 * How long to wait before attempt `attempt + 1`: full jitter, so that many clients that failed together do not come
 * back together. What the server asks for (`hint`, milliseconds) is the least.
 */
function backoffMilliseconds(attempt, hint, random) {
    const ceiling = Math.min(CAP_MILLISECONDS, FIRST_MILLISECONDS * 2 ** attempt);
    return Math.max(hint ?? 0, random() * ceiling);
}
/**
 * How many retries all requests of a client may still make together. A service that stumbles is helped by retries; one
 * that is down for minutes, while a wait keeps looking at it, only gets four times as many requests from them.
 */
class RetryBudget {
    #left = MOST_RETRIES;
    /** Takes one retry; false if there is none left. */
    take() {
        if (this.#left < 1)
            return false;
        this.#left -= 1;
        return true;
    }
    /** A request came through, after retries or at once. */
    refill({ retried }) {
        this.#left = Math.min(MOST_RETRIES, this.#left + (retried ? 1 : RETRIES_FOR_SUCCESS));
    }
}
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
// The three forms of an HTTP-date: RFC 9110 §5.6.7.
const IMF_FIXDATE = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
const RFC_850 = /^[A-Z][a-z]{5,8}, (\d{2})-([A-Z][a-z]{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2}) GMT$/;
const ASCTIME = /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) ([ \d]\d) (\d{2}):(\d{2}):(\d{2}) (\d{4})$/;
/**
 * The milliseconds that a Retry-After header asks to wait, 0 for a date in the past, `undefined` for anything that is
 * neither whole seconds nor an HTTP-date: RFC 9110 §10.2.3.
 */
function retryAfterMilliseconds(value, now) {
    const text = value?.trim() ?? "";
    if (/^\d+$/.test(text))
        return Math.min(Number(text) * 1000, Number.MAX_SAFE_INTEGER);
    const date = httpDate(text, now);
    return date === undefined ? undefined : Math.max(0, date - now.getTime());
}
function httpDate(text, now) {
    const fixed = IMF_FIXDATE.exec(text);
    if (fixed !== null)
        return utc(fixed[3], fixed[2], fixed[1], fixed.slice(4, 7));
    const old = RFC_850.exec(text);
    if (old !== null)
        return utc(fullYear(Number(old[3]), now), old[2], old[1], old.slice(4, 7));
    const ascii = ASCTIME.exec(text);
    if (ascii !== null)
        return utc(ascii[6], ascii[1], ascii[2], ascii.slice(3, 6));
    return undefined;
}
// A two-digit year more than 50 years ahead means the past: RFC 9110 §5.6.7.
function fullYear(twoDigits, now) {
    const century = Math.floor(now.getUTCFullYear() / 100) * 100;
    const year = century + twoDigits;
    return year > now.getUTCFullYear() + 50 ? year - 100 : year;
}
function utc(year, monthName, day, time) {
    const month = MONTHS.indexOf(monthName ?? "");
    const [hour = 0, minute = 0, second = 0] = time.map(Number);
    // 60 is a leap second.
    if (month < 0 || hour > 23 || minute > 59 || second > 60)
        return undefined;
    const date = new Date(Date.UTC(Number(year), month, Number(day), hour, minute, Math.min(second, 59)));
    return date.getUTCMonth() === month && date.getUTCDate() === Number(day) ? date.getTime() : undefined;
}

// EXTERNAL MODULE: external "node:tls"
var external_node_tls_ = __webpack_require__(1692);
// EXTERNAL MODULE: external "node:dns"
var external_node_dns_ = __webpack_require__(610);
// EXTERNAL MODULE: external "node:net"
var external_node_net_ = __webpack_require__(7030);
;// CONCATENATED MODULE: ./src/http/this-machine.js



const LOOPBACK = new external_node_net_.BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");
// 0.0.0.0 and :: lead to this machine too. A cloud's metadata service is on the link.
const NEAR = new external_node_net_.BlockList();
NEAR.addSubnet("127.0.0.0", 8, "ipv4");
NEAR.addAddress("::1", "ipv6");
NEAR.addSubnet("0.0.0.0", 8, "ipv4");
NEAR.addAddress("::", "ipv6");
NEAR.addSubnet("169.254.0.0", 16, "ipv4");
NEAR.addSubnet("fe80::", 10, "ipv6");
/** True for an IP address of this machine alone; IPv4 also as IPv6 writes it. */
function isLoopbackAddress(address) {
    return isIn(LOOPBACK, address);
}
/** True for an IP address of this machine or of its link. */
function isNearAddress(address) {
    return isIn(NEAR, address);
}
function isIn(list, address) {
    const family = (0,external_node_net_.isIP)(address);
    return family !== 0 && list.check(address, family === 4 ? "ipv4" : "ipv6");
}
// The IP address that a URL has for its host; undefined for a name.
function literalAddress({ hostname }) {
    const address = hostname.replace(/^\[|\]$/g, "");
    return (0,external_node_net_.isIP)(address) === 0 ? undefined : address;
}
/** Every address of a host, itself where it is one; none for a name that cannot be resolved. */
async function addressesOf(url, lookup = external_node_dns_.lookup) {
    const literal = literalAddress(url);
    if (literal !== undefined)
        return [literal];
    try {
        const found = await (0,external_node_util_.promisify)(allOf(lookup))(url.hostname, {});
        return found.map(({ address }) => address);
    }
    catch {
        return [];
    }
}
/**
 * A lookup that returns good addresses only, or the error if a name has none. It runs while the connection is made, so
 * that no later lookup of the same name can lead elsewhere.
 */
function filteredLookup(isGood, error, lookup = external_node_dns_.lookup) {
    return (hostname, options, callback) => {
        allOf(lookup)(hostname, options, (failure, found) => {
            const good = found.filter(({ address }) => isGood(address));
            const [first] = good;
            if (failure !== null)
                callback(failure, "");
            else if (first === undefined)
                callback(error(hostname), "");
            else if (options.all === true)
                callback(null, good);
            else
                callback(null, first.address, first.family);
        });
    };
}
function allOf(lookup) {
    return (hostname, options, callback) => {
        lookup(hostname, { ...options, all: true }, (error, found, family = 0) => {
            callback(error, typeof found === "string" ? [{ address: found, family }] : found);
        });
    };
}

;// CONCATENATED MODULE: ./src/http/transport.js






const CONNECT_MILLISECONDS = 10_000;
const RESPONSE_LIMIT_BYTES = 16 * 1024 * 1024;
/** Sends one request once: HTTP/1.1, through the proxy unless on loopback, without redirects, with bounds. */
class Transport {
    #allowHttp;
    #lookup;
    #anywhere;
    #here;
    #beyond;
    constructor({ proxy = {}, caCertificate, allowHttp = false, lookup } = {}) {
        this.#allowHttp = allowHttp;
        this.#lookup = lookup;
        const limits = { connections: 8 };
        const connect = {
            timeout: CONNECT_MILLISECONDS,
            ...(caCertificate === undefined ? {} : { ca: [...external_node_tls_.getCACertificates("default"), caCertificate] }),
        };
        const ways = (chosen) => {
            const settings = { ...connect, ...(chosen === undefined ? {} : { lookup: chosen }) };
            const direct = new undici/* Agent */.g6({ ...limits, allowH2: false, connect: settings });
            return { direct, proxied: proxyDispatcher(proxy, limits, settings) ?? direct };
        };
        this.#anywhere = ways(lookup);
        this.#here = ways(filteredLookup(isLoopbackAddress, notHere, lookup));
        this.#beyond = ways(filteredLookup((address) => !isNearAddress(address), tooNear, lookup));
    }
    async send(sent) {
        sent.signal.throwIfAborted();
        const opened = isSource(sent.body) ? sent.body.open() : undefined;
        try {
            const answer = await this.#request(sent, opened);
            return { ...answer, body: await readAll(answer.body) };
        }
        finally {
            opened?.destroy();
        }
    }
    /** Like `send`, but returns while the body arrives; until it ends, it takes one of the few connections to a host. */
    async open(sent) {
        return await this.#request(sent);
    }
    async #request({ method, url, headers, body, stallMilliseconds, signal, namedBy }, opened) {
        signal.throwIfAborted();
        const dispatcher = await unlessAborted(this.#wayTo(url, namedBy), signal);
        const sent = (0,undici/* request */.Em)(url, {
            method,
            headers: isSource(body) ? { ...headers, "content-length": String(body.bytes) } : headers,
            body: isSource(body) ? (opened ?? null) : (body ?? null),
            signal,
            headersTimeout: stallMilliseconds,
            bodyTimeout: stallMilliseconds,
            dispatcher,
        });
        const answer = await unlessAborted(sent, signal);
        return { status: answer.statusCode, headers: flatten(answer.headers), body: answer.body };
    }
    async #wayTo(url, namedBy) {
        const ways = await this.#waysTo(url, namedBy);
        return base_url_isLoopback(url) ? ways.direct : ways.proxied;
    }
    async #waysTo(url, namedBy) {
        if (namedBy !== undefined && !(await this.#isHere(namedBy))) {
            // An IP address is never looked up, nor is a name that a proxy on this machine resolves.
            if ((await addressesOf(url, this.#lookup)).some(isNearAddress))
                throw tooNear(url.host);
            return this.#beyond;
        }
        // Http is allowed there only because of its name, so the name must lead to this machine.
        return url.protocol === "http:" && base_url_isLoopback(url) && !this.#allowHttp ? this.#here : this.#anywhere;
    }
    // Only names that must lead to this machine: DNS could make any other one lead here.
    async #isHere(url) {
        if (!base_url_isLoopback(url))
            return false;
        const addresses = await addressesOf(url, this.#lookup);
        return addresses.length > 0 && addresses.every(isLoopbackAddress);
    }
    async [Symbol.asyncDispose]() {
        const all = [this.#anywhere, this.#here, this.#beyond].flatMap(({ direct, proxied }) => [direct, proxied]);
        await Promise.all([...new Set(all)].map((dispatcher) => dispatcher.destroy()));
    }
}
function notHere(host) {
    return new errors_AddressError(`${host} is not on this machine, and http would send the credentials unencrypted.`, {
        advice: "Use https.",
    });
}
function tooNear(host) {
    return new errors_AddressError(`${host} is an address of this machine or its link, named by a service elsewhere: the key is not sent there.`, { advice: "Correct the address of the deployment in the service.", reasons: ["ADDRESS_NEAR"] });
}
function isSource(body) {
    return typeof body === "object" && "open" in body;
}
// undici checks the signal only once it is connected; a connection that hangs must not delay a cancel.
async function unlessAborted(work, signal) {
    const aborted = Promise.withResolvers();
    const onAbort = () => {
        aborted.reject(new Error("The request was aborted.", { cause: signal.reason }));
    };
    signal.addEventListener("abort", onAbort, { once: true });
    try {
        return await Promise.race([work, aborted.promise]);
    }
    finally {
        signal.removeEventListener("abort", onAbort);
    }
}
/** The whole body; undici's own limit does not apply to connections to a proxy. */
async function readAll(body) {
    const chunks = [];
    let bytes = 0;
    for await (const chunk of body) {
        if (!(chunk instanceof Uint8Array))
            continue;
        bytes += chunk.byteLength;
        if (bytes > RESPONSE_LIMIT_BYTES)
            throw new undici/* errors */.sO.ResponseExceededMaxSizeError();
        chunks.push(chunk);
    }
    return Buffer.concat(chunks);
}
function flatten(headers) {
    const flat = {};
    for (const [name, value] of Object.entries(headers)) {
        const first = typeof value === "string" ? value : value?.[0];
        if (first !== undefined)
            flat[name.toLowerCase()] = first;
    }
    return flat;
}

;// CONCATENATED MODULE: ./src/http/sender.js







const MOST_ATTEMPTS = 4;
/**
 * Sends requests with retries: bounded in attempts and time and by a budget that all requests share, with full jitter. A
 * request that is not safe to repeat is retried only if the server did not process it.
 */
class Sender {
    #transport;
    #redactor;
    #clock;
    #random;
    #onRetry;
    #budget = new RetryBudget();
    constructor({ transport, redactor, clock, random = Math.random, onRetry = () => undefined }) {
        this.#transport = transport;
        this.#redactor = redactor;
        this.#clock = clock;
        this.#random = random;
        this.#onRetry = onRetry;
    }
    /**
     * Sends until a response succeeds, and passes it to `read`, which throws a `GarbageError` for a body that is not of
     * this API.
     */
    async send(request, read) {
        return await this.#untilSuccess(request, async (sent) => {
            const answer = await this.#transport.send(sent);
            const isRead = isSuccess(answer) || request.isRead?.(answer) === true;
            return isRead ? { value: read(answer) } : { refused: answer };
        });
    }
    /**
     * Like `send` until a successful response begins; then yields what `read` makes of its body while it arrives. The
     * bounds on attempts apply to the beginning: after it, the server's silence, `longestMilliseconds` and the signal end
     * the response, and there is no retry. Closing the generator closes the connection.
     */
    async *stream(request, read) {
        const answer = await this.#untilSuccess(request, async (sent) => {
            const { body } = request;
            const begun = await this.#transport.open({ ...sent, body });
            return isSuccess(begun) ? { value: begun } : { refused: { ...begun, body: await readAll(begun.body) } };
        });
        const target = targetOf(request);
        const { longestMilliseconds } = request;
        const over = new AbortController();
        const hush = this.#clock.alarm(longestMilliseconds, () => {
            over.abort();
            answer.body.destroy();
        });
        try {
            yield* read(answer);
        }
        catch (error) {
            request.signal.throwIfAborted();
            if (over.signal.aborted) {
                const facts = { target, mayHaveBeenProcessed: true, verb: "end" };
                throw new TimeoutError(longestMilliseconds / 1000, facts);
            }
            if (error instanceof GarbageError)
                throw error.toUserError(target, request.redactor ?? this.#redactor);
            throw toFailure(error, target).error;
        }
        finally {
            hush();
            // Destroying a body that was never read emits 'error'; swallow it.
            answer.body.on("error", () => undefined).destroy();
        }
    }
    async #untilSuccess(request, exchange) {
        const target = targetOf(request);
        const end = this.#clock.now() + request.deadlineMilliseconds;
        const work = async (attempt) => {
            const result = await this.#attempt(request, exchange, target, end);
            this.#budget.refill({ retried: attempt > 1 });
            return result;
        };
        const pauseAfter = (error, attempt) => {
            if (error instanceof FailedAttempt)
                return this.#pauseAfter(error.failure, { request, target, attempt, end });
            throw error;
        };
        return await retry(work, pauseAfter, { clock: this.#clock, signal: request.signal });
    }
    /** Throws the error of the request when no other attempt may follow. */
    #pauseAfter(failure, { request, target, attempt, end }) {
        const { error, outcome, hintMilliseconds: hint, tooLate } = failure;
        const verdict = classify(request.method, outcome);
        const mayRepeat = verdict === "retry" || (verdict === "ambiguous" && request.repeatable === true);
        if (!mayRepeat || attempt === MOST_ATTEMPTS)
            throw error;
        const delayMilliseconds = backoffMilliseconds(attempt, hint, this.#random);
        // Timers may fire a part of a millisecond early: no attempt is begun for that.
        const left = Math.floor(end - this.#clock.now());
        if (delayMilliseconds >= left)
            throw hint === undefined || hint < left ? error : (tooLate?.(hint, left) ?? error);
        if (!this.#budget.take())
            throw error;
        this.#onRetry({ target, attempt, mostAttempts: MOST_ATTEMPTS, delayMilliseconds, reason: reasonOf(failure) });
        return delayMilliseconds;
    }
    async #attempt(request, exchange, target, end) {
        request.signal.throwIfAborted();
        const milliseconds = Math.max(1, Math.ceil(Math.min(request.attemptMilliseconds, end - this.#clock.now())));
        const timeout = new AbortController();
        const stopAlarm = this.#clock.alarm(milliseconds, () => {
            timeout.abort();
        });
        const redactor = request.redactor ?? this.#redactor;
        try {
            const { method, url, headers, body, stallMilliseconds, namedBy } = request;
            const signal = AbortSignal.any([request.signal, timeout.signal]);
            const result = await exchange({ method, url, headers, body, stallMilliseconds, signal, namedBy });
            if ("value" in result)
                return result.value;
            const answer = result.refused;
            const hintMilliseconds = retryAfterMilliseconds(answer.headers["retry-after"], this.#clock.date());
            const context = { url, target, redactor, retryAfterMilliseconds: hintMilliseconds };
            throw new FailedAttempt({
                outcome: { kind: "status", status: answer.status },
                hintMilliseconds,
                error: refusal(answer, context),
                tooLate: (asked, left) => refusal(answer, { ...context, note: tooLateNote(asked, left) }),
            });
        }
        catch (error) {
            if (error instanceof FailedAttempt)
                throw error;
            request.signal.throwIfAborted();
            if (error instanceof errors_AddressError)
                throw error;
            if (error instanceof GarbageError) {
                const userError = error.toUserError(target, redactor);
                if (!error.mayImprove)
                    throw userError;
                throw new FailedAttempt({ outcome: { kind: "garbage" }, error: userError });
            }
            throw new FailedAttempt(timeout.signal.aborted ? timeoutFailure(milliseconds, target) : toFailure(error, target));
        }
        finally {
            stopAlarm();
        }
    }
}
function isSuccess({ status }) {
    return status >= 200 && status < 300;
}
function targetOf({ label, method, url }) {
    return label ?? `${method} ${printableUrl(url)}`;
}
function tooLateNote(asked, left) {
    const seconds = (milliseconds) => `${String(Math.ceil(milliseconds / 1000))} s`;
    return `and asks to wait ${seconds(asked)}, longer than the ${seconds(left)} that are left for it`;
}

;// CONCATENATED MODULE: ./src/http/http-client.js






/** What all clients of one run share: connections, retries, the redactor, the signal. */
class HttpClient {
    sender;
    redactor;
    clock;
    allowHttp;
    signal;
    userAgent;
    #transport;
    constructor(options = {}) {
        this.#transport = new Transport(options);
        this.redactor = options.redactor ?? new Redactor();
        this.clock = options.clock ?? systemClock;
        this.allowHttp = options.allowHttp ?? false;
        this.signal = options.signal ?? new AbortController().signal;
        this.userAgent = options.userAgent ?? "graph-deploy";
        const { redactor, clock } = this;
        this.sender = new Sender({
            transport: this.#transport,
            redactor,
            clock,
            random: options.random ?? Math.random,
            onRetry: options.onRetry,
        });
    }
    /** The API of one service; the redactor learns its secrets. */
    api(endpoint, fieldNames = FieldNames.none) {
        endpoint.teach(this.redactor);
        const { sender, userAgent, signal } = this;
        return new JsonApi({ endpoint, sender, fieldNames, userAgent, signal });
    }
    /** Closes all connections; requests that are still running are cut. */
    async close() {
        await this.#transport[Symbol.asyncDispose]();
    }
    async [Symbol.asyncDispose]() {
        await this.close();
    }
}

// EXTERNAL MODULE: external "node:fs/promises"
var external_node_fs_promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
;// CONCATENATED MODULE: ./src/http/certificates.js

/** The certificates of a PEM text, which `where` names in an error; other PEM blocks are dropped. */
function certificatesIn(text, where) {
    const blocks = text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
    if (blocks.length === 0)
        return { ok: false, fault: `${where} contains no PEM certificate` };
    const broken = blocks.findIndex((block) => !isCertificate(block));
    if (broken >= 0)
        return { ok: false, fault: `certificate ${String(broken + 1)} in ${where} is invalid` };
    return { ok: true, pem: `${blocks.join("\n")}\n` };
}
function isCertificate(pem) {
    try {
        return new external_node_crypto_.X509Certificate(pem).raw.length > 0;
    }
    catch {
        return false;
    }
}

;// CONCATENATED MODULE: ./action/inputs/certificate.js




// All authorities that browsers trust take a fifth of this.
const LARGEST_FILE_BYTES = 1024 * 1024;
/**
 * The certificates to trust besides the usual ones, as PEM text: from PEM text, or from a file whose path is relative
 * to the workspace. Other PEM blocks are dropped. Undefined when there are none, or after an error.
 */
async function readCaCertificate(reader, { workspace }) {
    const text = reader.text("ca-certificate");
    if (text === "")
        return undefined;
    const result = await readCertificates(text, workspace ?? "");
    if (result.ok)
        return result.pem;
    reader.fault("ca-certificate", result.fault);
    return undefined;
}
async function readCertificates(input, base) {
    if (input.includes("-----BEGIN"))
        return certificatesIn(input, "the text");
    const text = await readPemFile((0,external_node_path_.resolve)(base, input));
    if (text === undefined) {
        return { ok: false, fault: `${quoted(input)} is neither PEM text nor a readable file of at most 1 MiB` };
    }
    return certificatesIn(text, quoted(input));
}
async function readPemFile(path) {
    try {
        const facts = await (0,external_node_fs_promises_.stat)(path);
        return facts.isFile() && facts.size <= LARGEST_FILE_BYTES ? await (0,external_node_fs_promises_.readFile)(path, "utf8") : undefined;
    }
    catch {
        return undefined;
    }
}

;// CONCATENATED MODULE: ./action/inputs/quantity.js
/**
 * Bounds of a timeout, milliseconds. A week is more than any runner waits, and well below the 24.8 days
 * after which a timer of Node overflows.
 */
const TIMEOUT_BOUNDS = { least: 100, most: 7 * 24 * 3_600_000 };
const MILLISECONDS = { s: 1000, m: 60_000, h: 3_600_000 };
/** Reads `90s`, `30m`, `1.5h` or a bare number of seconds; milliseconds, or undefined when the text is not a duration. */
function parseDuration(text) {
    const match = /^(\d+(?:\.\d+)?)([smh]?)$/.exec(text);
    if (match === null)
        return undefined;
    const unit = match[2] === "m" || match[2] === "h" ? match[2] : "s";
    return Math.round(Number(match[1]) * MILLISECONDS[unit]);
}
/** Reads an age: a duration, or days as `30d`; milliseconds, or undefined when the text is not an age. */
function parseAge(text) {
    const [, days] = /^(\d+(?:\.\d+)?)d$/.exec(text) ?? [];
    return days === undefined ? parseDuration(text) : Math.round(Number(days) * 24 * MILLISECONDS.h);
}
/** Writes milliseconds as a user would: whole hours as `24h`, else seconds as `0.1s`. */
function writeDuration(milliseconds) {
    const hours = milliseconds / MILLISECONDS.h;
    return hours >= 1 && Number.isInteger(hours) ? `${String(hours)}h` : `${String(milliseconds / MILLISECONDS.s)}s`;
}

;// CONCATENATED MODULE: ./src/text/bytes.js
const UNITS = (/* unused pure expression or super */ null && (["kB", "MB", "GB", "TB"]));
/** An amount of bytes for a person, in decimal units: `512 bytes`, `38.2 kB`, `212 MB`. */
function bytesText(bytes) {
    const whole = Number.isFinite(bytes) ? Math.max(0, Math.round(bytes)) : 0;
    if (whole < 1_000)
        return whole === 1 ? "1 byte" : `${String(whole)} bytes`;
    let value = whole;
    for (const unit of UNITS) {
        value /= 1_000;
        const text = value < 99.95 ? value.toFixed(1) : value.toFixed(0);
        // 999.9 kB is rounded up to the next unit.
        if (Number(text) < 1_000 || unit === UNITS.at(-1))
            return `${text} ${unit}`;
    }
    return "";
}
const LIMIT_UNITS = (/* unused pure expression or super */ null && ([
    ["", 1],
    ["kB", 1e3],
    ["MB", 1e6],
    ["GB", 1e9],
    ["KiB", 2 ** 10],
    ["MiB", 2 ** 20],
    ["GiB", 2 ** 30],
]));
/** A limit as a user writes it, exact and as short as can be: `200MiB`, `1.5GB`, `1048577`. */
function limitText(bytes) {
    const texts = LIMIT_UNITS.map(([unit, size]) => `${String(bytes / size)}${unit}`);
    return texts.reduce((shortest, text) => (text.length < shortest.length ? text : shortest));
}
/** A rate for a person: `1.2 MB/s`; empty when there is nothing to divide by. */
function rateText(bytes, milliseconds) {
    return milliseconds > 0 ? `${bytesText((bytes / milliseconds) * 1_000)}/s` : "";
}
const BYTES = new Map([
    ["", 1],
    ["b", 1],
    ["kb", 1e3],
    ["mb", 1e6],
    ["gb", 1e9],
    ["kib", 2 ** 10],
    ["mib", 2 ** 20],
    ["gib", 2 ** 30],
]);
/** Reads `200MiB`, `1.5GB` or a bare number of bytes, in any case; whole bytes, or undefined when the text is not a size. */
function parseSize(text) {
    const match = /^(\d+(?:\.\d+)?) ?([a-z]*)$/i.exec(text);
    const unit = match === null ? undefined : BYTES.get((match[2] ?? "").toLowerCase());
    if (match === null || unit === undefined)
        return undefined;
    const bytes = Math.floor(Number(match[1]) * unit);
    return Number.isSafeInteger(bytes) ? bytes : undefined;
}

;// CONCATENATED MODULE: ./action/inputs/input-reader.js



/**
 * Reads the inputs of a step by the runner's rules and collects every error, so that one report has all of them.
 * After an error a reading method returns a harmless value: check `faults` before using the values.
 */
class InputReader {
    #env;
    #defaults;
    #faults = [];
    #warnings = [];
    #notices = [];
    constructor(env, defaults) {
        this.#env = env;
        this.#defaults = defaults;
    }
    get faults() {
        return this.#faults;
    }
    get warnings() {
        return this.#warnings;
    }
    get notices() {
        return this.#notices;
    }
    /** `input` may also be an environment variable. The message is read after the name and ends without a full stop. */
    fault(input, message) {
        this.#faults.push({ input, message });
    }
    warn(message) {
        this.#warnings.push(message);
    }
    /** For what is good to know and needs no action. */
    notice(message) {
        this.#notices.push(message);
    }
    /** The value without blanks at its ends; the default where it is empty. */
    text(name) {
        return input_reader_givenInput(this.#env, name) || this.#default(name);
    }
    /** The value, or that of an environment variable when the input is empty. */
    textOrVariable(name, variable) {
        return this.text(name) || (input_reader_givenVariable(this.#env, variable) ?? "");
    }
    /** True when the input differs from its default. */
    isChanged(name) {
        return this.text(name) !== this.#default(name);
    }
    // Only the runner can work out an expression.
    #default(name) {
        const text = this.#defaults[name];
        return text.startsWith("${{") ? "" : text;
    }
    /** The lines that are not blank, each as it is written. */
    lines(name) {
        return this.text(name)
            .split(/\r?\n/)
            .filter((line) => line.trim() !== "");
    }
    /** YAML 1.2's booleans, and no others: `yes` and `1` mean different things to different readers. */
    boolean(name) {
        const text = this.text(name);
        if (/^(true|True|TRUE)$/.test(text))
            return true;
        if (!/^(false|False|FALSE)$/.test(text))
            this.fault(name, `${quoted(text)} is not valid (choose true or false)`);
        return false;
    }
    choice(name, choices) {
        const text = this.text(name);
        const chosen = choices.find((choice) => choice === text);
        if (chosen === undefined)
            this.fault(name, `${quoted(text)} is not valid (choose ${listed(choices)})`);
        return chosen ?? choices[0];
    }
    /** Milliseconds. */
    duration(name, { least, most }) {
        const text = this.text(name);
        const duration = parseDuration(text);
        if (duration === undefined)
            this.fault(name, `${quoted(text)} is not a valid duration (examples: 90s, 30m, 1.5h)`);
        else if (duration < least || duration > most) {
            this.fault(name, `${quoted(text)} must be between ${writeDuration(least)} and ${writeDuration(most)}`);
        }
        return duration ?? least;
    }
    /** A whole number from 1 on; undefined when the input is empty or invalid. */
    count(name) {
        const text = this.text(name);
        if (text === "")
            return undefined;
        const count = /^\d+$/.test(text) ? Number(text) : 0;
        if (count >= 1 && Number.isSafeInteger(count))
            return count;
        this.fault(name, `${quoted(text)} must be a positive integer, or empty`);
        return undefined;
    }
    /** The value as one line; undefined when it is empty. A line break or another control character is an error. */
    line(name) {
        const text = this.text(name);
        if (/\p{Cc}/u.test(text))
            this.fault(name, `${quoted(text)} contains a line break or another control character`);
        return text === "" ? undefined : text;
    }
    /** Bytes, at least one. */
    size(name) {
        const text = this.text(name);
        const size = parseSize(text) ?? 0;
        if (size < 1)
            this.fault(name, `${quoted(text)} is not a valid size (examples: 200MiB, 1GB, 1048576)`);
        return size;
    }
}
/** The value of an environment variable without blanks at its ends; undefined when it is not set, or empty. */
function input_reader_givenVariable(env, name) {
    const value = ownVariable(env, name)?.trim();
    return value === "" ? undefined : value;
}
/** The value of an environment variable as it is: `constructor` of the object is not a variable. */
function ownVariable(env, name) {
    return Object.hasOwn(env, name) ? env[name] : undefined;
}
/**
 * The value of an input without blanks at its ends, empty when it is not set. The runner writes the name in upper case
 * with underscores for blanks, and keeps hyphens: ProcessInvoker in actions/runner, `getInput` in actions/toolkit.
 */
function input_reader_givenInput(env, name) {
    return env[`INPUT_${name.replaceAll(" ", "_").toUpperCase()}`]?.trim() ?? "";
}

// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(542);
;// CONCATENATED MODULE: ./action/inputs/runner.js


/** Reads the runner's own variables. */
function readRunner(env) {
    return {
        temp: input_reader_givenVariable(env, "RUNNER_TEMP") ?? (0,external_node_os_.tmpdir)(),
        workspace: input_reader_givenVariable(env, "GITHUB_WORKSPACE"),
        debug: env["RUNNER_DEBUG"] === "1",
        attempt: Number(input_reader_givenVariable(env, "GITHUB_RUN_ATTEMPT") ?? 1),
        summaryFile: input_reader_givenVariable(env, "GITHUB_STEP_SUMMARY"),
    };
}

;// CONCATENATED MODULE: ./action/github/errors.js
/** GitHub refused a request, or could not be reached. It never fails a step, and is a warning at most. */
class errors_GitHubError extends Error {
    name = "GitHubError";
    status;
    missing;
    mayHaveBeenProcessed;
    constructor(message, { status, missing, mayHaveBeenProcessed = false, cause } = {}) {
        super(message, { cause });
        this.status = status;
        this.missing = missing;
        this.mayHaveBeenProcessed = mayHaveBeenProcessed;
    }
}
/** True if GitHub answered with one of these statuses. */
function errors_isStatus(error, ...statuses) {
    return error instanceof errors_GitHubError && error.status !== undefined && statuses.includes(error.status);
}
/**
 * The permission that a refused request asks for, by the header x-accepted-github-permissions, such as
 * `issues=write; pull_requests=write`; undefined when it names none.
 */
function permissionIn(header) {
    const named = Array.from((header ?? "").matchAll(/([a-z_]{1,60})=(read|write|admin)/g), ([, name = "", access = ""]) => ({
        name: name.replaceAll("_", "-"),
        access,
    }));
    // The header of a comment names issues too, which does not suffice on a pull request.
    const chosen = named.find(({ name }) => name === "pull-requests") ?? named[0];
    return chosen === undefined ? undefined : `${chosen.name}: ${chosen.access}`;
}

;// CONCATENATED MODULE: ./action/github/fetch.js



const STALL_MILLISECONDS = 10_000;
const fetch_DEADLINE_MILLISECONDS = 30_000;
// Without a time in the response, GitHub asks for at least a minute.
const UNNAMED_WAIT_MILLISECONDS = 60_000;
const LONGEST_WAIT_MILLISECONDS = 90_000;
/**
 * A `fetch` for octokit that sends through our sender: proxy, certificates, timeouts and masking are those of all
 * requests. It refuses other origins, since octokit follows any `Link` with the token. What may be repeated is repeated
 * by the sender; a POST that makes something new is not. A rate limit is waited for once, if the wait is short;
 * until it is over, all other requests fail at once.
 */
function makeGitHubFetch({ sender, clock, signal, api, limits, longestWaitMilliseconds = LONGEST_WAIT_MILLISECONDS, onRetry, }) {
    const send = async (url, method, { headers = {}, body }) => await sender.send({
        method,
        url,
        headers,
        body: typeof body === "string" ? body : undefined,
        repeatable: method === "PATCH" || (method === "POST" && isRepeatable(url, body)),
        stallMilliseconds: STALL_MILLISECONDS,
        attemptMilliseconds: STALL_MILLISECONDS,
        deadlineMilliseconds: fetch_DEADLINE_MILLISECONDS,
        signal,
        // Who asked needs their headers; of the others the sender knows what to do.
        isRead: ({ status }) => status >= 400 && status < 500 && status !== 408 && status !== 425,
    }, (answer) => answer);
    return async (text, request = {}) => {
        const url = new URL(text);
        if (url.origin !== api.origin)
            throw new errors_GitHubError(`GitHub named an address at ${url.host}, which gets no token`);
        if (limits.limited !== undefined && clock.now() < limits.limited.until)
            return responseOf(limits.limited.answer);
        const method = methodOf(request.method);
        try {
            let answer = await send(url, method, request);
            const wait = limitOf(answer, clock.date());
            if (wait !== undefined && limits.mayWait && wait <= longestWaitMilliseconds) {
                limits.mayWait = false;
                const target = `${method} ${url.origin}${url.pathname}`;
                onRetry?.({ target, attempt: 1, mostAttempts: 2, delayMilliseconds: wait, reason: "rate limit" });
                await clock.sleep(wait, signal);
                answer = await send(url, method, request);
            }
            const left = limitOf(answer, clock.date());
            if (left !== undefined)
                limits.limited = { until: clock.now() + left, answer };
            return responseOf(answer);
        }
        catch (error) {
            if (error instanceof errors_GitHubError)
                throw error;
            const status = error instanceof Error && "status" in error ? Number(error.status) : undefined;
            const message = error instanceof Error ? error.message : String(error);
            throw new errors_GitHubError(message, { status, mayHaveBeenProcessed: mayHaveBeenProcessed(error), cause: error });
        }
    };
}
/** True for a POST that has the same end carried out twice: a status, or a query. */
function isRepeatable({ pathname }, body) {
    if (/\/statuses(\/[0-9a-f]+)?$/.test(pathname))
        return true;
    return pathname.endsWith("/graphql") && typeof body === "string" && !body.includes("mutation");
}
/** How long GitHub asks to wait, milliseconds; undefined for a response that is not about a rate limit. */
function limitOf({ status, headers, body }, now) {
    // GraphQL reports its limit in a success.
    const isOfQuery = status === 200 && headers["x-ratelimit-remaining"] === "0" && body.includes('"RATE_LIMITED"');
    if (status !== 403 && status !== 429 && !isOfQuery)
        return undefined;
    const asked = retryAfterMilliseconds(headers["retry-after"], now);
    if (asked !== undefined)
        return asked;
    if (headers["x-ratelimit-remaining"] === "0") {
        const reset = Number(headers["x-ratelimit-reset"]) * 1_000 - now.getTime();
        return Number.isFinite(reset) ? Math.max(0, reset) : UNNAMED_WAIT_MILLISECONDS;
    }
    const isSecondary = status === 429 || /secondary rate limit|abuse detection/i.test(body.toString("utf8"));
    return isSecondary ? UNNAMED_WAIT_MILLISECONDS : undefined;
}
const METHODS = new Map(["DELETE", "GET", "HEAD", "PATCH", "POST", "PUT"].map((method) => [method, method]));
function methodOf(method = "GET") {
    const known = METHODS.get(method);
    if (known === undefined)
        throw new errors_GitHubError(`${method} is not sent to GitHub`);
    return known;
}
function responseOf({ status, headers, body }) {
    const isEmpty = status === 204 || status === 205 || body.byteLength === 0;
    return new Response(isEmpty ? null : new Uint8Array(body), { status, headers });
}

;// CONCATENATED MODULE: ./src/http/endpoint.js


/**
 * True for a value that may be a key or an id of a tenant. Whatever else a header may hold is never part of one:
 * RFC 9110 §5.5. undici would send bytes in the range of Latin-1, and they would arrive as something else.
 */
function isCredential(value) {
    return /^[\x21-\x7e]+$/.test(value);
}
/** Throws CredentialsError, which does not repeat the value. */
function checkCredentials({ apiKey, bearerToken, tenantId }) {
    const values = { "The API key": apiKey, "The bearer token": bearerToken, "The tenant id": tenantId };
    for (const [name, value] of Object.entries(values)) {
        if (value === undefined || isCredential(value))
            continue;
        throw new errors_CredentialsError(`${name} is not a valid header value: it is empty, or contains whitespace or non-ASCII characters.`);
    }
}
/**
 * The address of a service and the credentials that belong to it, checked once. Requests below this address carry the
 * credentials, and nothing else reads them: every text of an endpoint shows `***` in their place.
 */
class endpoint_Endpoint {
    namedBy;
    #url;
    #credentials;
    #options;
    /** Throws AddressError for an unusable address, and CredentialsError for a value that is not a credential. */
    constructor(url, { apiKey, bearerToken, tenantId } = {}, options = {}) {
        const { allowHttp = false, namedBy } = options;
        this.#url = base_url_parseAddress(url, { allowHttp });
        checkCredentials({ apiKey, bearerToken, tenantId });
        this.#credentials = { apiKey, bearerToken, tenantId };
        this.#options = { allowHttp, namedBy };
        this.namedBy = namedBy;
    }
    get url() {
        return new URL(this.#url);
    }
    /** The same service below another path. */
    below(pathname) {
        const { url } = this;
        url.pathname = pathname;
        return new endpoint_Endpoint(url.href, this.#credentials, this.#options);
    }
    /** The agent server that this service has at another address: it gets the same key, and it knows no tenants. */
    agentServer(url) {
        const { apiKey, bearerToken } = this.#credentials;
        return new endpoint_Endpoint(url, { apiKey, bearerToken }, { ...this.#options, namedBy: this.#url });
    }
    /** Where an operation below this address is sent to, and the headers that prove who asks. */
    request(path, query) {
        const { apiKey, bearerToken, tenantId } = this.#credentials;
        const headers = {
            ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
            ...(tenantId === undefined ? {} : { "x-tenant-id": tenantId }),
            ...(bearerToken === undefined ? {} : { authorization: `Bearer ${bearerToken}` }),
        };
        return { url: joinUrl(this.#url, path, query), headers };
    }
    /** From now on the redactor knows the secrets of this endpoint. */
    teach(redactor) {
        const { apiKey, bearerToken } = this.#credentials;
        for (const secret of [apiKey, bearerToken])
            if (secret !== undefined)
                redactor.add(secret);
    }
    toJSON() {
        const { apiKey, bearerToken, tenantId } = this.#credentials;
        return {
            url: printableUrl(this.#url),
            ...(apiKey === undefined ? {} : { apiKey: "***" }),
            ...(bearerToken === undefined ? {} : { bearerToken: "***" }),
            ...(tenantId === undefined ? {} : { tenantId }),
        };
    }
    toString() {
        const { url = "", ...credentials } = this.toJSON();
        const shown = Object.entries(credentials).map(([name, value]) => `${name}: ${value}`);
        return shown.length === 0 ? url : `${url} (${shown.join(", ")})`;
    }
    [Symbol.for("nodejs.util.inspect.custom")]() {
        return `Endpoint ${this.toString()}`;
    }
}

;// CONCATENATED MODULE: ./action/inputs/endpoint.js






/** The address that an input or its variable holds; undefined when there is none, or after an error. */
function readAddress(reader, { input, variable, allowHttp, isNeeded = true }) {
    const text = reader.textOrVariable(input, variable);
    if (text === "local")
        return "local";
    if (text === "") {
        if (isNeeded)
            reader.fault(input, "is missing; set the address of the service, or `local` for a rehearsal");
        return undefined;
    }
    try {
        return parseAddress(text, { allowHttp });
    }
    catch (error) {
        if (!(error instanceof AddressError))
            throw error;
        const hint = isAddress(text, { allowHttp: true }) ? ", or set `allow-http` if the network is trusted" : "";
        reader.fault(input, withoutFullStop(error.message) + hint);
        return undefined;
    }
}
/** A value of this input that is sent as a header; undefined when it is empty. A value that no header can hold is an error. */
function headerValue(reader, input, value) {
    if (value === "")
        return undefined;
    if (!isCredential(value)) {
        reader.fault(input, "contains whitespace or non-ASCII characters; save the secret again without them");
    }
    return value;
}
/** The address with its credentials; undefined when one of them is invalid, which the reader has reported. */
function endpointAt(address, credentials, options) {
    if (address === undefined || address === "local")
        return address;
    try {
        return new Endpoint(address.href, credentials, options);
    }
    catch (error) {
        if (error instanceof CredentialsError)
            return undefined;
        throw error;
    }
}
/** Reads the proxies of the environment; there is none for the local service, which is on this machine. */
function readProxy(reader, env, service) {
    if (service === "local")
        return {};
    return proxyFromEnvironment((name) => givenVariable(env, name), (name, fault) => {
        reader.fault(name, fault);
    });
}
/** True when the service is on another machine, or its address is unknown: then it needs credentials. */
function needsCredentials(address) {
    return address === undefined || (address !== "local" && !isLoopback(address));
}
function isAddress(text, options) {
    try {
        return parseAddress(text, options).href !== "";
    }
    catch {
        return false;
    }
}

;// CONCATENATED MODULE: ./action/inputs/pull-request.js



// What an event does not say in the expected form is as good as not said.
const Commit = schemas/* string */.YjP()
    .regex(/^[0-9a-f]{40,64}$/)
    .optional()
    .catch(undefined);
const PullNumber = schemas/* int */.Whr().positive().optional().catch(undefined);
const Repository = schemas/* object */.Ikc({ full_name: schemas/* string */.YjP() });
const PullRequestShape = schemas/* object */.Ikc({
    number: PullNumber,
    state: schemas/* string */.YjP().optional().catch(undefined),
    user: schemas/* object */.Ikc({ login: schemas/* string */.YjP() }).nullish().catch(undefined),
    head: schemas/* object */.Ikc({
        sha: Commit,
        // Null when the fork was deleted.
        repo: Repository.nullish().catch(undefined),
    }),
    base: schemas/* object */.Ikc({ repo: Repository.optional().catch(undefined) }),
});
const RunEventShape = schemas/* object */.Ikc({
    pull_request: schemas/* unknown */.L5J().optional(),
    issue: schemas/* object */.Ikc({ number: PullNumber, pull_request: schemas/* looseObject */._H3({}) })
        .optional()
        .catch(undefined),
    workflow_run: schemas/* object */.Ikc({ head_sha: Commit, id: PullNumber, run_attempt: PullNumber }).optional().catch(undefined),
});
/**
 * True for the plain events of pull requests: they check out a merge commit that no branch has, and get no secrets when
 * they come from a fork. `pull_request_target` is none of them.
 */
function isPullRequestRun(env) {
    return /^pull_request(_review(_comment)?)?$/.test(env["GITHUB_EVENT_NAME"] ?? "");
}
/** Reads the event of the run; without facts when it cannot be read. */
async function readRunEvent(env) {
    const path = input_reader_givenVariable(env, "GITHUB_EVENT_PATH");
    if (path === undefined)
        return {};
    try {
        const event = RunEventShape.parse(JSON.parse(await (0,external_node_fs_promises_.readFile)(path, "utf8")));
        return {
            pullRequest: pullRequestOf(event.pull_request),
            commentedPullRequest: event.issue?.number,
            workflowRunCommit: event.workflow_run?.head_sha,
            workflowRun: runOf(event.workflow_run),
        };
    }
    catch {
        return {};
    }
}
/** Reads the pull request of the run's event; undefined when it is about none, or cannot be read. */
async function readPullRequest(env) {
    const { pullRequest } = await readRunEvent(env);
    return pullRequest;
}
/** A pull request of GitHub's API; undefined when it is not described as one. */
function pullRequestOf(described) {
    const { success, data } = PullRequestShape.safeParse(described);
    if (!success)
        return undefined;
    const { number, state, user, head, base } = data;
    const isFromFork = head.repo !== undefined && base.repo !== undefined && head.repo?.full_name !== base.repo.full_name;
    return {
        number,
        headCommit: head.sha,
        isOpen: state !== "closed",
        base: base.repo?.full_name,
        isFromFork,
        isFromDependabot: user?.login === DEPENDABOT,
    };
}
function runOf(run) {
    return run?.id === undefined ? undefined : { id: run.id, attempt: run.run_attempt ?? 1 };
}
const DEPENDABOT = "dependabot[bot]";
/**
 * Who keeps the run from the secrets of the repository and from a token that may write; undefined for a run that has
 * them. `pull_request_target` and the like run with both, so that only the plain events of pull requests count, and what
 * Dependabot pushes.
 */
function whoRestricts(env, { pullRequest }) {
    const isDependabots = env["GITHUB_ACTOR"] === DEPENDABOT;
    if (!isPullRequestRun(env))
        return isDependabots && env["GITHUB_EVENT_NAME"] === "push" ? "dependabot" : undefined;
    if (isDependabots || pullRequest?.isFromDependabot === true)
        return "dependabot";
    return pullRequest?.isFromFork === true ? "fork" : undefined;
}
/**
 * Why the secrets of the repository may be empty in this run, as a sentence without its full stop; undefined when
 * nothing explains it. `addressInput` is the input that a rehearsal sets to `local`.
 */
async function whySecretsAreWithheld(env, addressInput) {
    switch (whoRestricts(env, await readRunEvent(env))) {
        case "dependabot":
            return "A run that Dependabot starts gets only the repository's Dependabot secrets";
        case "fork":
            return `This pull request comes from a fork, and GitHub gives such runs no secrets: skip the step there, or rehearse with ${addressInput}: local`;
        case undefined:
            // It only explains a failure; without the event's file there is no explanation.
            return undefined;
    }
}

;// CONCATENATED MODULE: ./action/inputs/workflow-run.js



/** Reads what the runner's variables and the event's file say; what is missing or broken is left out. */
async function readWorkflowRun(env) {
    const pullRequest = await readPullRequest(env);
    const isOfPullRequest = isPullRequestRun(env);
    const ref = input_reader_givenVariable(env, "GITHUB_REF");
    // The event's own commit is a merge commit, which is on no branch.
    const commit = (isOfPullRequest ? pullRequest?.headCommit : undefined) ?? input_reader_givenVariable(env, "GITHUB_SHA");
    const branch = isOfPullRequest ? input_reader_givenVariable(env, "GITHUB_HEAD_REF") : undefined;
    const id = digits(env, "GITHUB_RUN_ID");
    const attempt = digits(env, "GITHUB_RUN_ATTEMPT");
    return withoutAbsent({
        commit,
        ref: branch ?? ref?.replace(/^refs\/(heads|tags|remotes)\//, ""),
        pullRequest: pullRequest?.number ?? numberIn(ref),
        repository: input_reader_givenVariable(env, "GITHUB_REPOSITORY"),
        workflow: workflowName(env),
        job: input_reader_givenVariable(env, "GITHUB_JOB"),
        actor: input_reader_givenVariable(env, "GITHUB_ACTOR"),
        url: pageOf(env, id, attempt),
        id,
        attempt: attempt === undefined ? undefined : Number(attempt),
    });
}
function workflowName(env) {
    const workflow = input_reader_givenVariable(env, "GITHUB_WORKFLOW");
    // A workflow without a name is called by its path, such as .github/workflows/eval.yml.
    return workflow !== undefined && /\/[^/]+\.ya?ml$/.test(workflow) ? external_node_path_.posix.parse(workflow).name : workflow;
}
function pageOf(env, id, attempt) {
    const server = input_reader_givenVariable(env, "GITHUB_SERVER_URL");
    const repository = input_reader_givenVariable(env, "GITHUB_REPOSITORY");
    if (server === undefined || repository === undefined || id === undefined)
        return undefined;
    const run = `${server}/${repository}/actions/runs/${id}`;
    return attempt === undefined ? run : `${run}/attempts/${attempt}`;
}
function numberIn(ref) {
    const [, number] = /^refs\/pull\/(\d{1,15})\//.exec(ref ?? "") ?? [];
    return number === undefined ? undefined : Number(number);
}
function digits(env, name) {
    const value = input_reader_givenVariable(env, name);
    return value !== undefined && /^[1-9]\d{0,18}$/.test(value) ? value : undefined;
}
function withoutAbsent(run) {
    return Object.fromEntries(Object.entries(run).filter(([, value]) => value !== undefined));
}

;// CONCATENATED MODULE: ./action/github/github-inputs.js







const DEFAULT_API = "https://api.github.com";
/**
 * Reads what GitHub needs; undefined when no input asks for it, and when this run may not write there, which a notice or
 * a warning says. Only an unusable input is an error: GitHub never fails a step.
 */
async function readGitHub(reader, env, { asking, caCertificate, allowHttp }) {
    const pullRequest = reader.count("pull-request");
    const token = headerValue(reader, "github-token", reader.text("github-token"));
    if (asking.length === 0)
        return undefined;
    const inputs = asking.map((input) => `\`${input}\``).join(" and ");
    const off = (why) => {
        reader.warn(`${inputs} ${asking.length === 1 ? "has" : "have"} no effect: ${why}.`);
    };
    const event = await readRunEvent(env);
    const restricts = whoRestricts(env, event);
    if (restricts !== undefined) {
        const whose = restricts === "fork" ? "of a fork" : "that Dependabot starts";
        reader.notice(`GitHub lets a run ${whose} write nothing: ${inputs} ${asking.length === 1 ? "is" : "are"} left out.`);
        return undefined;
    }
    const [, owner, repo] = /^([\w.-]+)\/([\w.-]+)$/.exec(input_reader_givenVariable(env, "GITHUB_REPOSITORY") ?? "") ?? [];
    const api = readApi(env, allowHttp);
    if (token === undefined)
        off("`github-token` is empty");
    else if (owner === undefined || repo === undefined)
        off("GITHUB_REPOSITORY names no repository");
    else if (api === undefined)
        off("GITHUB_API_URL is not a usable address");
    else {
        return {
            token,
            api,
            repository: { owner, repo },
            pullRequest,
            event,
            run: await readWorkflowRun(env),
            caCertificate,
            allowHttp,
            limits: { mayWait: true, limited: undefined },
            // What is wrong with a proxy is reported where the service is read.
            proxy: proxy_settings_proxyFromEnvironment((name) => input_reader_givenVariable(env, name), () => undefined),
        };
    }
    return undefined;
}
function readApi(env, allowHttp) {
    try {
        return base_url_parseAddress(input_reader_givenVariable(env, "GITHUB_API_URL") ?? DEFAULT_API, { allowHttp });
    }
    catch (error) {
        if (error instanceof errors_AddressError)
            return undefined;
        throw error;
    }
}
/** What of these inputs must not be printed. */
function secretsOfGitHub(env) {
    return [givenInput(env, "github-token")];
}

// EXTERNAL MODULE: ../node_modules/zod/v4/classic/iso.js
var iso = __webpack_require__(9435);
;// CONCATENATED MODULE: ./action/github/records/record.js




/** The states that a record has here. */
const RECORD_STATES = ["error", "failure", "in_progress", "inactive", "success"];
/** The task of the records of a deployment: environments are shared, and the task tells the deployments apart. */
function taskOf(name) {
    return `${TASK}${name}`;
}
/**
 * What tells the records of a service from those of another one, which may have a deployment of the same name: a hash,
 * because everybody who reads the repository can read the record.
 */
function serviceOf(url, tenantId) {
    const address = `${url.origin}${url.pathname}`.replace(/\/+$/, "");
    return hash("sha256", JSON.stringify([address, tenantId ?? null])).slice(0, 16);
}
/** The name of the deployment whose task this is; undefined for a task of somebody else. */
function nameIn(task) {
    return task.startsWith(TASK) ? task.slice(TASK.length) : undefined;
}
const TASK = "deploy:";
// A list may not have yet what was made a moment ago.
const LAG_MILLISECONDS = 2_000;
// The one that was made a moment ago is the newest.
const MOST_OF_COMMIT = 20;
const LONGEST_DESCRIPTION = 140;
const Payload = schemas/* object */.Ikc({
    run_id: schemas/* string */.YjP().optional(),
    run_attempt: schemas/* int */.Whr().optional(),
    service: schemas/* string */.YjP().optional(),
});
const Listed = schemas/* object */.Ikc({
    id: schemas/* int */.Whr().positive(),
    task: schemas/* string */.YjP(),
    // GitHub keeps what it was given: an object, or a text.
    payload: Payload.catch({}),
    created_at: iso/* datetime */.w$({ offset: true }).optional().catch(undefined),
});
/** The states of a record, newest first. */
const Statuses = schemas/* array */.YOg(schemas/* object */.Ikc({ state: schemas/* string */.YjP() }));
/**
 * Makes the record of a run and returns its id. After a response that was lost it is looked for, and made once more only
 * if it is not there.
 */
async function createRecord(github, record, clock) {
    try {
        return await create(github, record);
    }
    catch (error) {
        if (!(error instanceof GitHubError) || !error.mayHaveBeenProcessed)
            throw error;
        for (const wait of [0, LAG_MILLISECONDS]) {
            await clock.sleep(wait);
            const made = await findOwn(github, record);
            if (made !== undefined)
                return made;
        }
        return await create(github, record);
    }
}
async function create(github, { sha, environment, task, service, name, runId, attempt }) {
    const { status, data } = await github.request("POST /repos/{owner}/{repo}/deployments", {
        ref: sha,
        environment,
        task,
        payload: { name, service, run_id: runId, run_attempt: attempt },
        // The defaults would merge the base into the branch, and wait for the checks of which this run is one.
        auto_merge: false,
        required_contexts: [],
    });
    const made = Listed.safeParse(data);
    if (made.success)
        return made.data.id;
    throw new GitHubError(`GitHub answered ${String(status)}, and made no deployment record`);
}
async function findOwn(github, { sha, runId, attempt, ...place }) {
    let left = MOST_OF_COMMIT;
    for await (const record of listRecords(github, place, { sha, mostPages: 2 })) {
        if (record.runId === runId && record.attempt === attempt)
            return record.id;
        left -= 1;
        if (left === 0)
            break;
    }
    return undefined;
}
/**
 * The records of a place, newest first, also those that name no service. EndlessListError if there are more than so many
 * pages of a hundred.
 */
async function* listRecords(github, { environment, task, service }, { sha, mostPages }) {
    const query = {
        ...(task === undefined ? {} : { task }),
        ...(environment === undefined ? {} : { environment }),
        ...(sha === undefined ? {} : { sha }),
    };
    for await (const page of github.pages("GET /repos/{owner}/{repo}/deployments", query, { mostPages })) {
        for (const item of page) {
            const { success, data } = Listed.safeParse(item);
            if (!success || data.task !== (task ?? data.task))
                continue;
            const { id, payload, created_at: madeAt } = data;
            // Older versions did not write it.
            if ((payload.service ?? service) !== service)
                continue;
            yield {
                id,
                task: data.task,
                madeAt: madeAt === undefined ? undefined : new Date(madeAt),
                runId: payload.run_id,
                attempt: payload.run_attempt,
            };
        }
    }
}
/** Gives a record a state. Addresses that GitHub refuses are left out. */
async function setState(github, id, state, facts = {}) {
    const send = async (body) => {
        const route = "POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses";
        await github.request(route, { deployment_id: id, ...body });
    };
    const body = statusBody(state, facts);
    try {
        await send(body);
    }
    catch (error) {
        if (!isStatus(error, 422) || (body.log_url ?? body.environment_url) === undefined)
            throw error;
        await send(statusBody(state, { description: facts.description }));
    }
}
/** What is sent to give a record a state: only addresses of the web, and no more of the description than GitHub takes. */
function statusBody(state, { description = "", logUrl, environmentUrl }) {
    return {
        state,
        description: cut(description, LONGEST_DESCRIPTION),
        // GitHub would retire what other deployments have in this environment.
        auto_inactive: false,
        ...(isWebAddress(logUrl) ? { log_url: logUrl } : {}),
        ...(isWebAddress(environmentUrl) ? { environment_url: environmentUrl } : {}),
    };
}
/** The newest state of a record; undefined before its first. */
async function stateOf(github, id) {
    const route = "GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses";
    const { data } = await github.request(route, { deployment_id: id, per_page: 1 });
    const statuses = Statuses.safeParse(data);
    if (!statuses.success)
        throw new GitHubError(`${route} did not return the states of a deployment record`);
    return statuses.data[0]?.state;
}
/** True for a record of a deploy that has not ended. */
function isOpen(state) {
    return state === undefined || ["in_progress", "pending", "queued", "waiting"].includes(state);
}
function isWebAddress(text) {
    return text !== undefined && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

;// CONCATENATED MODULE: ./action/github/records/close-left.js
var __addDisposableResource = (undefined && undefined.__addDisposableResource) || function (env, value, async) {
    if (value !== null && value !== void 0) {
        if (typeof value !== "object" && typeof value !== "function") throw new TypeError("Object expected.");
        var dispose, inner;
        if (async) {
            if (!Symbol.asyncDispose) throw new TypeError("Symbol.asyncDispose is not defined.");
            dispose = value[Symbol.asyncDispose];
        }
        if (dispose === void 0) {
            if (!Symbol.dispose) throw new TypeError("Symbol.dispose is not defined.");
            dispose = value[Symbol.dispose];
            if (async) inner = dispose;
        }
        if (typeof dispose !== "function") throw new TypeError("Object not disposable.");
        if (inner) dispose = function() { try { inner.call(this); } catch (e) { return Promise.reject(e); } };
        env.stack.push({ value: value, dispose: dispose, async: async });
    }
    else if (async) {
        env.stack.push({ async: true });
    }
    return value;
};
var __disposeResources = (undefined && undefined.__disposeResources) || (function (SuppressedError) {
    return function (env) {
        function fail(e) {
            env.error = env.hasError ? new SuppressedError(e, env.error, "An error was suppressed during disposal.") : e;
            env.hasError = true;
        }
        var r, s = 0;
        function next() {
            while (r = env.stack.pop()) {
                try {
                    if (!r.async && s === 1) return s = 0, env.stack.push(r), Promise.resolve().then(next);
                    if (r.dispose) {
                        var result = r.dispose.call(r.value);
                        if (r.async) return s |= 2, Promise.resolve(result).then(next, function(e) { fail(e); return next(); });
                    }
                    else s |= 1;
                }
                catch (e) {
                    fail(e);
                }
            }
            if (s === 1) return env.hasError ? Promise.reject(env.error) : Promise.resolve();
            if (env.hasError) throw env.error;
        }
        return next();
    };
})(typeof SuppressedError === "function" ? SuppressedError : function (error, suppressed, message) {
    var e = new Error(message);
    return e.name = "SuppressedError", e.error = error, e.suppressed = suppressed, e;
});











const Left = schemas/* object */.Ikc({
    owner: schemas/* string */.YjP(),
    repo: schemas/* string */.YjP(),
    id: schemas/* int */.Whr().positive(),
    state: schemas/* enum */.k5n(RECORD_STATES),
    description: schemas/* string */.YjP().optional(),
    logUrl: schemas/* string */.YjP().optional(),
    environmentUrl: schemas/* string */.YjP().optional(),
});
const DEFAULTS = { "github-token": "", "pull-request": "", "ca-certificate": "", "allow-http": "false" };
/**
 * Closes the record that a main left open: as an error if it was killed, or as it ended if GitHub did not take that then.
 * It takes two requests, and no client is loaded for them. A failure to do so is only a warning.
 */
async function closeLeft(env, saved) {
    try {
        await close_left_close(env, Left.parse(JSON.parse(saved)));
    }
    catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        core/* warning */.$e(`The deployment record on GitHub could not be closed: ${reason}`);
    }
}
async function close_left_close(env, { id, owner, repo, state, ...facts }) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const reader = new InputReader(env, DEFAULTS);
        const caCertificate = await readCaCertificate(reader, readRunner(env));
        const allowHttp = reader.boolean("allow-http");
        const inputs = await readGitHub(reader, env, { asking: ["environment"], caCertificate, allowHttp });
        if (inputs === undefined)
            return;
        const { token, api, proxy, limits } = inputs;
        const redactor = new Redactor(core/* setSecret */.Pq);
        redactor.add(token);
        const http = __addDisposableResource(env_1, new HttpClient({ caCertificate, allowHttp, proxy, redactor }), true);
        const { sender, signal } = http;
        const fetch = makeGitHubFetch({ sender, clock: systemClock, signal, api, limits, longestWaitMilliseconds: 0 });
        const headers = { authorization: `token ${token}`, "user-agent": http.userAgent };
        const url = `${api.href.replace(/\/+$/, "")}/repos/${owner}/${repo}/deployments/${String(id)}/statuses`;
        const read = await fetch(`${url}?per_page=1`, { headers });
        // The removal of a preview deletes its records, also those of a run that is not over.
        if (read.status === 404)
            return;
        if (!read.ok)
            throw new Error(`GitHub answered ${String(read.status)}`);
        const [latest] = Statuses.parse(await read.json());
        if (latest !== undefined && latest.state !== "in_progress")
            return;
        const written = await fetch(url, {
            method: "POST",
            headers: { ...headers, "content-type": "application/json" },
            body: JSON.stringify(statusBody(state, facts)),
        });
        if (!written.ok)
            throw new Error(`GitHub answered ${String(written.status)}`);
    }
    catch (e_1) {
        env_1.error = e_1;
        env_1.hasError = true;
    }
    finally {
        const result_1 = __disposeResources(env_1);
        if (result_1)
            await result_1;
    }
}


/***/ })

};
