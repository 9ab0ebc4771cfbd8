export const id = 243;
export const ids = [243];
export const modules = {

/***/ 243:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  traced: () => (/* binding */ traced)
});

// EXTERNAL MODULE: external "node:timers/promises"
var promises_ = __webpack_require__(8500);
// EXTERNAL MODULE: ./src/connection.js + 8 modules
var connection = __webpack_require__(9178);
// EXTERNAL MODULE: ./src/contract/revision-status.js
var revision_status = __webpack_require__(9173);
;// CONCATENATED MODULE: ./src/deployment/deploy-trace.js

/** What a step is called in the trace. */
const NAMES = {
    source: "archive",
    upload: "upload",
    queue: "queue",
    build: "build",
    deploy: "deploy",
    verify: "verify",
};
/**
 * Records a deploy as runs, so that a team sees where its deploys spend their time: one for the deploy, below it one for
 * each step, with its bytes, statuses and durations. It only listens, and never throws.
 */
class DeployTrace {
    #root;
    #open = new Map();
    /** What is known about the deploy, for the end of the root. */
    #facts = {};
    /** With the seconds since the wait began. */
    #statuses = [];
    #waiting;
    /** `title` names the deploy: `deploy support-agent`. */
    constructor(tracer, title, options = {}) {
        this.#root = tracer.start(title, options);
    }
    /** The id of the trace. */
    get id() {
        return this.#root.id;
    }
    /** Closes the runs that are still open with this error; no-op for closed ones. */
    fail(error) {
        for (const run of this.#open.values())
            ignore(run.fail(error));
        this.#open.clear();
        ignore(this.#root.fail(error));
    }
    note(event) {
        switch (event.type) {
            case "source-read":
                this.#facts["files"] = event.tree.files;
                break;
            case "source-packed": {
                const { bytes, digest } = event.archive;
                this.#close("source", { bytes, digest }, event.milliseconds);
                break;
            }
            case "deployment-found":
            case "deployment-created":
                this.#facts["deployment_id"] = event.deployment.id;
                break;
            case "rollback":
                this.#facts["rolled_back_to"] = event.revision.id;
                break;
            case "upload-started":
                this.#begin("upload");
                break;
            case "uploaded":
                this.#close("upload", { bytes: event.bytes }, event.milliseconds);
                break;
            case "ended":
                this.#end(event);
                break;
            default:
                this.#follow(event);
        }
    }
    #follow(event) {
        switch (event.type) {
            case "revision-started":
                this.#facts["revision_id"] = event.revisionId;
                break;
            case "revision-status":
                this.#enter(event.revision.status, event.elapsedMilliseconds / 1000);
                break;
            case "wait-ended":
                this.#leave("the wait ended before it did");
                break;
            case "revision-live":
                this.#facts["url"] = event.url;
                break;
            case "verify-started":
                this.#begin("verify");
                break;
            case "agent-answered": {
                const { type: _, milliseconds, ...answer } = event;
                this.#facts["verified"] = { ...answer, milliseconds: Math.round(milliseconds) };
                break;
            }
            case "step-ended":
                if (event.step === "verify")
                    this.#close("verify", this.#facts["verified"], event.milliseconds);
                break;
            default:
                // News that no run has a place for.
                break;
        }
    }
    /** A wait goes through phases, and each of them through statuses. */
    #enter(status, seconds) {
        const { phase, succeeded } = (0,revision_status/* revisionStatusFact */.CM)(status);
        const step = phase === "end" ? undefined : phase;
        if (step !== this.#waiting)
            this.#leave(step === undefined && !succeeded ? status : undefined);
        this.#statuses.push({ status, after_seconds: Math.round(seconds * 1000) / 1000 });
        this.#waiting = step;
        if (step !== undefined)
            this.#begin(step);
    }
    /** `failure`: why no other phase follows. */
    #leave(failure) {
        if (this.#waiting !== undefined)
            this.#close(this.#waiting, { statuses: this.#statuses }, 0, failure);
        this.#statuses = [];
        this.#waiting = undefined;
    }
    #begin(step) {
        if (!this.#open.has(step))
            this.#open.set(step, this.#root.child(NAMES[step], { runType: "tool" }));
    }
    /** If no start event was seen, the start is derived from the duration. */
    #close(step, outputs, milliseconds, error) {
        const startTime = new Date(Date.now() - milliseconds);
        const run = this.#open.get(step) ?? this.#root.child(NAMES[step], { runType: "tool", startTime });
        this.#open.delete(step);
        ignore(run.end(outputs, error));
    }
    #end({ outcome, error }) {
        for (const run of this.#open.values())
            ignore(error === undefined ? run.end() : run.fail(error));
        this.#open.clear();
        const { verified: _, ...facts } = this.#facts;
        ignore(this.#root.end({ outcome, ...facts }, error));
    }
}
/** Hand-over errors are reported at flush. */
function ignore(ended) {
    void ended.catch(() => undefined);
}

// EXTERNAL MODULE: ./src/deployment/look.js + 16 modules
var look = __webpack_require__(2625);
// EXTERNAL MODULE: ./src/text/number.js
var number = __webpack_require__(6425);
// EXTERNAL MODULE: ../node_modules/zod/v4/classic/schemas.js + 11 modules
var schemas = __webpack_require__(9987);
// EXTERNAL MODULE: ./src/contract/argument-shapes.js
var argument_shapes = __webpack_require__(3351);
// EXTERNAL MODULE: ./src/text/quoted.js
var quoted = __webpack_require__(5564);
// EXTERNAL MODULE: ./src/contract/graph-deploy-error.js
var graph_deploy_error = __webpack_require__(5884);
;// CONCATENATED MODULE: ./src/contract/call-arguments.js


const MOST_FAULTS = 20;
/** A function of the library was called with arguments that cannot be used; nothing was sent. */
class ArgumentsError extends graph_deploy_error/* GraphDeployError */.k {
    code = "ARGUMENTS";
    /** Each names an argument and says what is wrong with it, without its value and without a full stop. */
    faults;
    constructor(called, faults) {
        const shown = faults.slice(0, MOST_FAULTS).map((fault) => (0,quoted/* shortened */.vI)(fault, 1_000));
        const rest = faults.length - shown.length;
        super(`${called}: ${shown.join("; ")}${rest > 0 ? `; and ${String(rest)} more` : ""}.`, {
            advice: "Correct the arguments; nothing was sent.",
        });
        this.faults = faults;
    }
}
/** Checks an argument that is an object; `name` is what it is called where it is something else. */
function readArgument(schema, given, name) {
    if (typeof given !== "object" || given === null) {
        return { value: undefined, wrong: new Set(), faults: [`${name} must be an object`] };
    }
    const parsed = schema.safeParse(given, { reportInput: true });
    if (parsed.success)
        return { value: parsed.data, wrong: new Set(), faults: [] };
    const { issues } = parsed.error;
    const wrong = new Set(issues.flatMap(fieldsOf));
    const right = schema.safeParse(Object.fromEntries(Object.entries(given).filter(([field]) => !wrong.has(field))));
    return { value: right.data, wrong, faults: [...new Set(issues.flatMap(faultsOf))] };
}
/** The same, for a call that has nothing else to check. Throws ArgumentsError. */
function checkedArgument(called, schema, given, name) {
    const { value, faults } = readArgument(schema, given, name);
    if (value === undefined || faults.length > 0)
        throw new ArgumentsError(called, faults);
    return value;
}
function fieldsOf(issue) {
    const [field] = issue.path;
    if (field !== undefined)
        return [String(field)];
    return issue.code === "unrecognized_keys" ? issue.keys : [];
}
function faultsOf(issue) {
    const place = issue.path.map(String).join(".");
    if (issue.code === "unrecognized_keys") {
        return issue.keys.map((key) => `${(0,quoted/* quoted */.TL)(place === "" ? key : `${place}.${key}`)} is not a known option`);
    }
    if (place === "")
        return [issue.message];
    return [`\`${place}\` ${issue.input === undefined ? "is missing" : issue.message}`];
}

// EXTERNAL MODULE: ./src/contract/uuid.js
var uuid = __webpack_require__(8560);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: external "node:util"
var external_node_util_ = __webpack_require__(7975);
// EXTERNAL MODULE: external "node:zlib"
var external_node_zlib_ = __webpack_require__(8522);
// EXTERNAL MODULE: ./src/http/errors.js
var errors = __webpack_require__(5038);
// EXTERNAL MODULE: ./src/http/retry.js
var retry = __webpack_require__(4447);
// EXTERNAL MODULE: ./src/tracing/client/client.js
var client = __webpack_require__(5638);
// EXTERNAL MODULE: ./src/contract/run.js
var contract_run = __webpack_require__(5870);
// EXTERNAL MODULE: ./src/tracing/client/any-json.js
var any_json = __webpack_require__(2926);
;// CONCATENATED MODULE: ./src/tracing/ingest/run-batch.js


const LINE_END = "\r\n";
// A part's headers, without the name and the boundary.
const HEAD = 150;
// UTF-8 needs at most three bytes for one unit of UTF-16.
const MOST_BYTES_OF_UNIT = 3;
/** Runs as the bytes of a request body. While a run is on its way, this is its only copy. */
class RunBatch {
    runs;
    contentType;
    #bytes;
    #end;
    /** `bytes` starts with the first part; `end` is what follows the last part. */
    constructor(runs, contentType, bytes, end) {
        this.runs = runs;
        this.contentType = contentType;
        this.#bytes = bytes;
        this.#end = end;
    }
    /** The request body. */
    get body() {
        const [first, last] = [this.runs[0], this.runs.at(-1)];
        if (first === undefined || last === undefined)
            return this.#end;
        const parts = this.#bytes.subarray(first.all.start, last.all.end);
        const after = this.#bytes.subarray(last.all.end, last.all.end + this.#end.length);
        // The end already follows the last run of the whole batch: no copy.
        if (after.equals(this.#end))
            return this.#bytes.subarray(first.all.start, last.all.end + this.#end.length);
        return Buffer.concat([parts, this.#end]);
    }
    /** Two batches, each with half of the runs. */
    halves() {
        const middle = Math.ceil(this.runs.length / 2);
        return [this.runs.slice(0, middle), this.runs.slice(middle)].map((runs) => new RunBatch(runs, this.contentType, this.#bytes, this.#end));
    }
    /** Each run as one line of JSON with all its fields; an addition to a run also has `"event": "patch"`. */
    lines() {
        return this.runs.map(({ event, fields, parts }) => {
            const head = event === "patch" ? `{"event":"patch",` : "{";
            const others = parts.map((part) => `,${JSON.stringify(part.field)}:${this.#text(part)}`);
            return `${head}${this.#text(fields).slice(1, -1)}${others.join("")}}`;
        });
    }
    #text({ start, end }) {
        return this.#bytes.toString("utf8", start, end);
    }
}
/** Writes batches one after the other into the same memory: allocating costs more than writing. */
class BatchWriter {
    #boundary;
    #end;
    #buffer = Buffer.alloc(0);
    #at = 0;
    /** The memory that it keeps, bytes. */
    get kept() {
        return this.#buffer.length;
    }
    /** The boundary must not occur in any content; a random one does not. */
    constructor(boundary) {
        this.#boundary = boundary;
        this.#end = Buffer.from(`--${boundary}--${LINE_END}`);
    }
    /**
     * Writes runs as the parts of one body: new runs before additions to runs, each part with its length in bytes. The
     * batch is valid until the next call.
     */
    write(operations) {
        this.#at = 0;
        const runs = ["post", "patch"].flatMap((event) => operations.filter((operation) => operation.event === event).map((operation) => this.#writeRun(operation)));
        this.#makeRoom(this.#end.length);
        this.#end.copy(this.#buffer, this.#at);
        const contentType = `multipart/form-data; boundary=${this.#boundary}`;
        return new RunBatch(runs, contentType, this.#buffer.subarray(0, this.#at + this.#end.length), this.#end);
    }
    #writeRun({ event, id, fields, parts }) {
        const start = this.#at;
        const name = `${event}.${id}`;
        const main = this.#writePart(name, (0,any_json/* anyJson */.P)(fields));
        const others = [];
        for (const field of contract_run/* PART_FIELDS */.ms) {
            const json = parts[field];
            if (json !== undefined)
                others.push({ field, ...this.#writePart(`${name}.${field}`, json) });
        }
        return { event, id, all: { start, end: this.#at }, fields: main, parts: others };
    }
    #writePart(name, json) {
        this.#makeRoom(HEAD + this.#boundary.length + name.length + json.length * MOST_BYTES_OF_UNIT);
        // Most JSON is ASCII, where the length in bytes is known before writing.
        const guess = this.#writeContent(this.#headOf(name, json.length), json);
        const bytes = guess.end - guess.start;
        const content = bytes === json.length ? guess : this.#writeContent(this.#headOf(name, bytes), json);
        this.#at = content.end + this.#buffer.write(LINE_END, content.end, "latin1");
        return content;
    }
    #writeContent(head, json) {
        const start = this.#at + this.#buffer.write(head, this.#at, "latin1");
        return { start, end: start + this.#buffer.write(json, start, "utf8") };
    }
    #headOf(name, bytes) {
        return (`--${this.#boundary}${LINE_END}Content-Disposition: form-data; name="${name}"${LINE_END}` +
            `Content-Type: application/json${LINE_END}Content-Length: ${String(bytes)}${LINE_END}${LINE_END}`);
    }
    #makeRoom(bytes) {
        const needed = this.#at + bytes;
        if (needed <= this.#buffer.length)
            return;
        const larger = Buffer.allocUnsafeSlow(Math.max(needed, this.#buffer.length * 2));
        this.#buffer.copy(larger, 0, 0, this.#at);
        this.#buffer = larger;
    }
}

;// CONCATENATED MODULE: ./src/tracing/client/errors.js


/** A run was handed over after `close`. */
class TracingClosedError extends graph_deploy_error/* GraphDeployError */.k {
    code = "TRACING_CLOSED";
}
/** The project of a tracer is invalid, or a run names one. */
class TracerSessionError extends graph_deploy_error/* GraphDeployError */.k {
    code = "TRACER_SESSION";
}
/** The id of a run is not a UUID. */
class RunIdError extends graph_deploy_error/* GraphDeployError */.k {
    code = "RUN_ID";
}
/** The file of unsent runs could not be written or read. */
class UnsentFileError extends graph_deploy_error/* GraphDeployError */.k {
    code = "UNSENT_FILE";
}
/** The service rejected so many runs in a row that the others were not sent. */
class RunsRefusedError extends graph_deploy_error/* GraphDeployError */.k {
    code = "RUNS_REFUSED";
    constructor({ count, hasStored }, cause) {
        const stored = hasStored ? "" : " and stored none";
        super(`The service rejected ${(0,number/* countOf */.pq)(count, "run")} in a row${stored}, so the rest was not sent: ${cause.message}`, {
            cause,
            advice: "Correct the error that the service reports, then send the runs again.",
        });
    }
}

;// CONCATENATED MODULE: ./src/tracing/ingest/delivery.js








const compress = (0,external_node_util_.promisify)(external_node_zlib_.gzip);
// Three bytes for each character of a usual batch, and room to grow; the memory of one huge run is released.
const MOST_KEPT_BYTES = 16 * 1024 * 1024;
// The share of the patience that a batch late in an outage still gets: the outage may be over.
const LEAST_PATIENCE = 0.1;
// The fastest level: runs are mostly text, which compresses well at any level.
const GZIP = { level: external_node_zlib_.constants.Z_BEST_SPEED };
/** Sends batches until each run is stored, is rejected by itself, or cannot be sent. */
class Delivery {
    #options;
    #boundary = `run-${(0,external_node_crypto_.randomUUID)()}`;
    // The writers that no batch on its way uses.
    #writers = [];
    #limits;
    // A proxy may allow less than the service names.
    #mostBytes = Number.POSITIVE_INFINITY;
    // A key that is rejected once is rejected each time.
    #refused;
    #streak;
    /** Since when the service has stored nothing; undefined while it does. */
    #silentSince;
    constructor(options) {
        this.#options = options;
        this.#streak = new RefusalStreak(options.patienceMilliseconds);
    }
    /** The limits of a batch, requested once. Never rejects: the error returns when a batch is sent. */
    async limits() {
        const { tracing, signal } = this.#options;
        this.#limits ??= tracing.limits({ signal }).catch(() => client/* USUAL_LIMITS */.q);
        return await this.#limits;
    }
    /** Never rejects: the receipts get the result. The operations are copied at once. */
    deliver(operations) {
        const writer = this.#writers.pop() ?? new BatchWriter(this.#boundary);
        return this.#settle(writer.write(operations)).finally(() => {
            if (writer.kept <= MOST_KEPT_BYTES)
                this.#writers.push(writer);
        });
    }
    async #settle(batch) {
        if (!(await this.#deliver(batch)))
            await this.#settleHalves(batch);
    }
    // The service rejects one run, or the batch is too large: the search ends at single runs, or when the service is given
    // up. Both halves are sent before one is divided, so that an accepted half is found early.
    async #settleHalves(batch) {
        const open = [];
        for (const half of batch.halves())
            if (!(await this.#deliver(half)))
                open.push(half);
        for (const half of open)
            await this.#settleHalves(half);
    }
    /** False for a batch that must be divided; any other batch is settled. */
    async #deliver(batch) {
        const { receipts, clock } = this.#options;
        const givenUp = this.#streak.givenUp(clock.now());
        try {
            if (givenUp !== undefined)
                throw givenUp;
            if (!(await this.#send(batch)))
                return false;
            this.#store(batch);
        }
        catch (error) {
            if ((0,errors/* hasStatus */.Ro)(error, 409))
                this.#store(batch);
            else if (!(0,errors/* hasStatus */.Ro)(error, 400, 413, 422))
                receipts.onUnsent(batch, error);
            else if (batch.runs.length > 1)
                return false;
            else {
                this.#streak.add(error, clock.now());
                receipts.onRejected(batch, error);
            }
        }
        return true;
    }
    #store(batch) {
        this.#streak.end();
        this.#options.receipts.onStored(batch);
    }
    /** False when the batch is larger than the service allows. */
    async #send(batch) {
        if (this.#refused !== undefined)
            throw this.#refused;
        const limits = await this.limits();
        const { contentType, body } = batch;
        if (batch.runs.length > 1 && body.length > Math.min(limits.bytes, this.#mostBytes))
            return false;
        try {
            await this.#sendPatiently(limits.gzip
                ? { contentType, bytes: await compress(body, GZIP), encoding: "gzip" }
                : { contentType, bytes: body });
        }
        catch (error) {
            // After a success, a 403 may come from a firewall that blocks the text of one batch.
            if ((0,errors/* hasStatus */.Ro)(error, 401) || ((0,errors/* hasStatus */.Ro)(error, 403) && !this.#streak.hasStored))
                this.#refused = error;
            if ((0,errors/* hasStatus */.Ro)(error, 413))
                this.#mostBytes = Math.min(this.#mostBytes, body.length - 1);
            throw error;
        }
        return true;
    }
    /** Retries through an outage: each round is a request with a few attempts, until the patience is over. */
    async #sendPatiently(body) {
        const { tracing, clock, signal, random = Math.random } = this.#options;
        const begin = clock.now();
        const send = async () => {
            const deadlineMilliseconds = Math.max(1, this.#endOf(begin) - clock.now());
            await tracing.sendBatch(body, { signal, deadlineMilliseconds });
            this.#silentSince = undefined;
        };
        const pauseAfter = (error, round) => {
            this.#silentSince = (0,errors/* isTransient */.dg)(error) ? (this.#silentSince ?? clock.now()) : undefined;
            if (!(0,errors/* isTransient */.dg)(error))
                throw error;
            const hint = error instanceof errors/* HttpStatusError */.F9 ? error.retryAfterMilliseconds : undefined;
            const pause = (0,retry/* backoffMilliseconds */.p2)(round, hint, random);
            if (clock.now() + pause >= this.#endOf(begin))
                throw error;
            return pause;
        };
        await (0,retry/* retry */.L5)(send, pauseAfter, { clock, signal });
    }
    /** When the retries of a batch end: an outage counts once, not for each batch in its turn. */
    #endOf(begin) {
        const { patienceMilliseconds } = this.#options;
        const end = Math.min(begin, this.#silentSince ?? begin) + patienceMilliseconds;
        return Math.max(end, begin + patienceMilliseconds * LEAST_PATIENCE);
    }
}
// A service that has stored nothing and rejects this many single runs for one reason rejects the sender, not the runs.
const MOST_EQUAL = 20;
// Neighbouring runs may share an error; two whole batches of them point to the sender.
const MOST_REFUSED = 200;
/** Counts the single runs that a service rejects in a row, and decides when to stop sending. */
class RefusalStreak {
    #pauseMilliseconds;
    #hasStored = false;
    #refused = 0;
    #equal = 0;
    #reason = "";
    #givenUp;
    /** `pauseMilliseconds`: the time until one request tries the service again. */
    constructor(pauseMilliseconds) {
        this.#pauseMilliseconds = pauseMilliseconds;
    }
    /** True once the service has stored a run. */
    get hasStored() {
        return this.#hasStored;
    }
    /** The service stored runs. */
    end() {
        this.#hasStored = true;
        this.#refused = this.#equal = 0;
        this.#givenUp = undefined;
    }
    /** The service rejected a single run. */
    add(error, now) {
        const reason = reasonOf(error);
        this.#refused += 1;
        this.#equal = reason === this.#reason ? this.#equal + 1 : 1;
        this.#reason = reason;
        if (this.#refused < MOST_REFUSED && (this.#hasStored || this.#equal < MOST_EQUAL))
            return;
        const refused = { count: this.#refused, hasStored: this.#hasStored };
        this.#give(new RunsRefusedError(refused, error), now);
    }
    /** The error while nothing may be sent, else undefined. After the pause, one caller may try. */
    givenUp(now) {
        if (this.#givenUp === undefined || now < this.#givenUp.until)
            return this.#givenUp?.error;
        this.#give(this.#givenUp.error, now);
        return undefined;
    }
    #give(error, now) {
        this.#givenUp = { error, until: now + this.#pauseMilliseconds };
    }
}
/** The same for two runs that are rejected in the same words; ids, times and other words with digits are ignored. */
function reasonOf({ status, details }) {
    const words = details.join("\n").split(/[^\w.-]+/);
    return [status, ...words.map((word) => (/\d/.test(word) ? "#" : word))].join(" ");
}

;// CONCATENATED MODULE: ./src/tracing/ingest/run-queue.js


// An estimate of the names of the fields and the headers of the parts, which are written when the run is sent.
const HEAD_CHARACTERS = 300;
const PARTS = new Set(["inputs", "outputs", "events"]);
/** Divides a run into its parts; null and undefined are not sent. */
function runOperation(event, run) {
    const fields = {};
    const parts = {};
    let size = HEAD_CHARACTERS;
    // A loop: lists of entries for each run would take half of the time.
    for (const field in run) {
        const value = run[field];
        if (PARTS.has(field) || value == null)
            continue;
        if (typeof value === "object") {
            const json = (0,any_json/* anyJson */.P)(value);
            size += json.length;
            fields[field] = JSON.parse(json);
        }
        else {
            if (typeof value === "string")
                size += value.length;
            fields[field] = value;
        }
    }
    for (const field of contract_run/* PART_FIELDS */.ms) {
        const value = run[field];
        if (isEmpty(value))
            continue;
        const json = (0,any_json/* anyJson */.P)(value);
        size += json.length;
        parts[field] = json;
    }
    return { event, id: run.id, fields, parts, size };
}
/**
 * Two operations on one run as one. The later value of a field wins, but an addition always wins over the creation, even
 * if it came first.
 */
function merged(first, later) {
    const [below, above] = first.event === "patch" && later.event === "post" ? [later, first] : [first, later];
    const { event, id } = below;
    return {
        event,
        id,
        fields: { ...below.fields, ...above.fields },
        parts: { ...below.parts, ...above.parts },
        size: below.size + above.size,
    };
}
// The service takes only parts with a value that is not empty.
function isEmpty(value) {
    if (value === undefined || value === null || value === "")
        return true;
    if (typeof value !== "object")
        return false;
    try {
        if (Array.isArray(value))
            return value.length === 0;
        if (!(0,any_json/* isBareObject */.i)(value))
            return false;
        for (const _ in value)
            return false;
        return true;
    }
    catch {
        // A proxy that throws counts as a value.
        return false;
    }
}
/**
 * The operations that wait, in order of arrival. An addition to a waiting run becomes part of it; an addition to a run on
 * its way waits until `settle`, so that no addition overtakes its run.
 */
class RunQueue {
    #waiting = new Map();
    /** The runs on their way, each with what was added to it since. */
    #underway = new Map();
    #size = 0;
    /** How many runs can be taken. */
    get ready() {
        return this.#waiting.size;
    }
    /** About how many characters wait, additions to runs on their way included. */
    get size() {
        return this.#size;
    }
    /** The runs that wait or are on their way. */
    ids() {
        return new Set([...this.#waiting.keys(), ...this.#underway.keys()]);
    }
    /** True when the run, or an addition to it, waits or is on its way. */
    has(id) {
        return this.#waiting.has(id) || this.#underway.has(id);
    }
    add(operation) {
        const isUnderway = this.#underway.has(operation.id);
        const place = isUnderway ? this.#underway : this.#waiting;
        const earlier = place.get(operation.id);
        const now = earlier === undefined ? operation : merged(earlier, operation);
        place.set(operation.id, now);
        this.#size += now.size - (earlier?.size ?? 0);
    }
    /** Takes the first that wait. They are on their way until `settle`. */
    take({ runs, size }) {
        const taken = [];
        let takenSize = 0;
        for (const operation of this.#waiting.values()) {
            const more = operation.size;
            if (taken.length === runs || (taken.length > 0 && takenSize + more > size))
                break;
            taken.push(operation);
            takenSize += more;
        }
        for (const { id } of taken) {
            this.#waiting.delete(id);
            this.#underway.set(id, undefined);
        }
        this.#size -= takenSize;
        return taken;
    }
    /** Ends the way of these runs, whether they arrived or not. */
    settle(ids) {
        for (const id of ids) {
            const since = this.#underway.get(id);
            this.#underway.delete(id);
            if (since !== undefined)
                this.#waiting.set(id, since);
        }
    }
}
/** Those who wait until all runs that they know of are settled. */
class Flushes {
    #flushes = new Set();
    get isAny() {
        return this.#flushes.size > 0;
    }
    /** Resolves when none of these runs waits or is on its way. */
    add(open) {
        const done = Promise.withResolvers();
        this.#flushes.add({ open, done });
        return done.promise;
    }
    /** These runs came to their end, apart from those that the queue still has. */
    settle(ids, queue) {
        for (const flush of this.#flushes) {
            // An addition to a run on its way waits now.
            for (const id of ids)
                if (!queue.has(id))
                    flush.open.delete(id);
            if (flush.open.size > 0)
                continue;
            this.#flushes.delete(flush);
            flush.done.resolve();
        }
    }
}

// EXTERNAL MODULE: external "node:fs/promises"
var external_node_fs_promises_ = __webpack_require__(1455);
;// CONCATENATED MODULE: ./src/tracing/ingest/run-ledger.js


const MOST_DROPPED_IDS = 100_000;
// The file of unsent runs contains what the runs contain.
const OWNER_ONLY = 0o600;
/** Counts runs, and keeps those that the service did not store. */
class RunLedger {
    #options;
    #file;
    #counts = { accepted: 0, stored: 0, dropped: 0, rejected: 0, unsent: 0 };
    // Their ends may still come.
    #droppedIds = new Set();
    #writes = new Set();
    constructor(options) {
        this.#options = options;
        this.#file = options.unsentFile === undefined ? undefined : new UnsentFile(options.unsentFile);
    }
    get counts() {
        return { ...this.#counts };
    }
    accept({ event }) {
        if (event === "post")
            this.#counts.accepted += 1;
    }
    drop(id) {
        this.#counts.dropped += 1;
        this.#droppedIds.add(id);
        if (this.#droppedIds.size <= MOST_DROPPED_IDS)
            return;
        for (const oldest of this.#droppedIds) {
            this.#droppedIds.delete(oldest);
            break;
        }
    }
    /** True once for a dropped run: its end has nothing to be added to. */
    wasDropped(id) {
        return this.#droppedIds.delete(id);
    }
    onStored({ runs }) {
        for (const { event } of runs)
            if (event === "post")
                this.#counts.stored += 1;
    }
    onRejected(batch, error) {
        const reason = error.details.join("; ") || error.message;
        for (const { event, id } of batch.runs) {
            this.#counts.rejected += 1;
            notify(() => this.#options.onRejected?.({ event, id, reason }));
        }
        const write = this.#file?.append(batch.lines());
        // The rejection is reported already; that the run could not be kept either adds nothing.
        if (write !== undefined)
            this.#keep(write.catch(() => undefined));
    }
    onUnsent(batch, error) {
        const runs = batch.runs.map(({ event, id }) => ({ event, id }));
        this.#counts.unsent += runs.length;
        this.#keep(this.#write(this.#file === undefined ? [] : batch.lines(), { runs, error }));
    }
    /** Resolves when all writes to the file have ended. */
    async settled() {
        await Promise.all(this.#writes);
    }
    async #write(lines, unsent) {
        const report = await this.#append(lines).then((file) => ({ ...unsent, file }), (cause) => ({ ...unsent, error: cause, file: undefined }));
        notify(() => this.#options.onUnsent?.(report));
    }
    async #append(lines) {
        await this.#file?.append(lines);
        return this.#file?.path;
    }
    #keep(write) {
        this.#writes.add(write);
        void write.finally(() => this.#writes.delete(write));
    }
}
function notify(listener) {
    try {
        listener();
    }
    catch {
        // An exception in a listener must not affect the runs.
    }
}
/** The file of unsent runs, one line of JSON each, for a later `replay`. */
class UnsentFile {
    path;
    // One write at a time: lines must not mix.
    #written = Promise.resolve();
    constructor(path) {
        this.path = path;
    }
    /** Appends lines. Throws UnsentFileError; the lines are lost then. */
    async append(lines) {
        const text = lines.map((line) => `${line}\n`).join("");
        const write = this.#written.then(() => (0,external_node_fs_promises_.appendFile)(this.path, text, { mode: OWNER_ONLY }));
        this.#written = write.catch(() => undefined);
        try {
            await write;
        }
        catch (cause) {
            throw new UnsentFileError(`Could not write the unsent runs to ${this.path}.`, { cause });
        }
    }
}

;// CONCATENATED MODULE: ./src/tracing/ingest/ingest.js








// The number of connections to one service.
const CONCURRENCY = 8;
// Twice what all requests carry; callers that never wait need room for a burst.
const MOST_RUNS = { wait: 2_000, drop: 10_000 };
const MOST_SIZE = 32 * 1024 * 1024;
// Larger batches are not faster, and each one takes its memory while it is on its way.
const MOST_BATCH_SIZE = 2 * 1024 * 1024;
const LINGER_MILLISECONDS = 100;
const PATIENCE_MILLISECONDS = 60_000;
const ROOM = Promise.resolve();
// Without them, every run would fail in the background.
const OptionsShape = schemas/* looseObject */._H3({ tracing: (0,argument_shapes/* objectOf */.Xy)(), clock: (0,argument_shapes/* objectOf */.Xy)() });
/**
 * Sends runs in batches, in the background, with bounded memory and several requests at once, until each run is stored,
 * rejected or in the file of unsent runs. Waiting runs keep the process alive; `close` sends them and takes no more.
 */
class RunIngest {
    #options;
    #delivery;
    #queue = new RunQueue();
    #ledger;
    #concurrency;
    #mostRuns;
    #mostSize;
    #portion;
    #isAsking = false;
    #requests = 0;
    #room;
    #flushes = new Flushes();
    #timer;
    // Callers that wait let the event loop send requests.
    #turn;
    // The linger time is over: send what waits even if it does not fill a batch.
    #isDue = false;
    #isClosed = false;
    /** Throws ArgumentsError. */
    constructor(options) {
        checkedArgument("RunIngest", OptionsShape, options, "the first argument");
        const { tracing, clock, random, patienceMilliseconds = PATIENCE_MILLISECONDS } = options;
        this.#options = options;
        this.#concurrency = options.concurrency ?? CONCURRENCY;
        this.#mostRuns = options.mostRuns ?? MOST_RUNS[options.onFull ?? "wait"];
        this.#mostSize = options.mostSize ?? MOST_SIZE;
        this.#ledger = new RunLedger(options);
        this.#delivery = new Delivery({
            tracing,
            clock,
            random,
            patienceMilliseconds,
            signal: options.signal,
            receipts: this.#ledger,
        });
    }
    get counts() {
        return this.#ledger.counts;
    }
    /**
     * Hands over a copy of a run. Resolves when there is room for the next: awaiting it keeps the memory bounded. Rejects
     * with TracingClosedError after `close`, and with RunIdError.
     */
    post(run) {
        if (this.#options.onFull === "drop" && this.#isFull()) {
            this.#ledger.drop(run.id);
            return ROOM;
        }
        return this.#add(runOperation("post", run));
    }
    /** Adds fields to a run that was handed over or that the service has; resolves and rejects as `post` does. */
    patch(id, fields) {
        return this.#ledger.wasDropped(id) ? ROOM : this.#add(runOperation("patch", { ...fields, id }));
    }
    /**
     * Sends all that waits. Resolves with the counts when each run that was handed over before this call is stored,
     * rejected or unsent.
     */
    async flush() {
        const open = this.#queue.ids();
        if (open.size > 0) {
            const done = this.#flushes.add(open);
            this.#pump();
            await done;
        }
        await this.#ledger.settled();
        return this.counts;
    }
    /** Takes no more runs, and flushes. */
    async close() {
        this.#isClosed = true;
        return await this.flush();
    }
    async [Symbol.asyncDispose]() {
        await this.close();
    }
    #add(operation) {
        // The id becomes part of a header.
        if (!this.#queue.has(operation.id) && !(0,uuid/* isUuid */.O1)(operation.id)) {
            return rejected(new RunIdError(`Invalid run id ${JSON.stringify(operation.id)}: must be a UUID.`));
        }
        if (this.#isClosed) {
            return rejected(new TracingClosedError(`Run ${operation.id} was handed over after the ingest was closed.`));
        }
        this.#ledger.accept(operation);
        this.#queue.add(operation);
        this.#schedule();
        if (this.#options.onFull !== "drop" && this.#isFull()) {
            this.#room ??= Promise.withResolvers();
            return this.#room.promise;
        }
        return this.#turn?.promise ?? ROOM;
    }
    #isFull() {
        return this.#queue.ready >= this.#mostRuns || this.#queue.size >= this.#mostSize;
    }
    #schedule() {
        this.#timer ??= setTimeout(() => {
            this.#timer = undefined;
            this.#isDue = true;
            this.#pump();
        }, this.#options.lingerMilliseconds ?? LINGER_MILLISECONDS);
        const { ready, size } = this.#queue;
        // More than a batch: the last run has most often not ended yet.
        const isBatch = this.#portion === undefined || ready > this.#portion.runs || size > this.#portion.size;
        if (this.#turn !== undefined || !(isBatch || this.#isFull()))
            return;
        const turn = Promise.withResolvers();
        this.#turn = turn;
        setImmediate(() => {
            this.#turn = undefined;
            this.#pump();
            turn.resolve(undefined);
        });
    }
    /** Sends as many batches as may be on their way at once. */
    #pump() {
        const portion = this.#portion;
        if (portion === undefined) {
            void this.#learnLimits();
            return;
        }
        while (this.#requests < this.#concurrency && this.#hasBatch(portion)) {
            this.#send(this.#queue.take(portion));
        }
        if (!this.#isFull()) {
            this.#room?.resolve();
            this.#room = undefined;
        }
        if (this.#queue.ready === 0)
            this.#rest();
    }
    #hasBatch({ runs, size }) {
        const { ready } = this.#queue;
        if (ready === 0)
            return false;
        return this.#isDue || this.#flushes.isAny || ready >= runs || this.#queue.size >= size || this.#isFull();
    }
    /** Nothing waits: the timer would only keep the process alive. */
    #rest() {
        clearTimeout(this.#timer);
        this.#timer = undefined;
        this.#isDue = false;
    }
    async #learnLimits() {
        if (this.#isAsking)
            return;
        this.#isAsking = true;
        const { runs, bytes } = await this.#delivery.limits();
        this.#portion = { runs, size: Math.min(bytes, MOST_BATCH_SIZE) };
        this.#pump();
    }
    #send(operations) {
        this.#requests += 1;
        const ids = operations.map(({ id }) => id);
        void this.#follow(this.#delivery.deliver(operations), ids);
    }
    async #follow(delivered, ids) {
        await delivered;
        this.#requests -= 1;
        this.#queue.settle(ids);
        this.#flushes.settle(ids, this.#queue);
        if (this.#queue.ready > 0)
            this.#schedule();
        this.#pump();
    }
}
/** Callers that do not await it must not end the process with an unhandled rejection. */
function rejected(error) {
    const rejection = Promise.reject(error);
    rejection.catch(() => undefined);
    return rejection;
}

// EXTERNAL MODULE: ./src/http/service-pages.js
var service_pages = __webpack_require__(371);
// EXTERNAL MODULE: external "node:async_hooks"
var external_node_async_hooks_ = __webpack_require__(6698);
// EXTERNAL MODULE: ./src/contract/dotted-order.js
var dotted_order = __webpack_require__(6274);
// EXTERNAL MODULE: ./src/contract/instant.js
var instant = __webpack_require__(9370);
// EXTERNAL MODULE: ./src/text/foreign-text.js
var foreign_text = __webpack_require__(4252);
// EXTERNAL MODULE: ./src/contract/run-rules.js
var run_rules = __webpack_require__(8260);
;// CONCATENATED MODULE: ./src/tracing/tracer/propagation.js


// W3C Baggage allows 8,192 bytes, `tracestate` only 256 a value: a dotted order has 59 characters a level.
const KEY = "graph-dotted-order";
/** The headers that make a run of another process a child of this one: W3C Trace Context and W3C Baggage. */
function outgoingHeaders(run) {
    const { id, dottedOrder, w3cTraceId, isSampled } = run;
    return {
        traceparent: formatTraceparent({ traceId: w3cTraceId, id, sampled: isSampled }),
        ...(isSampled ? { baggage: `${KEY}=${dottedOrder}` } : {}),
    };
}
/** Reads such headers; undefined where there is no valid `traceparent`. */
function incomingContext(headers) {
    const traceparent = parseTraceparent(header(headers, "traceparent") ?? "");
    if (traceparent === undefined)
        return undefined;
    const { traceId, spanId, sampled } = traceparent;
    const parent = parentIn(header(headers, "baggage") ?? "");
    // A proxy in between may have begun its own span or trace: then the baggage is not that of the parent.
    const isFresh = parent?.id.replaceAll("-", "").endsWith(spanId) ?? false;
    return { w3cTraceId: traceId, isSampled: sampled, parent: isFresh ? parent : undefined };
}
function parentIn(baggage) {
    for (const member of baggage.split(",")) {
        const [pair = ""] = member.split(";");
        const [key, dottedOrder = ""] = pair.split("=").map((part) => part.trim());
        if (key !== KEY)
            continue;
        const places = (0,dotted_order/* parseDottedOrder */.i)(dottedOrder) ?? [];
        const [root, own] = [places[0], places.at(-1)];
        if (root === undefined || own === undefined || !Number.isSafeInteger(own.startMicroseconds))
            continue;
        // Any client can send this header: the service would reject all runs below an invalid place.
        const faults = (0,run_rules/* runFaults */.d)({ id: own.id, trace_id: root.id, dotted_order: dottedOrder }, { made: false });
        if (faults.length === 0)
            return { traceId: root.id, dottedOrder, ...own };
    }
    return undefined;
}
function header(headers, name) {
    if (headers instanceof Headers)
        return headers.get(name) ?? undefined;
    const value = headers[name];
    return typeof value === "string" ? value : value?.join(",");
}
// Later versions may have more fields; version ff is invalid.
const TRACEPARENT = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-.*)?$/;
/** Undefined for an invalid `traceparent`, which is to be ignored. */
function parseTraceparent(text) {
    const match = TRACEPARENT.exec(text.trim());
    if (match === null)
        return undefined;
    const [whole, version, traceId = "", spanId = "", flags = ""] = match;
    // Version 00 has exactly four fields.
    if (version === "00" && whole.length !== 55)
        return undefined;
    return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}
/** The `traceparent` of a run: the trace id is the UUID of the root, the span id the last 64 bits of the run's id. */
function formatTraceparent(run) {
    const [traceId, id] = [run.traceId, run.id].map((uuid) => uuid.replaceAll("-", ""));
    return `00-${traceId ?? ""}-${(id ?? "").slice(-16)}-${run.sampled ? "01" : "00"}`;
}

;// CONCATENATED MODULE: ./src/tracing/tracer/session.js



const FIELDS = ["session_name", "session_id"];
// How callers might name a project among the options of a run.
const OF_THE_TRACER = ["session", "session_name", "session_id"];
const ADVICE = 'Name the project as `session: { session_name: "support-agent" }`.';
/** The project as it is sent. Throws TracerSessionError for one that the service would ignore and use another project. */
function readSession(given) {
    const error = errorOf(given);
    if (error === undefined)
        return Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value != null));
    throw new TracerSessionError(`The \`session\` of a Tracer ${error}.`, { advice: ADVICE });
}
/** Throws TracerSessionError where a run names a project: it belongs to the project of its tracer. */
function refuseSession(options) {
    const field = OF_THE_TRACER.find((name) => name in options);
    if (field === undefined)
        return;
    throw new TracerSessionError(`\`${field}\` is not an option of a run: a run belongs to the project of its Tracer.`, {
        advice: "Make another Tracer for another project.",
    });
}
function errorOf(given) {
    if (given === undefined || given === null)
        return "is missing";
    if (typeof given !== "object")
        return "must be an object";
    const fields = new Map(Object.entries(given).filter(([, value]) => value != null));
    const unknown = [...fields.keys()].find((name) => !FIELDS.some((known) => known === name));
    if (unknown !== undefined)
        return `has an unknown field ${(0,quoted/* quoted */.TL)(unknown)}; it takes ${(0,quoted/* listed */.KE)(FIELDS)}`;
    if (fields.size === 0)
        return `has neither ${FIELDS.join(" nor ")}`;
    const [name, id] = [fields.get("session_name"), fields.get("session_id")];
    if (name !== undefined && (typeof name !== "string" || name.trim() === ""))
        return "has an empty session_name";
    if (id !== undefined && (typeof id !== "string" || !(0,uuid/* isUuid */.O1)(id)))
        return "has a session_id that is not a UUID";
    return undefined;
}

;// CONCATENATED MODULE: ./src/tracing/tracer/active-run.js






// The service rejects an empty name.
const UNNAMED = "unnamed";
const LAST_MILLISECOND = Date.UTC(9999, 11, 31, 23, 59, 59, 999);
/** A run in progress: it is sent when it begins, and again when it ends. */
class ActiveRun {
    id;
    /** The id of the root. */
    traceId;
    dottedOrder;
    /** Microseconds since 1970. */
    startMicroseconds;
    /** False when neither the run nor the runs below it are sent. */
    isSampled;
    #w3cTraceId;
    #surroundings;
    #parentId;
    #events = [];
    #ended;
    constructor(surroundings, name, options, origin) {
        const { parent } = origin;
        const { clock, ids } = surroundings;
        const startMicroseconds = Math.max(microsecondsOf(options.startTime) ?? clock.next(), parent?.startMicroseconds ?? 0);
        this.#surroundings = surroundings;
        this.startMicroseconds = startMicroseconds;
        this.id = ids.next(startMicroseconds);
        this.traceId = parent?.traceId ?? this.id;
        this.dottedOrder = (0,dotted_order/* dottedOrder */.r)({ startMicroseconds, id: this.id, parent: parent?.dottedOrder });
        this.isSampled = origin.isSampled(this.traceId);
        this.#w3cTraceId = origin.w3cTraceId;
        this.#parentId = parent?.id;
        if (this.isSampled)
            this.#begin(name, options, startMicroseconds);
    }
    /** True once `end` or `fail` was called. */
    get hasEnded() {
        return this.#ended !== undefined;
    }
    /** Begins a run below this one; it may outlive it. */
    child(name, options = {}) {
        refuseSession(options);
        return new ActiveRun(this.#surroundings, name, options, this.asOrigin());
    }
    /** Where a run below this one begins. */
    asOrigin() {
        return { parent: this, w3cTraceId: this.#w3cTraceId, isSampled: () => this.isSampled };
    }
    /** Records an event at the current time; it is sent with the end. */
    event(name, more = {}) {
        this.#events.push({ name, time: timeText(this.#surroundings.clock.now()), ...more });
    }
    /**
     * Ends the run with its outputs, its error, or both; outputs that are not an object are sent as `{ output }`. Only the
     * first end counts. Resolves when there is room for more runs, see `RunIngest.post`.
     */
    end(outputs, error) {
        const { redaction } = this.#surroundings;
        return this.#finish({
            outputs: redaction.outputs(outputs),
            error: error === undefined ? undefined : redaction.error(error),
        });
    }
    /** Ends the run with an error. */
    fail(error) {
        return this.end(undefined, error ?? "no error was given");
    }
    /** The headers that make a run of another process a child of this one: `traceparent` and `baggage`. */
    headers() {
        const { id, traceId, dottedOrder: order, isSampled } = this;
        const w3cTraceId = this.#w3cTraceId ?? traceId.replaceAll("-", "");
        return outgoingHeaders({ id, traceId, dottedOrder: order, isSampled, w3cTraceId });
    }
    #begin(name, { runType = "chain", inputs, metadata, tags }, startMicroseconds) {
        const { ingest, redaction, session } = this.#surroundings;
        // A constructor cannot wait; awaiting the end keeps the memory bounded.
        void ingest.post({
            ...this.#place(),
            name: (0,foreign_text/* cut */.J)(name, contract_run/* MOST_NAME_CHARACTERS */.rf) || UNNAMED,
            run_type: runType,
            start_time: timeText(startMicroseconds),
            parent_run_id: this.#parentId,
            ...session,
            inputs: redaction.inputs(inputs),
            tags,
            extra: metadata === undefined ? undefined : { metadata },
        });
    }
    #finish(fields) {
        if (!this.isSampled)
            return (this.#ended ??= Promise.resolve());
        const { clock, ingest } = this.#surroundings;
        this.#ended ??= ingest.patch(this.id, {
            ...this.#place(),
            parent_run_id: this.#parentId,
            ...this.#surroundings.session,
            end_time: timeText(clock.now()),
            events: this.#events,
            ...fields,
        });
        return this.#ended;
    }
    #place() {
        return { id: this.id, trace_id: this.traceId, dotted_order: this.dottedOrder };
    }
}
function timeText(microseconds) {
    const [second, fraction] = (0,instant/* utcText */.kK)(microseconds);
    return `${second}.${fraction}Z`;
}
// Undefined for an invalid date, and for one that a dotted order has no digits for.
function microsecondsOf(time) {
    const milliseconds = time?.getTime();
    const isUsable = milliseconds !== undefined && milliseconds >= 0 && milliseconds <= LAST_MILLISECOND;
    return isUsable ? Math.round(milliseconds * 1_000) : undefined;
}

;// CONCATENATED MODULE: ./src/tracing/tracer/redaction.js


// A value is not sent when its redaction throws.
const WITHHELD = "[withheld: the redaction failed]";
/** Turns any values into the objects that the service takes, redacted. */
class Redaction {
    #options;
    constructor(options = {}) {
        this.#options = options;
    }
    inputs(value) {
        return redacted(value, "input", this.#options.inputs);
    }
    outputs(value) {
        return redacted(value, "output", this.#options.outputs);
    }
    error(error) {
        const { errors } = this.#options;
        const text = textOf(error);
        try {
            return errors === undefined ? text : errors(text);
        }
        catch {
            return WITHHELD;
        }
    }
}
function redacted(value, name, redact) {
    const object = named(value, name);
    if (redact === undefined || object === undefined)
        return object;
    try {
        return named(redact(object), name);
    }
    catch {
        return { [name]: WITHHELD };
    }
}
function textOf(error) {
    try {
        return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    }
    catch {
        // An object without a prototype cannot become a string.
        return (0,any_json/* anyJson */.P)(error);
    }
}
// The service takes objects as inputs and outputs.
function named(value, name) {
    if (value === undefined)
        return undefined;
    try {
        return isNamed(value) ? value : { [name]: value };
    }
    catch {
        // A proxy that throws.
        return { [name]: value };
    }
}
function isNamed(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value) && (0,any_json/* isBareObject */.i)(value);
}

;// CONCATENATED MODULE: ./src/tracing/tracer/run-id.js


const ID_BYTES = 16;
// Filling many ids at once saves a system call for each.
const POOL_IDS = 256;
/** Ids of runs: UUIDs of version 7, which start with the milliseconds of the run's start and sort by it. */
class RunIds {
    #fill;
    #pool = Buffer.alloc(ID_BYTES * POOL_IDS);
    #at = this.#pool.length;
    constructor(fill = (bytes) => (0,external_node_crypto_.randomFillSync)(bytes)) {
        this.#fill = fill;
    }
    /** The id of a run that starts at this time, microseconds since 1970. */
    next(startMicroseconds) {
        if (this.#at === this.#pool.length) {
            this.#fill(this.#pool);
            this.#at = 0;
        }
        const bytes = this.#pool.subarray(this.#at, this.#at + ID_BYTES);
        this.#at += ID_BYTES;
        return (0,uuid/* uuidV7 */.XB)(bytes, Math.floor(startMicroseconds / 1_000));
    }
}

;// CONCATENATED MODULE: ./src/tracing/tracer/trace-clock.js
/**
 * The starts of runs, in microseconds since 1970. Each start is later than the one before, even within one millisecond or
 * after the clock is set back, so that `dotted_order` sorts runs by their start and no child is before its parent.
 */
class TraceClock {
    #clock;
    // The wall clock may jump in the middle of a trace: it is read once, and the monotonic clock adds to it.
    #epochMilliseconds;
    #last = 0;
    constructor(clock) {
        this.#clock = clock;
        this.#epochMilliseconds = clock.date().getTime() - clock.now();
    }
    /** A start: now, but later than any start before. */
    next() {
        this.#last = Math.max(this.#last + 1, this.now());
        return this.#last;
    }
    /** An end: now, but never before the last start. */
    now() {
        const wall = Math.floor((this.#epochMilliseconds + this.#clock.now()) * 1_000);
        return Math.max(this.#last, wall);
    }
}

;// CONCATENATED MODULE: ./src/tracing/tracer/tracer.js










const tracer_OptionsShape = schemas/* looseObject */._H3({
    ingest: (0,argument_shapes/* objectOf */.Xy)(),
    clock: (0,argument_shapes/* objectOf */.Xy)(),
    samplingRate: schemas/* number */.aig("must be a number").min(0, "must be 0 or more").max(1, "must be 1 or less").optional(),
});
/** Records the work of a program as runs: a run that begins within another one becomes its child. */
class Tracer {
    #surroundings;
    #samplingRate;
    #current = new external_node_async_hooks_.AsyncLocalStorage();
    /** Throws ArgumentsError, and TracerSessionError for an invalid project. */
    constructor(options) {
        const { ingest, clock } = checkedArgument("Tracer", tracer_OptionsShape, options, "the first argument");
        const { samplingRate = 1, redact } = options;
        const session = readSession(options.session);
        const redaction = new Redaction(redact);
        this.#surroundings = { ingest, session, redaction, ids: new RunIds(), clock: new TraceClock(clock) };
        this.#samplingRate = samplingRate;
    }
    /** The innermost run of `trace` around this call; undefined outside of `trace`. */
    get current() {
        return this.#current.getStore();
    }
    async trace(name, ...rest) {
        const [options, work] = rest.length === 1 ? [{}, rest[0]] : rest;
        if (typeof work !== "function")
            throw new ArgumentsError("trace", ["the last argument must be a function"]);
        const run = this.start(name, options);
        try {
            const result = await this.#current.run(run, () => work(run));
            await settled(run.hasEnded ? undefined : run.end(result));
            return result;
        }
        catch (error) {
            await settled(run.fail(error));
            throw error;
        }
    }
    /** Begins a run that the caller ends, below the run of the headers or the current one. */
    start(name, { headers, ...options } = {}) {
        refuseSession(options);
        return new ActiveRun(this.#surroundings, name, options, this.#origin(headers));
    }
    /** Sends all runs; resolves when each is stored, rejected or unsent. */
    async flush() {
        return await this.#surroundings.ingest.flush();
    }
    #origin(headers) {
        const remote = headers === undefined ? undefined : incomingContext(headers);
        if (remote !== undefined) {
            const { parent, w3cTraceId } = remote;
            return { parent, w3cTraceId, isSampled: (id) => remote.isSampled && this.#isChosen(id) };
        }
        const { current } = this;
        if (current === undefined)
            return { isSampled: (id) => this.#isChosen(id) };
        return current.asOrigin();
    }
    // By the id of the trace, whose last 32 bits are random: all processes choose the same traces.
    #isChosen(traceId) {
        return this.#samplingRate >= 1 || Number.parseInt(traceId.slice(-8), 16) / 2 ** 32 < this.#samplingRate;
    }
}
/** An error of tracing must not fail the work. */
async function settled(ended) {
    await ended?.catch(() => undefined);
}

;// CONCATENATED MODULE: ./action/deploy/traced-work.js
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








// The deploy is over: its trace should not hold up the job, and a runner that cancels waits for 7.5 s.
const traced_work_PATIENCE_MILLISECONDS = 10_000;
const CANCELLED_PATIENCE_MILLISECONDS = 2_000;
/** Runs work and sends its events as a trace. A trace that does not arrive is a warning, never an error. */
async function traced(inputs, trace, { redactor, signal, emit, local }, work) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const { service: place, session, workflowRun, ...settings } = trace;
        // Its own signal: a deploy that was cancelled is traced too.
        const end = new AbortController();
        const service = __addDisposableResource(env_1, (0,connection/* connectTracingTo */.ey)(place === "local" ? local : place, {
            ...settings,
            redactor,
            signal: end.signal,
        }), true);
        const reasons = [];
        const ingest = new RunIngest({
            ...service,
            signal: end.signal,
            onRejected: ({ reason }) => reasons.push(reason),
            onUnsent: ({ error }) => reasons.push(error instanceof Error ? error.message : String(error)),
        });
        const clean = (text) => redactor.text(text);
        const cleaned = (value) => withTexts(value, clean);
        const redact = { inputs: cleaned, outputs: cleaned, errors: clean };
        const tracer = new Tracer({ ...service, ingest, session: { session_name: session }, redact });
        const deployTrace = new DeployTrace(tracer, clean(titleOf(inputs)), {
            inputs: subjectOf(inputs),
            metadata: Object.fromEntries(Object.entries(workflowRun).map(([name, value]) => [name, typeof value === "string" ? clean(value) : value])),
        });
        try {
            await work((event) => {
                deployTrace.note(event);
                emit(event);
            });
        }
        catch (error) {
            // The deploy has reported its end already, unless it could not even begin.
            deployTrace.fail(error);
            throw error;
        }
        finally {
            const counts = await flushed(ingest, signal, end);
            reportSent(counts, reasons, { trace, traceId: deployTrace.id, emit });
        }
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
function reportSent(counts, reasons, { trace, traceId, emit }) {
    const { service, session } = trace;
    if (counts.stored > 0) {
        // The local service ends with the step, and its pages with it.
        const page = service === "local" ? undefined : (0,service_pages/* tracePage */.ZI)(service.url.href, traceId);
        emit({ type: "trace-sent", session, traceId, runs: counts.stored, page });
    }
    if (counts.rejected + counts.unsent > 0)
        emit({ type: "warning", message: whyNot(counts, reasons[0]) });
}
// Text by text: a secret in the JSON as a whole may begin within an escape, of which half would be left.
function withTexts(value, change) {
    if (typeof value === "string")
        return change(value);
    if (Array.isArray(value))
        return value.map((item) => withTexts(item, change));
    if (typeof value !== "object" || value === null)
        return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), withTexts(item, change)]));
}
async function flushed(ingest, signal, end) {
    const endAfter = async (milliseconds) => {
        await (0,promises_.setTimeout)(milliseconds, undefined, { ref: false });
        end.abort(new Error(`The service did not accept it within ${String(milliseconds / 1000)} s.`));
    };
    const hurry = () => void endAfter(CANCELLED_PATIENCE_MILLISECONDS);
    if (signal.aborted)
        hurry();
    else
        signal.addEventListener("abort", hurry, { once: true });
    void endAfter(traced_work_PATIENCE_MILLISECONDS);
    return await ingest.flush();
}
// A run is sent when it begins and again when it ends; both may be lost.
function whyNot({ accepted, stored, rejected, unsent }, reason = "The reason is unknown.") {
    const lost = accepted > stored
        ? `${(0,number/* countOf */.pq)(accepted - stored, "run")} of ${String(accepted)}`
        : `the end of ${(0,number/* countOf */.pq)(rejected + unsent, "run")}`;
    return `The trace of this deploy is incomplete: ${lost} could not be sent. ${reason}`;
}
function titleOf({ task, request: { target } }) {
    return `${task === "follow" ? "follow" : "deploy"} ${(0,look/* nameOf */.Vb)(target, undefined)}`;
}
function subjectOf(inputs) {
    const { target } = inputs.request;
    const { name, deploymentId } = target;
    const named = {
        ...(name === undefined ? {} : { name }),
        ...(deploymentId === undefined ? {} : { deployment_id: deploymentId }),
    };
    if (inputs.task === "follow")
        return { ...named, revision_id: inputs.request.revisionId };
    return { ...named, source: inputs.request.source.source };
}


/***/ }),

/***/ 6274:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   i: () => (/* binding */ parseDottedOrder),
/* harmony export */   r: () => (/* binding */ dottedOrder)
/* harmony export */ });
/* harmony import */ var _instant_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9370);

const MICROSECONDS = 1_000;
const FORM = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{6})Z([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;
/** The `dotted_order` of a run. */
function dottedOrder({ startMicroseconds, id, parent }) {
    const segment = `${orderTime(startMicroseconds)}${id}`;
    return parent === undefined ? segment : `${parent}.${segment}`;
}
/** `20240102T010405678901Z` */
function orderTime(microseconds) {
    const [text, fraction] = (0,_instant_js__WEBPACK_IMPORTED_MODULE_0__/* .utcText */ .kK)(microseconds);
    const day = `${text.slice(0, 4)}${text.slice(5, 7)}${text.slice(8, 10)}`;
    return `${day}T${text.slice(11, 13)}${text.slice(14, 16)}${text.slice(17)}${fraction}Z`;
}
/** The runs of a `dotted_order` from the root on; undefined when it is invalid. */
function parseDottedOrder(text) {
    const places = text.split(".").map(parseSegment);
    return places.every((place) => place !== undefined) ? places : undefined;
}
function parseSegment(segment) {
    const match = FORM.exec(segment);
    if (match === null)
        return undefined;
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, microseconds = 0] = match
        .slice(1, 8)
        .map(Number);
    const date = Date.UTC(year, month - 1, day, hour, minute, second);
    if (!isDate(new Date(date), [year, month, day, hour, minute, second]))
        return undefined;
    return { startMicroseconds: date * MICROSECONDS + microseconds, id: match[8] ?? "" };
}
// A 31st of February would be read as a day of March.
function isDate(date, [year, month, day, hour, minute, second]) {
    return (date.getUTCSeconds() === second &&
        date.getUTCMinutes() === minute &&
        date.getUTCHours() === hour &&
        date.getUTCDate() === day &&
        date.getUTCMonth() + 1 === month &&
        date.getUTCFullYear() === year);
}


/***/ }),

/***/ 8260:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   d: () => (/* binding */ runFaults)
/* harmony export */ });
/* harmony import */ var _dotted_order_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(6274);
/* harmony import */ var _instant_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(9370);
/* harmony import */ var _run_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(5870);



/**
 * Why a service refuses a run that a batch makes; empty for one that it takes. `made` is false for one that the batch
 * adds to, which needs its place in the trace, and nothing else.
 */
function runFaults(run, { made }) {
    return [...(made ? missingFaults(run) : []), ...nameFaults(run), ...timeFaults(run), ...placeFaults(run, made)];
}
function missingFaults(run) {
    const needed = ["name", "run_type", "start_time"];
    return needed.filter((field) => run[field] == null).map((field) => ({ field, what: "is missing" }));
}
function nameFaults({ name }) {
    if (name == null)
        return [];
    if (name === "")
        return [{ field: "name", what: "is empty" }];
    if (name.length <= _run_js__WEBPACK_IMPORTED_MODULE_0__/* .MOST_NAME_CHARACTERS */ .rf)
        return [];
    return [{ field: "name", what: `is longer than ${String(_run_js__WEBPACK_IMPORTED_MODULE_0__/* .MOST_NAME_CHARACTERS */ .rf)} characters` }];
}
function timeFaults(run) {
    const times = ["start_time", "end_time"];
    return times.filter((field) => !isTime(run[field])).map((field) => ({ field, what: "is not an ISO 8601 time" }));
}
function isTime(value) {
    if (typeof value === "number")
        return Number.isFinite(value) && value >= 0;
    return value == null || (0,_instant_js__WEBPACK_IMPORTED_MODULE_1__/* .parseInstant */ .nV)(value) !== undefined;
}
/** `dotted_order` says where in its trace a run is, and all the ids have to agree with it. */
function placeFaults(run, made) {
    const { id, trace_id: trace, parent_run_id: parent, dotted_order: order } = run;
    const missing = [...(trace == null ? ["trace_id"] : []), ...(order == null ? ["dotted_order"] : [])];
    if (trace == null || order == null)
        return missing.map((field) => ({ field, what: "is missing" }));
    const fault = (what) => [{ field: "dotted_order", what }];
    const places = (0,_dotted_order_js__WEBPACK_IMPORTED_MODULE_2__/* .parseDottedOrder */ .i)(order);
    if (places === undefined)
        return fault("must be segments like 20240102T030405678901Z and a UUID, joined by dots");
    const [root] = places;
    const [own, above] = [places.at(-1), places.at(-2)];
    if (!isSame(own?.id, id))
        return fault("does not end with the id of the run");
    if (!isSame(root?.id, trace))
        return [{ field: "trace_id", what: "does not match the first part of dotted_order" }];
    // What adds to a run need not name the parent again.
    if (made && parent == null && places.length > 1)
        return fault("must be a single part for a run without a parent");
    if (parent != null && !isSame(above?.id, parent)) {
        return [{ field: "parent_run_id", what: "does not match the part of dotted_order before the last" }];
    }
    const early = places.findIndex(({ startMicroseconds }, at) => {
        const before = places[at - 1];
        return before !== undefined && startMicroseconds < before.startMicroseconds;
    });
    return early === -1 ? [] : fault(`has a part ${String(early + 1)} that starts before its parent`);
}
function isSame(left, right) {
    return left?.toLowerCase() === right.toLowerCase();
}


/***/ })

};
