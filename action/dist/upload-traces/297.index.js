export const id = 297;
export const ids = [297];
export const modules = {

/***/ 3297:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  startLocalService: () => (/* reexport */ startLocalService)
});

// UNUSED EXPORTS: AgentCommandError, DataDirectoryError, PortTakenError, experimentTooLarge, machineEnvironment, noDelete, noList, noLogs, uploadRefused, uploadUrlOnlyUnderV2

// EXTERNAL MODULE: ./src/contract/field-names.js
var field_names = __webpack_require__(1426);
// EXTERNAL MODULE: ./src/contract/graph-deploy-error.js
var graph_deploy_error = __webpack_require__(5884);
// EXTERNAL MODULE: external "node:fs"
var external_node_fs_ = __webpack_require__(3024);
// EXTERNAL MODULE: external "node:os"
var external_node_os_ = __webpack_require__(8161);
// EXTERNAL MODULE: external "node:path"
var external_node_path_ = __webpack_require__(6760);
// EXTERNAL MODULE: ../node_modules/zod/v4/classic/schemas.js + 11 modules
var schemas = __webpack_require__(9987);
// EXTERNAL MODULE: ./src/contract/validation-error.js
var validation_error = __webpack_require__(6827);
;// CONCATENATED MODULE: ./src/contract/graph-config.js



/** The name that the configuration file has by default. */
const DEFAULT_GRAPH_CONFIG = "graph.json";
/** Reads such a path: with forward slashes on every machine, and inside of the project. */
function readGraphConfigPath(text) {
    const path = posix.normalize(text);
    if (path.includes("\\"))
        return { fault: "must be written with forward slashes" };
    if (posix.isAbsolute(path) || /^[a-z]:/i.test(path))
        return { fault: "must be a relative path" };
    if (path === ".." || path.startsWith("../"))
        return { fault: "is outside the project" };
    if (path === "." || path.endsWith("/"))
        return { fault: "is a directory; name the file in it" };
    return { path };
}
const GraphTarget = schemas/* union */.KCZ([schemas/* string */.YjP(), schemas/* looseObject */._H3({ path: schemas/* string */.YjP() })], {
    error: 'must be "./file:export" or an object with such a path',
});
/** The configuration file of an agent project: which graphs it serves, and what they need. */
const GraphConfigFile = schemas/* looseObject */._H3({
    graphs: schemas/* record */.g1P(schemas/* string */.YjP(), GraphTarget)
        .refine((graphs) => !Object.hasOwn(graphs, ""), "must give every graph a name")
        .refine((graphs) => Object.keys(graphs).length > 0, "must name at least one graph"),
    dependencies: schemas/* array */.YOg(schemas/* string */.YjP(), "must be a list of directories and packages").optional(),
    env: schemas/* union */.KCZ([schemas/* string */.YjP(), schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())], "must be a path or an object").optional(),
});
/** Reads the text of a configuration file; every fault is a line such as `graphs.agent: must be …`. */
function parseGraphConfig(text) {
    let json;
    try {
        json = JSON.parse(text.replace(/^\uFEFF/, ""));
    }
    catch (error) {
        return { ok: false, faults: [`it is not JSON${placeOf(error)}`] };
    }
    const parsed = GraphConfigFile.safeParse(json);
    if (!parsed.success)
        return { ok: false, faults: (0,validation_error/* toValidationErrors */.Yt)(parsed.error).map(validation_error/* describeValidationError */.rm) };
    const graphs = Object.entries(parsed.data.graphs).map(([id, target]) => ({
        id,
        target: typeof target === "string" ? target : target.path,
    }));
    const faults = graphs
        .filter(({ target }) => splitTarget(target) === undefined)
        .map(({ id, target }) => `graphs.${id}: "${target}" does not have the form "./file:export"`);
    if (faults.length > 0)
        return { ok: false, faults };
    const { dependencies = [], env } = parsed.data;
    return {
        ok: true,
        config: {
            graphs: graphs.flatMap(({ id, target }) => {
                const parts = splitTarget(target);
                return parts === undefined ? [] : [{ id, ...parts }];
            }),
            dependencies,
            envFile: typeof env === "string" ? env : undefined,
        },
    };
}
// V8 quotes the text around the fault, which may be the value of a secret: only the place is said.
function placeOf(error) {
    const place = /line \d+ column \d+/.exec(error instanceof Error ? error.message : "");
    return place === null ? "" : ` (${place[0]})`;
}
// The last colon parts the file from the export; a path with a Windows drive letter is not in a project.
function splitTarget(target) {
    const colon = target.lastIndexOf(":");
    if (colon <= 0 || colon === target.length - 1)
        return undefined;
    return { file: target.slice(0, colon), exportName: target.slice(colon + 1) };
}

;// CONCATENATED MODULE: ./src/contract/secret.js
/** Names that a platform sets itself; a secret of that name would break the agent. The action's input changes the list. */
const RESERVED_SECRET_NAMES = (/* unused pure expression or super */ null && ([
    "DATABASE_URI",
    "LOG_DICT_TRACEBACKS",
    "LOG_JSON",
    "MOUNT_PREFIX",
    "PATH",
    "PORT",
    "POSTGRES_PASSWORD",
    "POSTGRES_URI",
    "POSTGRES_URI_CUSTOM",
    "REDIS_URI",
    "REDIS_URI_CUSTOM",
]));
/** A name that can stand in an environment. */
function isSecretName(name) {
    return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name);
}

// EXTERNAL MODULE: external "node:fs/promises"
var promises_ = __webpack_require__(1455);
// EXTERNAL MODULE: external "node:stream"
var external_node_stream_ = __webpack_require__(7075);
// EXTERNAL MODULE: external "node:stream/promises"
var external_node_stream_promises_ = __webpack_require__(6466);
// EXTERNAL MODULE: external "node:zlib"
var external_node_zlib_ = __webpack_require__(8522);
// EXTERNAL MODULE: ../node_modules/tar/dist/esm/index.min.js
var index_min = __webpack_require__(8823);
;// CONCATENATED MODULE: ./src/local/archive/tree.js

// The limit of Linux.
const LINK_LIMIT = 40;
const PATH_LIMIT = 4096;
// Bytes of one name: NAME_MAX of the file systems that agents run on.
const NAME_LIMIT = 255;
const DEPTH_LIMIT = 200;
/**
 * The names in an archive, without a file system: a hostile archive cannot reach the disk. Any entry that would leave
 * the tree makes the whole archive invalid.
 */
class ArchiveTree {
    #nodes = new Map([["", { kind: "directory" }]]);
    /** Adds an entry. Returns why the archive is invalid; undefined if the entry is fine. */
    add({ path, type, linkpath = "" }) {
        const name = JSON.stringify(path.slice(0, 200));
        const inside = insideOf(path);
        if (inside === undefined)
            return `${name} leads out of the archive`;
        if (inside.split("/").some((step) => Buffer.byteLength(step) > NAME_LIMIT)) {
            return `${name} has a name of more than ${String(NAME_LIMIT)} bytes`;
        }
        const parents = parentsOf(inside);
        if (parents.length > DEPTH_LIMIT)
            return `${name} lies more than ${String(DEPTH_LIMIT)} directories deep`;
        const broken = parents.find((parent) => (this.#nodes.get(parent)?.kind ?? "directory") !== "directory");
        if (broken !== undefined)
            return `${name} lies below ${JSON.stringify(broken)}, which is not a directory`;
        const node = this.#nodeOf(inside, type, linkpath);
        if (typeof node === "string")
            return `${name} ${node}`;
        const before = this.#nodes.get(inside);
        if (before !== undefined && before.kind !== node.kind)
            return `${name} is in it twice, with different types`;
        for (const parent of parents)
            this.#nodes.set(parent, { kind: "directory" });
        this.#nodes.set(inside, node);
        return undefined;
    }
    /** The number of names, including directories without an entry. */
    get size() {
        return this.#nodes.size;
    }
    get files() {
        return [...this.#nodes.values()].filter((node) => node.kind === "file").length;
    }
    /** What a path leads to, following links step by step as a file system does; undefined if nothing is there. */
    resolve(path) {
        if (isAbsolute(path))
            return undefined;
        const steps = stepsOf(path);
        let at = [];
        let links = 0;
        for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
            if (step === ".")
                continue;
            if (step === ".." && at.length === 0)
                return undefined;
            at = step === ".." ? at.slice(0, -1) : [...at, step];
            const node = this.#nodes.get(at.join("/"));
            if (node === undefined || (node.kind === "file" && steps.length > 0))
                return undefined;
            if (node.kind !== "link")
                continue;
            links += 1;
            if (links > LINK_LIMIT)
                return undefined;
            at = stepsOf(node.from);
            steps.unshift(...stepsOf(node.target));
        }
        const place = at.join("/");
        const node = this.#nodes.get(place);
        return node === undefined || node.kind === "link" ? undefined : { kind: node.kind, path: place };
    }
    #nodeOf(path, type, linkpath) {
        switch (type) {
            case "File":
            case "OldFile":
            case "ContiguousFile":
                return { kind: "file" };
            case "Directory":
                return { kind: "directory" };
            case "SymbolicLink": {
                const from = path.slice(0, Math.max(0, path.lastIndexOf("/")));
                const leaves = isAbsolute(linkpath) || insideOf(`${from}/${linkpath}`.replace(/^\//, "")) === undefined;
                return leaves ? "is a link that leaves the archive" : { kind: "link", from, target: linkpath };
            }
            case "Link": {
                const target = insideOf(linkpath);
                const linked = target === undefined ? undefined : this.#nodes.get(target)?.kind;
                if (target === undefined || linked !== "file")
                    return "is a hard link to something that is not a file of the archive";
                return { kind: "link", from: "", target };
            }
            default:
                return `is not a file, directory or link (${type})`;
        }
    }
}
/** The path relative to the root, without dots; undefined if it leaves the root, on any system. */
function insideOf(path) {
    if (Buffer.byteLength(path) > PATH_LIMIT || path.includes("\0") || isAbsolute(path))
        return undefined;
    const normal = external_node_path_.posix.normalize(path).replace(/\/+$/, "");
    if (normal.split(/[/\\]/).includes(".."))
        return undefined;
    return normal === "." ? "" : normal;
}
function isAbsolute(path) {
    return /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path);
}
// `a` and `a/b` for `a/b/c`.
function parentsOf(path) {
    const steps = path.split("/");
    return steps.slice(1).map((_, index) => steps.slice(0, index + 1).join("/"));
}
function stepsOf(path) {
    return path.split("/").filter((step) => step !== "");
}

;// CONCATENATED MODULE: ./src/local/archive/reader.js








/** The archive is damaged or hostile; the message completes "The archive is invalid: …". */
class ArchiveError extends Error {
    name = "ArchiveError";
}
const ARCHIVE_LIMITS = {
    entries: 200_000,
    bytes: 4 * 1024 ** 3,
    ratio: 200,
    ratioFloorBytes: 64 * 1024 ** 2,
    contentBytes: 1024 ** 2,
};
/**
 * Reads a `.tar.gz` into memory: all names, and the content of the wanted files. Writes nothing, and reads nothing
 * beyond the limits. Rejects with ArchiveError if the archive is damaged or hostile.
 */
async function readArchive(file, wanted, { signal, limits = ARCHIVE_LIMITS }) {
    const packed = (await (0,promises_.stat)(file)).size;
    const reader = new EntryReader(wanted, limits);
    let bytes = 0;
    const sink = new external_node_stream_.Writable({
        write(chunk, _encoding, done) {
            bytes += chunk.length;
            try {
                checkSize(bytes, packed, limits);
                reader.write(chunk);
                done();
            }
            catch (error) {
                done(error instanceof Error ? error : new Error(String(error)));
            }
        },
    });
    try {
        await (0,external_node_stream_promises_.pipeline)((0,external_node_fs_.createReadStream)(file), (0,external_node_zlib_.createGunzip)({ chunkSize: 64 * 1024 }), sink, { signal });
        return { ...reader.end(), bytes };
    }
    catch (error) {
        throw archiveErrorOf(error);
    }
}
function checkSize(bytes, packed, limits) {
    if (bytes > limits.bytes)
        throw new ArchiveError(`it unpacks to more than ${String(limits.bytes)} bytes`);
    if (bytes > limits.ratioFloorBytes && bytes > packed * limits.ratio) {
        throw new ArchiveError(`it unpacks to more than ${String(limits.ratio)} times its size`);
    }
}
/** Turns the bytes of a tar stream into a tree; throws at the first invalid entry. */
class EntryReader {
    #parser;
    #tree = new ArchiveTree();
    #contents = new Map();
    #wanted;
    #limits;
    #entries = 0;
    #ended = false;
    #invalid;
    constructor(wanted, limits) {
        this.#wanted = wanted;
        this.#limits = limits;
        // Any ratio is too high for a compressed archive within the archive: a source never needs one.
        this.#parser = new index_min/* Parser */.iX({
            maxDecompressionRatio: 0,
            onwarn: (_code, message) => {
                this.#reject(message);
            },
        });
        this.#parser.on("abort", () => {
            this.#reject("it contains another compressed archive");
        });
        this.#parser.on("error", (error) => {
            this.#reject(error);
        });
        this.#parser.on("entry", (entry) => {
            this.#add(entry);
        });
        this.#parser.on("ignoredEntry", (entry) => {
            this.#reject(`${JSON.stringify(entry.path.slice(0, 200))} has a type that is not allowed`);
        });
        this.#parser.on("eof", () => {
            this.#ended = true;
        });
    }
    write(chunk) {
        // The parser would collect what follows the end of the archive.
        if (!this.#ended)
            this.#parser.write(chunk);
        this.#check();
    }
    end() {
        this.#parser.end();
        this.#check();
        if (this.#entries === 0)
            throw new ArchiveError("it is empty");
        return { tree: this.#tree, contents: this.#contents };
    }
    #add(entry) {
        this.#entries += 1;
        const reason = this.#tree.add(entry);
        if (reason !== undefined)
            this.#reject(reason);
        if (Math.max(this.#entries, this.#tree.size) > this.#limits.entries) {
            this.#reject(`it has more than ${String(this.#limits.entries)} entries`);
        }
        const path = entry.path.replace(/^(?:\.\/+)+/, "");
        if (entry.type.endsWith("File") && this.#invalid === undefined && this.#isWanted(path, entry.size)) {
            this.#keep(path, entry);
        }
        entry.resume();
    }
    #isWanted(path, size) {
        const { needed, spare } = this.#wanted;
        const isShort = size <= this.#limits.contentBytes;
        if (needed?.has(path) !== true)
            return isShort && spare?.has(path) === true;
        if (!isShort)
            this.#reject(`${JSON.stringify(path)} is larger than ${String(this.#limits.contentBytes)} bytes`);
        return isShort;
    }
    #keep(path, entry) {
        const chunks = [];
        entry.on("data", (chunk) => chunks.push(chunk));
        entry.on("end", () => this.#contents.set(path, Buffer.concat(chunks)));
    }
    #reject(reason) {
        this.#invalid ??= reason instanceof Error ? reason.message : reason;
    }
    #check() {
        if (this.#invalid !== undefined)
            throw new ArchiveError(this.#invalid);
    }
}
const GZIP_ERRORS = {
    Z_DATA_ERROR: "it is not a gzip file, or it is damaged",
    Z_BUF_ERROR: "it is truncated",
};
function archiveErrorOf(error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const message = GZIP_ERRORS[code];
    return message === undefined ? error : new ArchiveError(message, { cause: error });
}
/**
 * Extracts a `.tar.gz` into an empty directory. Returns the directory of its configuration file, relative to that one.
 * Rejects with ArchiveError, before anything is written, if the archive is damaged or hostile.
 */
async function extractArchive(file, { into, configPath, signal }) {
    const { tree } = await readArchive(file, {}, { signal });
    const project = tree.resolve(external_node_path_.posix.dirname(configPath));
    if (project?.kind !== "directory")
        throw new ArchiveError(`it has no directory ${external_node_path_.posix.dirname(configPath)}`);
    const unpacked = (0,index_min/* extract */.o6)({
        file,
        cwd: into,
        // A warning of `tar` is an error, too.
        strict: true,
        preserveOwner: false,
        // Without setuid, setgid and sticky bits: a program of the archive must not run as another user.
        onReadEntry: (entry) => {
            if (entry.mode !== undefined)
                entry.mode &= 0o777;
        },
        // Each link was checked by its text; two of them together may still lead outside.
        filter: (path, entry) => !("type" in entry) || entry.type !== "SymbolicLink" || tree.resolve(path) !== undefined,
    });
    await unpacked.catch((error) => {
        throw isTooLong(error) ? new ArchiveError("a path in it is too long for this machine", { cause: error }) : error;
    });
    return project.path;
}
// The path of the target directory counts, too.
function isTooLong(error) {
    return error instanceof Error && "code" in error && error.code === "ENAMETOOLONG";
}

// EXTERNAL MODULE: external "node:http"
var external_node_http_ = __webpack_require__(7067);
// EXTERNAL MODULE: external "node:timers/promises"
var external_node_timers_promises_ = __webpack_require__(8500);
;// CONCATENATED MODULE: ./src/local/http/error.js
/** An error response: its status, and `detail`, a sentence or a list of validation errors. */
class HttpError extends Error {
    status;
    detail;
    headers;
    constructor(status, detail, headers = {}) {
        super(typeof detail === "string" ? detail : "The request is invalid.");
        this.name = "HttpError";
        this.status = status;
        this.detail = detail;
        this.headers = headers;
    }
}
/** 404 with the id that was not found. */
function notFound(noun, id) {
    return new HttpError(404, `${noun} ID ${id} not found.`);
}
/** 413. The rest of the body is not read, so the connection closes. */
function tooLarge(limitBytes) {
    return new HttpError(413, `The body is larger than ${String(limitBytes)} bytes.`, { connection: "close" });
}
/** 422 with an HTTPValidationError body. */
function invalid(errors) {
    return new HttpError(422, errors);
}
/** The code of a system error, such as `ECONNRESET`; undefined for any other error. */
function errorCode(error) {
    return error instanceof Error && "code" in error ? String(error.code) : undefined;
}

;// CONCATENATED MODULE: ./src/local/agents/running-agent.js





const LOOK_MS = 20;
// Headers of one connection: RFC 9110 §7.6.1.
const HOP_BY_HOP = new Set([
    "connection",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "upgrade",
]);
/** An agent that takes requests until it is retired. */
class RunningAgent {
    deploymentId;
    port;
    #process;
    #directory;
    #inProgress = 0;
    #retired;
    constructor({ deploymentId, port, process, directory }) {
        this.deploymentId = deploymentId;
        this.port = port;
        this.#process = process;
        this.#directory = directory;
    }
    /** How its process ended; undefined while it runs. */
    get ending() {
        return this.#process.ending;
    }
    /** Counts a request in progress; call the returned function when it is over. */
    begin() {
        this.#inProgress += 1;
        return () => {
            this.#inProgress -= 1;
        };
    }
    /** Waits for the requests in progress, then stops the process; each may take the grace time. Removes its files. True if it was killed. */
    retire(graceMilliseconds) {
        return (this.#retired ??= this.#retire(graceMilliseconds));
    }
    async #retire(graceMilliseconds) {
        const deadline = performance.now() + graceMilliseconds;
        while (this.#inProgress > 0 && performance.now() < deadline)
            await (0,external_node_timers_promises_.setTimeout)(LOOK_MS);
        const forced = await this.#process.stop(graceMilliseconds);
        await removeDirectory(this.#directory);
        return forced;
    }
}
/** Removes the directory of an agent. Files that Windows still holds may stay. */
async function removeDirectory(path) {
    await (0,promises_.rm)(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
}
/**
 * Forwards a call to an agent, and streams its response back. `apiKey` is the service's own and is removed: an agent
 * is foreign code. Throws 503 if no agent runs, and 502 if it hangs up.
 */
async function forward(call, agent, apiKey) {
    if (agent === undefined) {
        throw new HttpError(503, "The agent is not running (yet); see the deploy log of the revision.", {
            "retry-after": "1",
        });
    }
    const upstream = (0,external_node_http_.request)({
        host: "127.0.0.1",
        port: agent.port,
        method: call.method,
        path: call.target,
        headers: requestHeaders(call.headers, apiKey),
        // A new connection: the agent may close one that is kept alive just as the next request is sent.
        agent: false,
        signal: call.signal,
    });
    upstream.once("close", agent.begin());
    const responded = new Promise((resolve, reject) => {
        upstream.once("response", resolve);
        upstream.on("error", reject);
    });
    // This also fails if the agent responds before it has read everything: then there is a response.
    (0,external_node_stream_promises_.pipeline)(call.body(Number.POSITIVE_INFINITY), upstream).catch(() => undefined);
    try {
        const response = await responded;
        return { status: response.statusCode ?? 502, headers: responseHeaders(response.headers), stream: response };
    }
    catch (error) {
        const why = agent.ending === undefined ? (errorCode(error) ?? "it hung up") : `its process ${agent.ending}`;
        throw new HttpError(502, `The agent did not respond: ${why}.`);
    }
}
function requestHeaders(headers, apiKey) {
    const kept = Object.entries(headers).filter(([name, value]) => !HOP_BY_HOP.has(name) &&
        name !== "host" &&
        // Node has already sent `100 Continue`.
        name !== "expect" &&
        !(apiKey !== undefined && typeof value === "string" && value.includes(apiKey)));
    return Object.fromEntries(kept);
}
function responseHeaders(headers) {
    return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => value === undefined || HOP_BY_HOP.has(name) || name === "transfer-encoding" ? [] : [[name, value]]));
}

// EXTERNAL MODULE: external "node:events"
var external_node_events_ = __webpack_require__(8474);
// EXTERNAL MODULE: external "node:net"
var external_node_net_ = __webpack_require__(7030);
// EXTERNAL MODULE: ../node_modules/undici/index.js
var undici = __webpack_require__(734);
// EXTERNAL MODULE: ./src/contract/spare.js
var spare = __webpack_require__(5848);
;// CONCATENATED MODULE: ./src/contract/agent-server.js


/** What an agent server answers about itself; a server may leave any of it out. */
const AgentServerInfo = schemas/* looseObject */._H3({
    version: (0,spare/* spare */.i)(schemas/* string */.YjP()),
    host: (0,spare/* spare */.i)(schemas/* looseObject */._H3({
        /** The revision that serves, where the platform passes it to the agent server. */
        host_revision_id: (0,spare/* spare */.i)(schemas/* string */.YjP()),
    })),
});
/** A configured instance of a graph. */
const Assistant = schemas/* looseObject */._H3({
    assistant_id: schemas/* string */.YjP(),
    graph_id: schemas/* string */.YjP(),
    name: (0,spare/* spare */.i)(schemas/* string */.YjP()),
    metadata: (0,spare/* spare */.i)(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())),
});
/** The body of POST /assistants/count. */
const AssistantCount = schemas/* looseObject */._H3({
    metadata: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J()).nullish(),
    graph_id: schemas/* string */.YjP().nullish(),
});
/** The body of POST /assistants/search. */
const AssistantSearch = AssistantCount.extend({
    limit: schemas/* number */.aig().int().min(1).max(1000).optional(),
    offset: schemas/* number */.aig().int().min(0).optional(),
});
const JsonSchema = (0,spare/* spare */.i)(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J()));
/** What a graph takes and gives, as JSON Schemas; null where the server does not know. */
const GraphSchemas = schemas/* looseObject */._H3({
    graph_id: (0,spare/* spare */.i)(schemas/* string */.YjP()),
    input_schema: JsonSchema,
    output_schema: JsonSchema,
    state_schema: JsonSchema,
    config_schema: JsonSchema,
    context_schema: JsonSchema,
});
const NodeId = schemas/* union */.KCZ([schemas/* string */.YjP(), schemas/* number */.aig()]);
/** The nodes of a graph, and how they follow each other. */
const AssistantGraph = schemas/* looseObject */._H3({
    nodes: schemas/* array */.YOg(schemas/* looseObject */._H3({ id: NodeId })),
    edges: schemas/* array */.YOg(schemas/* looseObject */._H3({ source: NodeId, target: NodeId })),
});
/** The body of POST /runs/wait and /runs/stream; servers know more fields than these. */
const RunCreate = schemas/* looseObject */._H3({
    /** The id of an assistant, or that of a graph for the assistant that the server made for it. */
    assistant_id: schemas/* string */.YjP(),
    /** What the graph begins with: an object for nearly all graphs. */
    input: schemas/* unknown */.L5J().optional(),
    config: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J()).optional(),
    context: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J()).optional(),
    metadata: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J()).optional(),
    /** What a stream sends: `values` (the state after each step), `updates` (what each step changed) and others. */
    stream_mode: schemas/* union */.KCZ([schemas/* string */.YjP(), schemas/* array */.YOg(schemas/* string */.YjP())]).optional(),
});

// EXTERNAL MODULE: external "node:child_process"
var external_node_child_process_ = __webpack_require__(1421);
// EXTERNAL MODULE: external "node:process"
var external_node_process_ = __webpack_require__(1708);
// EXTERNAL MODULE: ./src/text/foreign-text.js
var foreign_text = __webpack_require__(4252);
// EXTERNAL MODULE: ./src/text/secret-mask.js
var secret_mask = __webpack_require__(5433);
;// CONCATENATED MODULE: ./src/local/agents/process.js



// Node has no other way to reach a whole process group; nothing else of the process is used here.
// eslint-disable-next-line no-restricted-imports





const process_LOOK_MS = 20;
// For the rest in the pipes after the end; a process that left the group may hold them open.
const LAST_LINES_MS = 500;
const WINDOWS = (0,external_node_os_.platform)() === "win32";
// On Windows taskkill ends a tree of processes instead of a group.
const OWN_GROUP = { detached: !WINDOWS, windowsHide: true };
// A longer line is cut: endless output must not fill the memory.
const LINE_LIMIT = 4_000;
// The most characters that one character of a secret takes: UTF-8 in a URL.
const LONGEST_SPELLING = 12;
/** The process of an agent and its children. They share a process group, and end together. */
class AgentProcess {
    /** Resolves after the end, when the output is read, e.g. with `ended with exit code 3`. */
    ended;
    #pid;
    #ending;
    #stopping;
    constructor(pid, ended) {
        this.#pid = pid;
        this.ended = ended.then((ending) => (this.#ending = ending));
    }
    /** Never throws: a failure to start is an ending, too. */
    static start({ invocation, directory, environment, secrets, onLine }) {
        const { program, args } = invocation;
        try {
            const child = (0,external_node_child_process_.spawn)(program, args, {
                ...OWN_GROUP,
                cwd: directory,
                env: { ...environment, ...invocation.environment },
                stdio: ["ignore", "pipe", "pipe"],
            });
            for (const stream of [child.stdout, child.stderr])
                readLines(stream, secrets, onLine);
            return new AgentProcess(child.pid, endOf(child, program));
        }
        catch (error) {
            // Node's message quotes the invalid value, which may be a secret: keep only the code.
            return new AgentProcess(undefined, Promise.resolve(`could not be started (${errorCode(error) ?? "unknown error"})`));
        }
    }
    /** How it ended; undefined while it runs. */
    get ending() {
        return this.#ending;
    }
    /** Sends SIGTERM, and SIGKILL after the grace time. Resolves after the end, with true if it was killed. */
    stop(graceMilliseconds) {
        return (this.#stopping ??= this.#stop(graceMilliseconds));
    }
    async #stop(graceMilliseconds) {
        let forced = false;
        // After its end another process may have its pid.
        if (this.#pid !== undefined && this.#ending === undefined) {
            signalGroup(this.#pid, "SIGTERM");
            const deadline = performance.now() + graceMilliseconds;
            while (isGroupAlive(this.#pid) && performance.now() < deadline)
                await (0,external_node_timers_promises_.setTimeout)(process_LOOK_MS);
            forced = isGroupAlive(this.#pid);
            signalGroup(this.#pid, "SIGKILL");
        }
        await this.ended;
        return forced;
    }
}
async function endOf(child, program) {
    const closed = (0,external_node_events_.once)(child, "close").catch(() => undefined);
    const ending = await new Promise((resolve) => {
        child.once("exit", (code, signal) => {
            resolve(code === null ? `was ended by ${String(signal)}` : `ended with exit code ${String(code)}`);
        });
        child.once("error", (error) => {
            const code = errorCode(error) ?? "unknown error";
            resolve(`could not be started (${code === "ENOENT" ? `no program ${program}` : code})`);
        });
    });
    // Its children must not outlive it.
    if (child.pid !== undefined)
        signalGroup(child.pid, "SIGKILL");
    const late = new AbortController();
    await Promise.race([closed, (0,external_node_timers_promises_.setTimeout)(LAST_LINES_MS, undefined, { signal: late.signal }).catch(() => undefined)]);
    late.abort();
    for (const stream of [child.stdout, child.stderr])
        stream.removeAllListeners("data").destroy();
    return ending;
}
function signalGroup(leader, signal) {
    if (WINDOWS) {
        // Windows has no SIGTERM.
        (0,external_node_child_process_.spawn)("taskkill", ["/pid", String(leader), "/T", "/F"], { stdio: "ignore" }).on("error", () => undefined);
        return;
    }
    try {
        (0,external_node_process_.kill)(-leader, signal);
    }
    catch {
        // ESRCH: the group has ended. EPERM: macOS reports it for a group of zombies.
    }
}
function isGroupAlive(leader) {
    try {
        (0,external_node_process_.kill)(WINDOWS ? leader : -leader, 0);
        return true;
    }
    catch (error) {
        return errorCode(error) === "EPERM";
    }
}
/** Calls `take` for each line of the stream, without colours, control characters and secrets. */
function readLines(stream, secrets, take) {
    const mask = new secret_mask/* SecretMask */.f();
    let longest = 0;
    for (const secret of secrets) {
        mask.add(secret);
        longest = Math.max(longest, secret.length);
    }
    const clean = new foreign_text/* ForeignText */.s((text) => mask.text(text));
    const give = (text) => {
        for (const line of clean.lines(text, LINE_LIMIT))
            if (line !== "")
                take(line);
    };
    // Hold back what may be the beginning of a secret, so that no secret is printed in two parts.
    const kept = longest * LONGEST_SPELLING;
    let rest = "";
    stream.setEncoding("utf8");
    stream.on("data", (chunk) => {
        const lines = (rest + chunk).split(/[\r\n]+/);
        rest = lines.pop() ?? "";
        for (const line of lines)
            give(line);
        if (rest.length <= 2 * LINE_LIMIT + kept)
            return;
        const whole = mask.text(rest);
        const end = Math.max(0, whole.length - kept);
        give(whole.slice(0, end));
        rest = whole.slice(end);
    });
    stream.on("end", () => {
        give(rest);
    });
    // The pipe breaks at the end of the process, which `ended` reports.
    stream.on("error", () => undefined);
}

;// CONCATENATED MODULE: ./src/local/agents/start.js






/** The agent could not be started; the message is a sentence. */
class AgentStartError extends Error {
    name = "AgentStartError";
}
const PORTS_TRIED = 3;
const start_LOOK_MS = 50;
const RESPONSE_MS = 2_000;
// /ok and /info have some hundred bytes; in two seconds an agent could send gigabytes.
const RESPONSE_LIMIT_BYTES = 1024 * 1024;
const LAST_LINES = 4;
/** Agent servers print this when they move to another port instead of failing. */
const PORT_TAKEN = /\bEADDRINUSE\b|\bport \d+ (?:is )?(?:already )?in use\b|\baddress already in use\b/i;
/**
 * Starts an agent on a free port, and waits until it responds there. Rejects with AgentStartError if it ends before
 * that or times out, and with the signal's reason; no process is left then.
 */
async function startAgent(options) {
    const { freePort = chooseFreePort, log } = options;
    const deadline = performance.now() + options.startMilliseconds;
    for (let tried = 0; tried < PORTS_TRIED; tried += 1) {
        const port = await freePort();
        const process = await tryPort(port, deadline, options);
        if (process !== undefined)
            return { port, process };
        log("WARNING", `Port ${String(port)} was taken by another program in the meantime.`);
    }
    throw new AgentStartError(`The agent got none of ${String(PORTS_TRIED)} ports, or does not use the port that it is given.`);
}
// Undefined if the port turns out to be in use.
async function tryPort(port, deadline, options) {
    const { command, directory, revisionId, environment, secrets, graceMilliseconds, log } = options;
    if ((await responseOf(port, "/ok", options.signal)) !== undefined)
        return undefined;
    const start = { port, deadline, taken: false, lines: [] };
    log("INFO", `Starting the agent on port ${String(port)}.`);
    const process = AgentProcess.start({
        invocation: command.at({ port, directory, revisionId }),
        directory,
        environment: { ...environment, PORT: String(port) },
        secrets,
        onLine: (line) => {
            log("INFO", line);
            if (PORT_TAKEN.test(line))
                start.taken = true;
            start.lines.push(line);
            if (start.lines.length > LAST_LINES)
                start.lines.shift();
        },
    });
    try {
        if (await isReady(process, start, options))
            return process;
    }
    catch (error) {
        await process.stop(graceMilliseconds);
        throw error;
    }
    await process.stop(graceMilliseconds);
    return undefined;
}
async function isReady(process, start, options) {
    const { port, deadline, lines } = start;
    const { revisionId, signal, startMilliseconds } = options;
    const fail = (what) => new AgentStartError(`The agent ${what}.${lines.length === 0 ? "" : ` Its last lines: ${lines.join(" / ")}`}`);
    while (!start.taken) {
        signal.throwIfAborted();
        if (process.ending !== undefined)
            throw fail(`${process.ending} before it responded`);
        if (performance.now() > deadline) {
            throw fail(`did not respond to /ok at 127.0.0.1:${String(port)} within ${String(startMilliseconds / 1000)} s`);
        }
        if (!isWell((await responseOf(port, "/ok", signal))?.status)) {
            await (0,external_node_timers_promises_.setTimeout)(start_LOOK_MS, undefined, { signal });
            continue;
        }
        if (await isStranger(port, revisionId, signal))
            return false;
        // If another program has this port, the agent may have printed it, or ended, during that response.
        if (isAlive(process))
            return !hasMoved(start);
    }
    return false;
}
// Functions, because the compiler does not see what an await may change.
function isAlive(process) {
    return process.ending === undefined;
}
function hasMoved(start) {
    return start.taken;
}
// With the project's own authentication some servers guard even /ok.
function isWell(status) {
    return status === 200 || status === 401 || status === 403;
}
// A server that reports a revision reports the one from its environment; many report none.
async function isStranger(port, revisionId, signal) {
    const response = await responseOf(port, "/info", signal);
    const info = AgentServerInfo.safeParse(response?.status === 200 ? response.json : undefined);
    const reported = info.success ? info.data.host?.host_revision_id : undefined;
    return reported != null && reported !== revisionId;
}
// Undefined if there is no response.
async function responseOf(port, path, signal) {
    try {
        const { statusCode: status, body } = await (0,undici/* request */.Em)(`http://127.0.0.1:${String(port)}${path}`, {
            // An idle connection would keep the agent from ending when it is asked to.
            reset: true,
            headersTimeout: RESPONSE_MS,
            bodyTimeout: RESPONSE_MS,
            signal: AbortSignal.any([signal, AbortSignal.timeout(RESPONSE_MS)]),
        });
        return { status, json: parse(await textOf(body)) };
    }
    catch {
        return undefined;
    }
}
async function textOf(body) {
    const chunks = [];
    let bytes = 0;
    for await (const chunk of body) {
        bytes += chunk.byteLength;
        if (bytes > RESPONSE_LIMIT_BYTES)
            throw new Error("The response is too large.");
        chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString("utf8");
}
function parse(text) {
    try {
        return JSON.parse(text);
    }
    catch {
        return undefined;
    }
}
async function chooseFreePort() {
    const server = (0,external_node_net_.createServer)();
    server.listen(0, "127.0.0.1");
    await (0,external_node_events_.once)(server, "listening");
    const address = server.address();
    server.close();
    await (0,external_node_events_.once)(server, "close");
    if (address === null || typeof address === "string")
        throw new Error("The system gave no port.");
    return address.port;
}

;// CONCATENATED MODULE: ./src/local/agents/agents.js








// Limits the log of an agent that runs for days.
const KEPT_LINES = 5_000;
const LINES_BETWEEN_TRIMS = 500;
/** The processes of the agents: one for each serving deployment, and a second one while a revision takes over. */
class Agents {
    /** Each start uses the values of that moment. */
    secrets = new SecretValues();
    #options;
    #starts = new Map();
    /** All running agents, by revision. */
    #agents = new Map();
    /** The serving agents, by deployment. */
    #serving = new Map();
    #root;
    constructor(options) {
        this.#options = options;
    }
    /**
     * Extracts the revision's source and starts it beside the serving agent. Returns why that failed; undefined if it
     * runs. Rejects with the signal's reason.
     */
    async start(revision, signal) {
        const cancel = new AbortController();
        const signals = signal === undefined ? [cancel.signal] : [cancel.signal, signal];
        const started = this.#start(revision, AbortSignal.any(signals));
        this.#starts.set(revision.id, {
            deploymentId: revision.deployment_id,
            cancel,
            settled: started.catch(() => undefined),
        });
        try {
            this.#agents.set(revision.id, await started);
            return undefined;
        }
        catch (error) {
            signal?.throwIfAborted();
            if (error instanceof ArchiveError)
                return `The archive is invalid: ${error.message}.`;
            if (error instanceof AgentStartError)
                return error.message;
            if (cancel.signal.aborted)
                return "The agent was stopped before it responded.";
            throw error;
        }
        finally {
            this.#starts.delete(revision.id);
        }
    }
    /** Sends requests to this revision's agent from now on. The previous agent ends after its last response. */
    serve(deploymentId, revisionId) {
        const agent = this.#agents.get(revisionId);
        const before = this.#serving.get(deploymentId);
        if (agent === undefined || agent === before)
            return;
        this.#serving.set(deploymentId, agent);
        // An end before this moment was not logged.
        if (agent.ending !== undefined)
            this.#log(revisionId, "ERROR", `The agent ${agent.ending}.`);
        if (before !== undefined)
            void this.#retire(before);
    }
    /** Starts the agent that served before a restart, unless a newer one serves by then. */
    async resume(revision) {
        const failure = await this.start(revision);
        if (failure !== undefined)
            this.#log(revision.id, "ERROR", failure);
        else if (this.#serving.has(revision.deployment_id))
            await this.drop(revision.id);
        else
            this.serve(revision.deployment_id, revision.id);
    }
    /** The serving agent of a deployment; undefined until one is started. */
    serving(deploymentId) {
        return this.#serving.get(deploymentId);
    }
    /** Ends a revision's agent that was started but does not serve. */
    async drop(revisionId) {
        const agent = this.#agents.get(revisionId);
        if (agent !== undefined && this.#serving.get(agent.deploymentId) !== agent)
            await this.#retire(agent);
    }
    /** Ends all agents of a deployment. */
    async remove(deploymentId) {
        await this.#end((id) => id === deploymentId);
        this.secrets.remove(deploymentId);
    }
    /** Ends all agents. */
    async close() {
        await this.#end(() => true);
        if (this.#root !== undefined)
            (0,external_node_fs_.rmSync)(this.#root, { recursive: true, force: true });
    }
    async #end(isMeant) {
        const starts = [...this.#starts.values()].filter(({ deploymentId }) => isMeant(deploymentId));
        for (const { cancel } of starts)
            cancel.abort();
        await Promise.all(starts.map(({ settled }) => settled));
        const agents = [...this.#agents.values()].filter(({ deploymentId }) => isMeant(deploymentId));
        await Promise.all(agents.map((agent) => this.#retire(agent)));
    }
    async #retire(agent) {
        const { deployments, graceMilliseconds, log } = this.#options;
        if (this.#serving.get(agent.deploymentId) === agent)
            this.#serving.delete(agent.deploymentId);
        const [id = ""] = [...this.#agents].find(([, other]) => other === agent) ?? [];
        try {
            const forced = await agent.retire(graceMilliseconds);
            const how = forced ? `was killed, ${String(graceMilliseconds / 1000)} s after SIGTERM` : "stopped";
            this.#log(id, forced ? "WARNING" : "INFO", `The agent ${how}.`);
        }
        catch (error) {
            log(`${deployments.get(agent.deploymentId)?.name ?? ""}: could not stop its agent: ${String(error)}`);
        }
        this.#agents.delete(id);
    }
    async #start(revision, signal) {
        const { command, objects, startMilliseconds, graceMilliseconds } = this.#options;
        const { id: revisionId, deployment_id: deploymentId, config } = revision;
        const file = objects.file(config.source_tarball_path ?? "");
        if (file === undefined)
            throw new AgentStartError("The source tarball is missing.");
        const directory = (0,external_node_fs_.mkdtempSync)((0,external_node_path_.join)(this.#directory(), `${revisionId}-`));
        try {
            const configPath = external_node_path_.posix.normalize(config.graph_config_path ?? DEFAULT_GRAPH_CONFIG);
            const project = await extractArchive(file, { into: directory, configPath, signal });
            const secrets = this.#secretsOf(revision);
            const { port, process } = await startAgent({
                command,
                directory: (0,external_node_path_.join)(directory, project),
                revisionId,
                environment: {
                    ...this.#options.environment,
                    ...Object.fromEntries(secrets),
                    GRAPH_HOST_REVISION_ID: revisionId,
                    GRAPH_HOST_PROJECT_ID: deploymentId,
                },
                secrets: [...secrets.values()],
                startMilliseconds,
                graceMilliseconds,
                log: this.#lineLogger(revisionId),
                signal,
            });
            const agent = new RunningAgent({ deploymentId, port, process, directory });
            void process.ended.then((ending) => {
                if (this.#serving.get(deploymentId) === agent)
                    this.#log(revisionId, "ERROR", `The agent ${ending}.`);
            });
            return agent;
        }
        catch (error) {
            await removeDirectory(directory);
            throw error;
        }
    }
    #secretsOf({ id, deployment_id }) {
        const names = this.#options.deployments.get(deployment_id)?.secret_names ?? [];
        const values = this.secrets.of(deployment_id);
        if (values === undefined && names.length > 0) {
            this.#log(id, "WARNING", `The agent runs without its secrets (${names.join(", ")}): a restart of the service loses their values. Set them again.`);
        }
        // An invalid name cannot be set in an environment; the platform would reject it.
        return new Map([...(values ?? [])].filter(([name]) => isSecretName(name)));
    }
    #lineLogger(revisionId) {
        let lines = 0;
        return (level, line) => {
            this.#log(revisionId, level, line);
            lines += 1;
            if (lines % LINES_BETWEEN_TRIMS === 0)
                this.#options.logs.trim(revisionId, "deploy", KEPT_LINES);
        };
    }
    #log(revisionId, level, line) {
        this.#options.logs.append(revisionId, "deploy", level, line);
    }
    #directory() {
        if (this.#root !== undefined)
            return this.#root;
        const { dataDirectory } = this.#options;
        if (dataDirectory === undefined)
            this.#root = (0,external_node_fs_.mkdtempSync)((0,external_node_path_.join)((0,external_node_os_.tmpdir)(), "graph-deploy-agents-"));
        else {
            this.#root = (0,external_node_path_.join)(dataDirectory, "agents");
            // Left over from a service that was killed: the state is locked, so no other service uses it.
            (0,external_node_fs_.rmSync)(this.#root, { recursive: true, force: true });
            (0,external_node_fs_.mkdirSync)(this.#root, { recursive: true, mode: 0o700 });
        }
        return this.#root;
    }
}
/** The secrets of the deployments, for the processes of the agents; in memory only, since a file could leak. */
class SecretValues {
    #values = new Map();
    /** Replaces all secrets of a deployment. */
    set(deploymentId, secrets) {
        this.#values.set(deploymentId, new Map(secrets.map(({ name, value }) => [name, value ?? ""])));
    }
    /** By name; undefined if they were set before a restart, or never. */
    of(deploymentId) {
        return this.#values.get(deploymentId);
    }
    remove(deploymentId) {
        this.#values.delete(deploymentId);
    }
}

;// CONCATENATED MODULE: ./src/local/agents/command.js

/** The command that runs the agents is invalid. */
class AgentCommandError extends graph_deploy_error/* GraphDeployError */.k {
    code = "LOCAL_AGENT_COMMAND";
}
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s;
/**
 * The command that runs an agent: `NAME=value … program argument …`, with `{port}`, `{dir}` and `{revision}` in any
 * word. It does not go through a shell, because a path within an uploaded project is foreign text.
 */
class AgentCommand {
    #assignments;
    #program;
    #args;
    constructor(words, program) {
        this.#assignments = words.slice(0, program).map((word) => {
            const [, name = "", value = ""] = ASSIGNMENT.exec(word) ?? [];
            return [name, value];
        });
        this.#program = words[program] ?? "";
        this.#args = words.slice(program + 1);
    }
    /** Throws AgentCommandError. */
    static parse(text) {
        const words = splitWords(text);
        const program = words.findIndex((word) => !ASSIGNMENT.test(word));
        if (program === -1 || words[program] === "")
            throw new AgentCommandError("The agent command does not name a program.");
        return new AgentCommand(words, program);
    }
    at(place) {
        return {
            program: fill(this.#program, place),
            args: this.#args.map((word) => fill(word, place)),
            environment: Object.fromEntries(this.#assignments.map(([name, value]) => [name, fill(value, place)])),
        };
    }
}
// A backslash is an ordinary character, as in Windows paths.
function splitWords(text) {
    const words = [];
    const pieces = text.matchAll(/(\s+)|'([^']*)'|"([^"]*)"|(["'])|([^\s"']+)/g);
    let word;
    for (const [, blank, single, double, open, bare] of pieces) {
        if (open !== undefined)
            throw new AgentCommandError(`The agent command has an unclosed ${open}.`);
        if (blank === undefined)
            word = (word ?? "") + (single ?? double ?? bare ?? "");
        else if (word !== undefined) {
            words.push(word);
            word = undefined;
        }
    }
    return word === undefined ? words : [...words, word];
}
function fill(word, { port, directory, revisionId }) {
    const values = { port: String(port), dir: directory, revision: revisionId };
    return word.replace(/\{(port|dir|revision)\}/g, (placeholder, name) => values[name] ?? placeholder);
}

// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
;// CONCATENATED MODULE: ./src/text/html.js
/** Text as HTML, for elements and for attributes in quotes. */
function escapeHtml(text) {
    return text.replace(/[&<>"']/g, (character) => `&#${String(character.charCodeAt(0))};`);
}

;// CONCATENATED MODULE: ./src/local/pages/html.js


// The longest name in headings, links and tables.
const NAME_CHARACTERS = 120;
// The longest heading of a column.
const HEADING_CHARACTERS = 40;
// After a mark that joins words, and within a word that is wider than a column.
const NAME_BREAKS = /(?<=[_.:])(?=[^/])|(?<=[^/:\s])(?=\/)|(?<=[A-Za-z0-9]{16})(?=[A-Za-z0-9])/;
/** The first characters of a text, without half a surrogate pair at the end. */
function beginning(text, characters) {
    return text.slice(0, characters).replace(/[\ud800-\udbff]$/, "");
}
/** A foreign name as text; a long one is cut. */
function nameText(name, characters = NAME_CHARACTERS) {
    // An ellipsis is no longer than the character that it replaces.
    return (0,foreign_text/* cut */.J)(name, characters + 1);
}
/** A foreign name as HTML, cut like `nameText`. A narrow column may break it after marks and within long words. */
function nameHtml(name, characters = NAME_CHARACTERS) {
    return nameText(name, characters).split(NAME_BREAKS).map(escapeHtml).join("<wbr>");
}
/** A link. Only web addresses and paths become links; other text stays text. */
function html_link(href, text, title = "") {
    // An address stays in one piece, so that it can be read and copied.
    const name = text === href ? escapeHtml(nameText(text)) : nameHtml(text);
    if (!/^(?:https?:\/\/|\/(?!\/))/.test(href))
        return name;
    return `<a href="${escapeHtml(href)}"${title === "" ? "" : ` title="${escapeHtml(title)}"`}>${name}</a>`;
}
/** A table that scrolls if it is wider than the page. The cells are HTML; `label` names it for screen readers. */
function table(label, columns, rows) {
    return scrolling(`<table aria-label="${escapeHtml(label)}">`, columns, rows, ' tabindex="0" role="region"');
}
/** A table whose rows lead to pages: the link in the first cell takes clicks anywhere in its row. */
function linkTable(label, columns, rows) {
    return scrolling(`<table class="rows" aria-label="${escapeHtml(label)}">`, columns, rows);
}
function endpointTable(label, endpoints) {
    const rows = endpoints.map(([endpoint, what]) => [`<code>${nameHtml(endpoint)}</code>`, escapeHtml(what)]);
    return table(label, ["Endpoint", { text: "What it does" }], rows);
}
function scrolling(open, columns, rows, reach = "") {
    const shown = columns.map((column) => {
        if (typeof column === "string")
            return { heading: column, kind: "" };
        return "number" in column
            ? { heading: column.number, kind: ' class="n"' }
            : { heading: column.text, kind: ' class="t"' };
    });
    const heads = shown.map(({ heading, kind }) => `<th scope="col"${kind}>${nameHtml(heading, HEADING_CHARACTERS)}</th>`);
    const lines = rows.map((cells) => `<tr>${cells.map((cell, index) => `<td${shown[index]?.kind ?? ""}>${cell}</td>`).join("")}</tr>`);
    return `<div class="scroll"${reach}>${open}\n<tr>${heads.join("")}</tr>\n${lines.join("\n")}\n</table></div>`;
}
/** Names and values as HTML. The names are text, the values HTML; empty values are left out. */
function factList(facts) {
    return `<dl class="facts">${facts.map(([name, html]) => field(name, html)).join("")}</dl>`;
}
function field(name, html) {
    return html === "" ? "" : `<div><dt>${escapeHtml(name)}</dt><dd>${html}</dd></div>`;
}
/** A status in one word; the colour only repeats the word. */
function badge(kind, word) {
    return `<b class="badge ${kind}">${escapeHtml(word)}</b>`;
}
/** The first characters of an id, for a table. */
function shortId(id) {
    return beginning(id, 8);
}
/** The position in a list and links to its other pages, as HTML. `path` is the address of the list. */
function pager(path, noun, { offset, limit, total }) {
    if (total === 0)
        return `<p class="soft">No ${noun}.</p>`;
    const at = (start) => `${path}${path.includes("?") ? "&" : "?"}offset=${String(start)}`;
    // The offset of an old address may lie beyond the end.
    const last = Math.floor((total - 1) / limit) * limit;
    const items = `${String(offset + 1)} to ${String(Math.min(offset + limit, total))}`;
    const heading = noun.charAt(0).toUpperCase() + noun.slice(1);
    const position = offset < total ? `${heading} ${items} of ${String(total)}` : `No ${noun} here, ${String(total)} in all`;
    const parts = [
        `<span>${position}</span>`,
        offset > 0 ? html_link(at(0), "first") : "",
        offset > 0 ? html_link(at(Math.min(last, Math.max(0, offset - limit))), "previous") : "",
        offset + limit < total ? html_link(at(offset + limit), "next") : "",
        offset < last ? html_link(at(last), "last") : "",
    ];
    return `<nav aria-label="Pages of ${noun}">${parts.join(" ")}</nav>`;
}

;// CONCATENATED MODULE: ./src/local/pages/paths.js
// The paths of the pages, relative to the URL of the service.
/** The first page. */
const DEPLOYMENTS_PATH = "/";
/** Stands for any tenant: every tenant has all pages. */
const ANY_TENANT = "-";
function deploymentPath(tenantId, deploymentId) {
    return `${ofTenant(tenantId)}/host/deployments/${deploymentId}`;
}
function revisionPath(tenantId, deploymentId, revisionId) {
    return `${deploymentPath(tenantId, deploymentId)}/revisions/${revisionId}`;
}
function datasetsPath(tenantId) {
    return `${ofTenant(tenantId)}/datasets`;
}
function datasetPath(tenantId, datasetId) {
    return `${datasetsPath(tenantId)}/${datasetId}`;
}
/** The page of one experiment, or the comparison of two. */
function comparePath(tenantId, datasetId, experimentIds) {
    return `${datasetPath(tenantId, datasetId)}/compare?selectedSessions=${experimentIds.join(",")}`;
}
function projectsPath(tenantId) {
    return `${ofTenant(tenantId)}/projects`;
}
function projectPath(tenantId, projectId) {
    return `${projectsPath(tenantId)}/p/${projectId}`;
}
function tracePath(tenantId, projectId, traceId) {
    return `${projectPath(tenantId, projectId)}/r/${traceId}`;
}
function isPagePath(path) {
    return path === DEPLOYMENTS_PATH || path.startsWith("/o/");
}
function ofTenant(tenantId) {
    return `/o/${encodeURIComponent(tenantId)}`;
}

;// CONCATENATED MODULE: ./src/local/pages/frame.js



// Light or dark as the system is, and readable on a narrow window. Nothing is loaded for it.
const STYLE = `
  :root {
    color-scheme: light dark;
    --paper: #fff; --ink: #1c1e21; --soft: #5c636d; --line: #d9dce1; --card: #f6f7f9; --link: #0b57d0;
    --worse: #b3261e; --worse-back: #fdecea; --better: #17692f; --better-back: #e6f4ea; --warn: #855100; --busy-back: #e4edfd;
  }
  @media (prefers-color-scheme: dark) {
    :root {
      --paper: #15171a; --ink: #e4e6ea; --soft: #9aa2ad; --line: #363b43; --card: #1e2126; --link: #8ab4f8;
      --worse: #ffaaa2; --worse-back: #3d1c19; --better: #84d99b; --better-back: #17331f; --warn: #f0c274; --busy-back: #1b2c4a;
    }
  }
  body { font: 15px/1.45 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0; }
  main, .top nav { max-width: 84rem; margin: 0 auto; padding: 0 1rem; } main { padding-bottom: 4rem; }
  h1 { font-size: 1.35rem; line-height: 1.25; margin: 1rem 0 .75rem; } h2 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; } h3 { font-size: 1rem; margin: 0; }
  h1, h2, h3, p, a, code, dt, dd { overflow-wrap: anywhere; } p { max-width: 50rem; margin: .6rem 0; }
  a { color: var(--link); text-underline-offset: .15em; } :focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
  /* Right-to-left text must not turn what is beside it. */
  a, code, h1, h3, p, li, td, th, dt, dd, summary, option, strong { unicode-bidi: isolate; }
  .skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; background: var(--paper); padding: .5rem; }
  .top { border-bottom: 1px solid var(--line); background: var(--card); }
  .top nav { display: flex; gap: 0 1.5rem; }
  .top a { color: var(--soft); text-decoration: none; padding: .6rem 0; border-bottom: 2px solid transparent; } .top a:hover { color: var(--link); }
  .top a[aria-current] { color: var(--ink); font-weight: 600; border-color: var(--link); }
  main nav { margin: .75rem 0; display: flex; flex-wrap: wrap; gap: .25rem 1rem; color: var(--soft); }
  main nav.trail { margin: 1rem 0 -.75rem; font-size: .875rem; gap: .25rem .5rem; }
  .scroll { overflow-x: auto; position: relative; }
  table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
  th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid var(--line); vertical-align: baseline; }
  th { font-size: .8rem; font-weight: 600; color: var(--soft); vertical-align: bottom; min-width: 3.5rem; max-width: 9rem; }
  td, th, td a, td code { overflow-wrap: break-word; } td:first-child { min-width: 7rem; } td.t { min-width: 14rem; }
  th.n, td.n { text-align: right; } td.n, td b, td time, .badge { white-space: nowrap; }
  /* The link in the first cell takes clicks anywhere in its row; the clip keeps it within the row. */
  .rows { width: 100%; } .rows td + td a { white-space: nowrap; }
  .rows tr { position: relative; clip-path: inset(0); } .rows td:first-child a { font-weight: 600; text-decoration: none; }
  .rows td:first-child a::after { content: ""; position: absolute; inset: 0; } .rows td + td a { position: relative; z-index: 1; }
  .rows tr:hover td, .rows tr:focus-within td { background: var(--card); } .rows tr:hover td:first-child a { text-decoration: underline; }
  .rows td:first-child a:focus-visible { outline: none; } .rows td:first-child a:focus-visible::after { outline: 2px solid var(--link); outline-offset: -2px; }
  .badge { font-size: .8rem; font-weight: 600; padding: .1rem .5rem; border-radius: 1rem; background: var(--card); color: var(--soft); }
  .badge.good { background: var(--better-back); color: var(--better); } .badge.bad { background: var(--worse-back); color: var(--worse); }
  .badge.busy { background: var(--busy-back); color: var(--link); }
  .facts { display: flex; flex-wrap: wrap; gap: .6rem 2rem; margin: .75rem 0; } .facts > div { max-width: 100%; }
  dl { margin: 0; } dt { color: var(--soft); font-size: .8rem; } dd { margin: 0; font-variant-numeric: tabular-nums; }
  code, pre, .log { font: .8125rem/1.5 ui-monospace, monospace; } .prose { white-space: pre-line; }
  pre, .log { background: var(--card); padding: .5rem .7rem; margin: 0; border-radius: 4px; }
  pre { overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
  /* Reversed, so that a scrolling box shows its end first. */
  .log { display: flex; flex-direction: column-reverse; max-height: 32rem; overflow: auto; }
  .log ol { list-style: none; margin: 0; padding: 0; } .log li { white-space: pre-wrap; overflow-wrap: anywhere; padding-left: 1.5rem; text-indent: -1.5rem; }
  .log time { color: var(--soft); } .log b { font-weight: 400; } .warn { color: var(--warn); }
  details pre { max-height: 32rem; } details[open] > summary > pre { display: none; }
  summary { display: block; cursor: pointer; color: var(--link); font-size: .8125rem; } summary pre { color: var(--ink); font-size: 1em; }
  details[open] > summary > .more, details:not([open]) > summary > .less { display: none; }
  form { display: flex; flex-wrap: wrap; gap: .6rem 1rem; align-items: end; } label { color: var(--soft); font-size: .8rem; }
  select { display: block; max-width: min(24rem, 90vw); } select, button { font: inherit; font-size: .9375rem; padding: .3rem .6rem; }
  .soft { color: var(--soft); font-weight: 400; }
  .worse { color: var(--worse); } .better { color: var(--better); }
  article { border: 1px solid var(--line); border-left-width: 4px; border-radius: 6px; padding: .5rem .75rem .75rem; margin: .75rem 0; }
  article.worse { border-left-color: var(--worse); } article.better { border-left-color: var(--better); }
  article.worse, article.better { color: var(--ink); } article:target { outline: 2px solid var(--link); }
  article header { display: flex; flex-wrap: wrap; gap: .2rem 1rem; align-items: baseline; } article h3 a { text-decoration: none; } article h3 a:hover { text-decoration: underline; }
  ul.scores { list-style: none; display: flex; flex-wrap: wrap; gap: .35rem; margin: .4rem 0; padding: 0; font-size: .875rem; }
  ul.scores li { padding: .05rem .5rem; border-radius: 4px; background: var(--card); overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
  ul.scores li.worse { background: var(--worse-back); } ul.scores li.better { background: var(--better-back); }
  article dl, .run > dl { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(17rem, 100%), 1fr)); gap: .5rem 1rem; margin: .5rem 0 0; }
  article dl > div, .run dl > div { min-width: 0; } dd > * + * { margin-top: .4rem; } .folded { margin-top: .5rem; } .fault pre { border-left: 3px solid var(--worse); }
  .axis { display: flex; justify-content: space-between; margin-left: 50%; color: var(--soft); font-size: .8rem; }
  .runs { border-top: 1px solid var(--line); } .run > dl { margin: .5rem 0 1rem; }
  .run > summary { display: grid; grid-template-columns: minmax(0, 1fr) 10rem 50%; align-items: center; color: var(--ink); font-size: .875rem; padding: .2rem 0; border-bottom: 1px solid var(--line); }
  .run > summary:hover, .run[open] > summary { background: var(--card); } .run:target > summary { outline: 2px solid var(--link); }
  .run .name { padding-left: calc(var(--depth) * 1.1rem); overflow-wrap: anywhere; } .run .name.worse { color: var(--worse); }
  .run .took { text-align: right; padding-right: .8rem; font-variant-numeric: tabular-nums; white-space: nowrap; }
  .chip { border: 1px solid var(--line); border-radius: 4px; padding: 0 .4rem; margin-left: .4rem; font-size: .8rem; white-space: nowrap; }
  .track { position: relative; height: .7rem; background: var(--card); border-radius: 3px; overflow: hidden; }
  .bar { position: absolute; top: 0; bottom: 0; background: var(--link); border-radius: 3px; } .bar.failed { background: var(--worse); }
  .bar.open { background: repeating-linear-gradient(45deg, var(--soft) 0 4px, transparent 4px 8px); }
  @media (max-width: 40rem) {
    table { font-size: .875rem; } th { font-size: .75rem; min-width: 3rem; } th, td { padding: .4rem .25rem; } td:first-child { min-width: 5.25rem; max-width: 9rem; } .rows td:first-child { min-width: 6.75rem; }
    td.n { white-space: normal; } .facts { gap: .6rem 1.25rem; } td.n + td b { white-space: normal; }
    .axis { margin-left: 0; } .run > summary { grid-template-columns: minmax(0, 1fr) auto; row-gap: .2rem; } .track { grid-column: 1 / -1; }
    .run .name { padding-left: calc(var(--depth) * .4rem); } .run .took { padding: 0 0 0 .6rem; } .chip { white-space: normal; }
  }
`;
const SECTIONS = [
    ["Deployments", DEPLOYMENTS_PATH],
    ["Datasets", datasetsPath(ANY_TENANT)],
    ["Projects", projectsPath(ANY_TENANT)],
];
/** A whole page; `body` is HTML, `title` is text. */
function page(title, body, settings = {}) {
    const { section, refresh = false, trail = [], origin = "" } = settings;
    const name = escapeHtml(nameText(title));
    const sections = SECTIONS.map(([heading, path]) => {
        const here = heading === section ? ' aria-current="true"' : "";
        return `<a href="${escapeHtml(origin + path)}"${here}>${heading}</a>`;
    });
    const above = SECTIONS.filter(([heading]) => heading === section).map(([heading, path]) => html_link(origin + path, heading));
    const way = trail.length === 0 ? "" : `<nav class="trail" aria-label="Breadcrumb">${[...above, ...trail].join(" / ")}</nav>\n`;
    return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
${refresh ? '<meta http-equiv="refresh" content="2">\n' : ""}<title>${name}</title>
<style>${STYLE}</style>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="top"><nav aria-label="Sections">${sections.join(" ")}</nav></header>
<main id="main">
${way}<h1>${name}</h1>
${body}
</main>
</html>
`;
}
/** The page of an error response; each reason is a sentence. */
function errorPage(title, reasons) {
    const body = [
        ...reasons.map((reason) => `<p class="prose">${escapeHtml(reason)}</p>`),
        `<p>${html_link(DEPLOYMENTS_PATH, "Back to the deployments")}</p>`,
    ];
    return page(title, body.join("\n"));
}

// EXTERNAL MODULE: external "node:util"
var external_node_util_ = __webpack_require__(7975);
// EXTERNAL MODULE: ./src/contract/uuid.js
var uuid = __webpack_require__(8560);
// EXTERNAL MODULE: ../node_modules/zod/v4/classic/coerce.js
var coerce = __webpack_require__(725);
;// CONCATENATED MODULE: ./src/local/http/router.js




/** A route that responds with HTML. */
function pageRoute(path, html) {
    return { method: "GET", path, handle: (call, params) => ({ status: 200, html: html(call, params) }) };
}
/** Handles a call by the first matching route: 404 for an unknown path, 405 for another method, 422 for an invalid UUID. */
async function route(routes, call, path) {
    const fits = routes.flatMap((candidate) => {
        const params = match(candidate.path, path);
        return params === undefined ? [] : [{ candidate, params }];
    });
    const found = fits.find(({ candidate }) => candidate.method === call.method);
    if (found === undefined) {
        if (fits.length === 0)
            throw new HttpError(404, "Not Found");
        const allow = fits.map(({ candidate }) => candidate.method).join(", ");
        throw new HttpError(405, "Method Not Allowed", { allow });
    }
    const errors = checkIds(found.params);
    if (errors.length > 0)
        throw invalid(errors);
    return await found.candidate.handle(call, found.params);
}
/** A variable part of the path; UUIDs in lower case. */
function param(params, name) {
    const value = params.get(name) ?? "";
    return name.endsWith("_id") ? value.toLowerCase() : value;
}
function match(pattern, path) {
    const wanted = pattern.split("/");
    const given = path.split("/");
    if (wanted.length !== given.length)
        return undefined;
    const params = new Map();
    for (const [index, part] of wanted.entries()) {
        const value = given[index] ?? "";
        if (!part.startsWith(":")) {
            if (part !== value)
                return undefined;
        }
        else if (value === "")
            return undefined;
        else
            params.set(part.slice(1), value);
    }
    return params;
}
function checkIds(params) {
    return [...params]
        .filter(([name, value]) => name.endsWith("_id") && !(0,uuid/* isUuid */.O1)(value))
        .map(([name]) => ({ loc: ["path", name], msg: "Input should be a valid UUID", type: "uuid_parsing" }));
}
/** A query parameter: how many items a page has. */
function pageLimit(usual, most) {
    return coerce/* number */.ai().int().min(1).max(most).default(usual);
}
/** A query parameter: how many items to skip. */
const offsetParam = coerce/* number */.ai().int().min(0).default(0);
/** The query of a request. Unknown names are ignored; invalid values are a 422. */
function readQuery(schema, query) {
    const parsed = schema.safeParse(Object.fromEntries(query));
    if (!parsed.success)
        throw invalid((0,validation_error/* toValidationErrors */.Yt)(parsed.error, "query"));
    return parsed.data;
}

;// CONCATENATED MODULE: ./src/local/agent-server/body.js


/** The body of a call, parsed by the schema. Errors have a text as `detail`, as those of agent servers do. */
async function agentBody(call, schema) {
    const parsed = schema.safeParse(await json(call));
    if (parsed.success)
        return parsed.data;
    throw new HttpError(422, sentenceOf((0,validation_error/* toValidationErrors */.Yt)(parsed.error)));
}
async function json(call) {
    try {
        return await call.json();
    }
    catch (error) {
        if (!(error instanceof HttpError) || typeof error.detail === "string")
            throw error;
        throw new HttpError(error.status, sentenceOf(error.detail), error.headers);
    }
}
function sentenceOf(errors) {
    return errors.map(validation_error/* describeValidationError */.rm).join("\n");
}

;// CONCATENATED MODULE: ./src/local/agent-server/echo-agent.js

/** Input and output of the built-in agent: any object. */
const ECHO_SCHEMA = {
    type: "object",
    description: "Any object; the built-in agent returns it.",
    properties: {
        messages: { type: "array", description: "The echo is appended as one more message." },
        fail: { type: "string", description: "Makes the run fail with this message." },
    },
    additionalProperties: true,
};
const ECHO_GRAPH = {
    nodes: [
        { id: "__start__", type: "runnable" },
        { id: "echo", type: "runnable" },
        { id: "__end__", type: "runnable" },
    ],
    edges: [
        { source: "__start__", target: "echo" },
        { source: "echo", target: "__end__" },
    ],
};
const WHO = "This is the built-in agent of the local service. It does not run the project; it repeats its input";
const State = schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J());
const Failing = schemas/* looseObject */._H3({ fail: schemas/* string */.YjP() });
const Chat = schemas/* looseObject */._H3({ messages: schemas/* array */.YOg(schemas/* unknown */.L5J()) });
const Message = schemas/* looseObject */._H3({ content: schemas/* unknown */.L5J() });
/**
 * Stands in for the graphs of a project: returns the input with `echo`, or with one more message if it is a chat. It
 * fails for the input `{"fail": "MESSAGE"}`, and for anything but an object.
 */
function runEcho(input) {
    const state = State.safeParse(input);
    if (!state.success)
        return failure("InvalidInputError", "The input must be an object.");
    const failing = Failing.safeParse(input);
    if (failing.success)
        return failure("EchoError", failing.data.fail);
    const chat = Chat.safeParse(input);
    const update = chat.success ? { messages: [replyTo(chat.data.messages)] } : { echo: `${WHO}.` };
    const messages = chat.success ? { messages: [...chat.data.messages, ...(update.messages ?? [])] } : {};
    return { ok: true, state: { ...state.data, ...update, ...messages }, update };
}
function replyTo(messages) {
    const last = Message.safeParse(messages.at(-1));
    const text = last.success ? last.data.content : undefined;
    const content = typeof text === "string" ? text : JSON.stringify(text ?? null);
    return { type: "ai", content: `${WHO}: ${content}` };
}
function failure(error, message) {
    return { ok: false, failure: { error, message } };
}

;// CONCATENATED MODULE: ./src/local/agent-server/assistants.js







const DEFAULT_LIMIT = 10;
/** The assistants of an agent server, one for each graph. A path names one by its id or by the id of its graph. */
function assistantRoutes(served) {
    const one = (path, json) => ({
        method: "GET",
        path,
        handle: (_call, params) => ({
            status: 200,
            json: json(graphOf(decode(param(params, "assistant")), served(), 404)),
        }),
    });
    return [
        { method: "POST", path: "/assistants/search", handle: (call) => search(call, served()) },
        { method: "POST", path: "/assistants/count", handle: (call) => count(call, served()) },
        one("/assistants/:assistant", (graph) => systemAssistant(graph, served())),
        one("/assistants/:assistant/graph", () => ECHO_GRAPH),
        one("/assistants/:assistant/schemas", (graph) => ({
            graph_id: graph,
            input_schema: ECHO_SCHEMA,
            output_schema: ECHO_SCHEMA,
            state_schema: ECHO_SCHEMA,
            config_schema: null,
            context_schema: null,
        })),
    ];
}
/**
 * The graph with this id, or of the assistant with this id. Throws 404 for an unknown assistant id, and `status` for an
 * unknown graph: 422 if the request body names it.
 */
function graphOf(name, { graphs }, status) {
    const graph = graphs.find((id) => id === name || assistantIdOf(id) === name.toLowerCase());
    if (graph !== undefined)
        return graph;
    if ((0,uuid/* isUuid */.O1)(name))
        throw new HttpError(404, `Assistant '${name}' not found`);
    throw new HttpError(status, unknownGraph(name, graphs));
}
function decode(name) {
    try {
        return decodeURIComponent(name);
    }
    catch {
        return name;
    }
}
function unknownGraph(name, graphs) {
    return `Graph '${name}' not found. Expected one of: ${JSON.stringify(graphs)}`;
}
async function search(call, served) {
    const { limit = DEFAULT_LIMIT, offset = 0, ...filter } = await agentBody(call, AssistantSearch);
    const found = matching(filter, served);
    const next = offset + limit;
    return {
        status: 200,
        headers: {
            "x-pagination-total": String(found.length),
            ...(next < found.length ? { "x-pagination-next": String(next) } : {}),
        },
        json: found.slice(offset, next),
    };
}
async function count(call, served) {
    return { status: 200, json: matching(await agentBody(call, AssistantCount), served).length };
}
function matching({ graph_id, metadata }, served) {
    const { graphs } = served;
    if (graph_id != null && !graphs.includes(graph_id))
        throw new HttpError(404, unknownGraph(graph_id, graphs));
    return graphs
        .filter((graph) => graph_id == null || graph === graph_id)
        .map((graph) => systemAssistant(graph, served))
        .filter((assistant) => hasMetadata(assistant, metadata ?? {}));
}
function systemAssistant(graph, { createdAt, updatedAt }) {
    return {
        assistant_id: assistantIdOf(graph),
        graph_id: graph,
        name: graph,
        description: null,
        config: {},
        context: {},
        metadata: { created_by: "system" },
        version: 1,
        created_at: createdAt,
        updated_at: updatedAt,
    };
}
function hasMetadata({ metadata }, wanted) {
    return Object.entries(wanted).every(([key, value]) => (0,external_node_util_.isDeepStrictEqual)(metadata?.[key], value));
}
// All agent servers use this namespace, so clients know the ids.
const GRAPH_NAMESPACE = Buffer.from("6ba7b8219dad11d180b400c04fd430c8", "hex");
/** The id of the default assistant of a graph, which is the same on every agent server. */
function assistantIdOf(graphId) {
    return (0,uuid/* uuidV5 */.Jf)(GRAPH_NAMESPACE, graphId);
}

;// CONCATENATED MODULE: ./src/local/agent-server/routes.js











const ENDPOINTS = [
    ["GET /ok", "health check"],
    ["GET /info", "version, and the revision that it serves"],
    ["GET /metrics", "number of runs"],
    ["POST /assistants/search", "its assistants, one for each graph"],
    ["POST /assistants/count", "number of assistants"],
    ["GET /assistants/{id or graph}", "one assistant; also with /graph and /schemas"],
    ["POST /runs/wait", "runs the agent; returns the final state"],
    ["POST /runs/stream", "runs the agent; streams its events"],
];
const MODES = new Set(["debug", "events", "messages", "messages-tuple", "updates", "values"]);
/** The agent server of one deployment. `served` is called for each request, so a new revision takes over at once. */
function agentRoutes(served, serviceUrl) {
    const counts = { succeeded: 0, failed: 0 };
    return [
        { method: "GET", path: "/ok", handle: () => ({ status: 200, json: { ok: true } }) },
        { method: "GET", path: "/info", handle: () => ({ status: 200, json: info(served()) }) },
        { method: "GET", path: "/docs", handle: () => ({ status: 200, html: agentPage(served(), serviceUrl()) }) },
        { method: "GET", path: "/metrics", handle: (call) => metrics(call, counts) },
        ...assistantRoutes(served),
        ...runRoutes(served, counts),
    ];
}
function info({ deploymentId, revisionId, tenantId }) {
    return {
        version: "0.1.0",
        flags: { assistants: true, crons: false },
        host: {
            kind: "local",
            project_id: deploymentId,
            host_revision_id: revisionId,
            revision_id: revisionId,
            tenant_id: tenantId,
        },
    };
}
// `origin` is the URL of the service.
function agentPage(served, origin) {
    const { deploymentId, name, revisionId, tenantId, graphs } = served;
    const list = graphs.map((graph) => `<code>${escapeHtml(graph)}</code>`).join(", ");
    const body = [
        factList([
            ["Graphs", list === "" ? "Unknown: the service does not have the source." : list],
            ["Revision", `<code>${escapeHtml(revisionId)}</code>`],
        ]),
        "<h2>Endpoints</h2>",
        endpointTable("Endpoints", ENDPOINTS),
    ];
    const trail = [html_link(origin + deploymentPath(tenantId, deploymentId), name)];
    return page(`${name}: agent server`, body.join("\n"), { section: "Deployments", origin, trail });
}
// Stateless runs, by the built-in agent.
function runRoutes(served, counts) {
    return [
        { method: "POST", path: "/runs/wait", handle: async (call) => waited(await run(call, served(), counts)) },
        { method: "POST", path: "/runs/stream", handle: async (call) => streamed(await run(call, served(), counts)) },
    ];
}
async function run(call, served, counts) {
    const { assistant_id, input, stream_mode = "values" } = await agentBody(call, RunCreate);
    graphOf(assistant_id, served, 422);
    const modes = typeof stream_mode === "string" ? [stream_mode] : stream_mode;
    const unknown = modes.filter((mode) => !MODES.has(mode));
    if (unknown.length > 0) {
        throw new HttpError(422, `stream_mode: ${unknown.join(", ")} is not one of ${[...MODES].join(", ")}`);
    }
    const ending = runEcho(input);
    if (ending.ok)
        counts.succeeded += 1;
    else
        counts.failed += 1;
    return { id: (0,external_node_crypto_.randomUUID)(), input, modes, ending };
}
// The request succeeds although the run failed.
function waited({ id, ending }) {
    const json = ending.ok ? ending.state : { __error__: ending.failure };
    return { status: 200, headers: { "content-location": `/runs/${id}` }, json };
}
function streamed({ id, input, modes, ending }) {
    const wants = (mode) => modes.includes(mode);
    const events = [["metadata", { run_id: id, attempt: 1 }]];
    if (!ending.ok)
        events.push(["error", ending.failure]);
    else {
        if (wants("values"))
            events.push(["values", input]);
        if (wants("updates"))
            events.push(["updates", { echo: ending.update }]);
        if (wants("values"))
            events.push(["values", ending.state]);
    }
    const text = events.map(([event, data]) => `event: ${event}\r\ndata: ${JSON.stringify(data)}\r\n\r\n`);
    return {
        status: 200,
        headers: {
            "content-type": "text/event-stream; charset=utf-8",
            "cache-control": "no-store",
            "content-location": `/runs/${id}`,
        },
        stream: external_node_stream_.Readable.from(text),
    };
}
// Prometheus text, or JSON with `?format=json`.
function metrics({ query }, { succeeded, failed }) {
    const format = query.get("format") ?? "prometheus";
    if (format === "json")
        return { status: 200, json: { runs: { succeeded, failed } } };
    if (format !== "prometheus")
        throw new HttpError(422, "format: must be prometheus or json");
    const lines = [
        "# HELP agent_runs_total Runs that ended, by how they ended.",
        "# TYPE agent_runs_total counter",
        `agent_runs_total{ending="succeeded"} ${String(succeeded)}`,
        `agent_runs_total{ending="failed"} ${String(failed)}`,
        "",
    ];
    return {
        status: 200,
        headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
        html: lines.join("\n"),
    };
}

;// CONCATENATED MODULE: ./src/local/http/access.js


/**
 * 401 without the key (`X-Api-Key` or bearer), 403 for another tenant. A browser cannot set these headers,
 * so pages also accept the key as the password of a basic login.
 */
function checkAccess(headers, rules, options) {
    checkKey(headers, rules.apiKey, options.page);
    checkTenant(headers, rules.tenantId, options.page);
}
/** 403 for a host or an origin that is not loopback: such a request comes from a foreign web page (DNS rebinding). */
function checkCaller(headers) {
    const origin = headers.origin;
    if (!isLoopback(`http://${headers.host ?? ""}`) || (origin !== undefined && !isLoopback(origin))) {
        throw new HttpError(403, "This service only accepts requests to a loopback address.");
    }
}
function checkKey(headers, apiKey, page) {
    if (apiKey === undefined)
        return;
    const { authorization = "" } = headers;
    const given = [single(headers["x-api-key"]), /^bearer +(.+)$/i.exec(authorization)?.[1]];
    const basic = page ? /^basic +(.+)$/i.exec(authorization)?.[1] : undefined;
    if (basic !== undefined)
        given.push(/:(.*)$/s.exec(Buffer.from(basic, "base64").toString())?.[1]);
    if (given.some((key) => key !== undefined && equal(key, apiKey)))
        return;
    throw new HttpError(401, "Send a valid API key in the header X-Api-Key, or as a bearer token.", {
        "www-authenticate": page ? 'Basic realm="graph-deploy local"' : "Bearer",
    });
}
function checkTenant(headers, tenantId, page) {
    if (tenantId === undefined || page)
        return;
    const given = single(headers["x-tenant-id"]);
    if (given === undefined)
        throw new HttpError(403, "This request requires workspace specification: send X-Tenant-Id.");
    if (!equal(given, tenantId))
        throw new HttpError(403, "The tenant in X-Tenant-Id may not use this service.");
}
function single(header) {
    return typeof header === "string" ? header : undefined;
}
// timingSafeEqual needs equal lengths.
function equal(one, other) {
    return (0,external_node_crypto_.timingSafeEqual)(digest(one), digest(other));
}
function digest(text) {
    return (0,external_node_crypto_.createHash)("sha256").update(text).digest();
}
function isLoopback(url) {
    return URL.canParse(url) && ["127.0.0.1", "localhost", "[::1]"].includes(new URL(url).hostname);
}

;// CONCATENATED MODULE: ./src/local/http/response.js



// Pages have no script. Foreign text that got past the escaping still could not run or load anything.
const PAGE_HEADERS = {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
};
/** `detail` for an HttpError; nothing about the internals for any other error. */
function responseOfError(error, fieldNames) {
    if (!(error instanceof HttpError))
        return { status: 500, json: { detail: "Internal Server Error" } };
    const { status, headers, detail } = error;
    if (typeof detail === "string")
        return { status, headers, json: { detail } };
    // A caller looks for the name that it sent.
    const named = detail.map(({ loc, ...rest }) => ({
        loc: loc.map((step) => (typeof step === "string" ? fieldNames.wireName(step) : step)),
        ...rest,
    }));
    return { status, headers, json: { detail: named } };
}
function responseOfFault(fault) {
    const { status, headers = {}, body = { detail: "Injected fault." } } = fault;
    if (typeof body === "string")
        return { status, headers: { "content-type": "text/plain", ...headers }, html: body };
    return { status, headers, json: body };
}
/** Sends the whole response, or half of it if the fault says so. */
async function send(response, reply, fault) {
    if (reply.stream !== undefined) {
        response.writeHead(reply.status, reply.headers);
        // The first event of a stream may take a while.
        response.flushHeaders();
        await (0,external_node_stream_promises_.pipeline)(reply.stream, response);
        return;
    }
    const body = Buffer.from(reply.html ?? jsonOf(reply, fault) ?? "");
    const type = reply.html === undefined ? { "content-type": "application/json" } : PAGE_HEADERS;
    const head = body.length === 0 && reply.status === 204 ? {} : { ...type, "content-length": String(body.length) };
    response.writeHead(reply.status, { ...head, ...reply.headers });
    const cut = fault?.kind === "truncate" || (fault?.kind === "stall" && fault.when === "body");
    if (!cut) {
        response.end(body);
        return;
    }
    const { promise: sent, resolve } = Promise.withResolvers();
    response.write(body.subarray(0, Math.floor(body.length / 2)), () => {
        resolve(undefined);
    });
    await sent;
    if (fault.kind === "truncate")
        response.destroy();
    else
        await gone(response);
}
function jsonOf({ json, jsonText }, fault) {
    const edit = fault?.kind === "edit" ? fault.edit : undefined;
    if (edit === undefined && jsonText !== undefined)
        return jsonText;
    const value = jsonText === undefined ? json : JSON.parse(jsonText);
    const edited = edit === undefined ? value : edit(value);
    return edited === undefined ? undefined : JSON.stringify(edited);
}
/** Waits until the client hangs up or the server closes. */
async function gone(response) {
    if (!response.destroyed && response.socket?.destroyed === false)
        await (0,external_node_events_.once)(response, "close");
}

;// CONCATENATED MODULE: ./src/local/http/call.js


/** Far above what a deployment needs; uploads have their own limits. */
const JSON_LIMIT_BYTES = 1024 * 1024;
/** A request as the routes see it. */
class HttpCall {
    method;
    path;
    query;
    /** Path and query as they were sent. */
    target;
    headers;
    /** Aborts when the response is sent or the client hangs up. */
    signal;
    #request;
    #record;
    #fieldNames;
    #acceptOwnNames;
    /** `acceptOwnNames`: also accept our own spelling of names that this wire spells differently. */
    constructor(request, record, fieldNames, acceptOwnNames, signal) {
        this.signal = signal;
        this.method = record.method;
        this.path = record.path;
        this.query = record.query;
        this.target = request.url ?? "/";
        this.headers = record.headers;
        this.#request = request;
        this.#record = record;
        this.#fieldNames = fieldNames;
        this.#acceptOwnNames = acceptOwnNames;
    }
    /** The bytes of the body; 413 above the limit. */
    async *body(limitBytes) {
        // The socket must stay open for an error response.
        for await (const chunk of this.#request.iterator({ destroyOnReturn: false })) {
            if (!Buffer.isBuffer(chunk))
                continue;
            this.#record.bodyBytes += chunk.length;
            if (this.#record.bodyBytes > limitBytes)
                throw tooLarge(limitBytes);
            yield chunk;
        }
    }
    /** Reads and discards the rest of the body: a client that is cut off while it sends may miss the response. */
    async drain() {
        if (this.#request.readableEnded || this.#request.destroyed)
            return;
        this.#request.resume();
        await (0,external_node_stream_promises_.finished)(this.#request, { writable: false }).catch(() => undefined);
    }
    /** 422 unless the Content-Type is JSON. */
    checkJsonType() {
        // A web page can send any other type without a preflight request.
        if (/^application\/(?:[\w.-]+\+)?json\b/i.test(this.headers["content-type"] ?? ""))
            return;
        throw invalid([{ loc: ["body"], msg: "The Content-Type must be application/json", type: "content_type" }]);
    }
    /** The body as JSON, under our names; undefined if it is empty. 422 if it is not JSON. */
    async json() {
        const chunks = [];
        for await (const chunk of this.body(JSON_LIMIT_BYTES))
            chunks.push(chunk);
        if (chunks.length === 0)
            return undefined;
        this.checkJsonType();
        try {
            this.#record.json = JSON.parse(Buffer.concat(chunks).toString("utf8"));
        }
        catch {
            throw invalid([{ loc: ["body"], msg: "JSON decode error", type: "json_invalid" }]);
        }
        const { json } = this.#record;
        return this.#acceptOwnNames ? this.#fieldNames.fromWire(json) : this.#fieldNames.fromClient(json);
    }
}

;// CONCATENATED MODULE: ./src/local/http/listener.js







/** An HTTP server on 127.0.0.1. It records each request, injects faults, and turns errors into responses. */
class HttpListener {
    port;
    #server;
    #options;
    #open = new Set();
    constructor(server, port, options) {
        this.#server = server;
        this.port = port;
        this.#options = options;
        server.on("request", (request, response) => {
            const served = this.#serve(request, response).finally(() => this.#open.delete(served));
            this.#open.add(served);
        });
    }
    /** Resolves once it listens; rejects with EADDRINUSE if the port is taken. */
    static async open(options) {
        const server = (0,external_node_http_.createServer)();
        server.listen(options.port, "127.0.0.1");
        await (0,external_node_events_.once)(server, "listening");
        const address = server.address();
        if (address === null || typeof address === "string")
            throw new Error("The server has no port.");
        return new HttpListener(server, address.port, options);
    }
    get url() {
        return `http://127.0.0.1:${String(this.port)}`;
    }
    /** Cuts all connections, idle ones too, and waits for the requests in progress. */
    async close() {
        const closed = (0,external_node_events_.once)(this.#server, "close");
        this.#server.close();
        this.#server.closeAllConnections();
        await closed;
        await Promise.all(this.#open);
    }
    async #serve(request, response) {
        const { server, records, faults } = this.#options;
        const { method = "GET", url = "/", headers } = request;
        const [path = "/", query = ""] = url.split("?", 2);
        const record = records.open({ server, method, path, query: new URLSearchParams(query), headers });
        const fault = faults.take(record);
        try {
            await this.#exchange(request, response, record, fault);
        }
        catch (error) {
            if (!isHangUp(error))
                this.#options.log(`${method} ${path} failed: ${String(error)}`);
            response.destroy();
        }
    }
    async #exchange(request, response, record, fault) {
        const moment = momentOf(fault);
        if (fault !== undefined && moment === "before") {
            await this.#fail(response, record, fault);
            return;
        }
        if (fault?.kind === "delay")
            await Promise.race([(0,external_node_timers_promises_.setTimeout)(fault.milliseconds), gone(response)]);
        const over = new AbortController();
        response.once("close", () => {
            over.abort();
        });
        const reply = await this.#respond(request, record, over.signal);
        if (fault !== undefined && moment === "after") {
            reply.stream?.destroy();
            await this.#fail(response, record, fault);
            return;
        }
        record.status = reply.status;
        await send(response, reply, fault);
    }
    async #respond(request, record, over) {
        const { handle, fieldNames, acceptOwnNames } = this.#options;
        try {
            checkCaller(request.headers);
            const given = await handle(new HttpCall(request, record, fieldNames, acceptOwnNames, over));
            return given.json === undefined ? given : { ...given, json: fieldNames.toWire(given.json) };
        }
        catch (error) {
            // A client that hangs up early is not an error of the service.
            if (!(error instanceof HttpError) && !over.aborted) {
                this.#options.log(`${record.method} ${record.path} failed: ${String(error)}`);
            }
            return responseOfError(error, fieldNames);
        }
    }
    async #fail(response, record, fault) {
        if (fault.kind === "reset")
            response.socket?.resetAndDestroy();
        else if (fault.kind === "stall")
            await gone(response);
        else if (fault.kind === "answer") {
            record.status = fault.status;
            await send(response, responseOfFault(fault));
        }
    }
}
// The response cannot be sent any more: the client hung up, or its source was aborted for that.
function isHangUp(error) {
    return error instanceof Error && (error.name === "AbortError" || errorCode(error) === "ERR_STREAM_PREMATURE_CLOSE");
}
function momentOf(fault) {
    if (fault?.kind === "answer" || fault?.kind === "reset")
        return fault.when ?? "before";
    if (fault?.kind === "stall" && fault.when !== "body")
        return fault.when ?? "before";
    return undefined;
}

;// CONCATENATED MODULE: ./src/local/agents/fleet.js






/** The agent servers: one address for each deployment, which all its revisions use, also after a restart. */
class AgentFleet {
    #options;
    #listeners = new Map();
    constructor(options) {
        this.#options = options;
    }
    /** The URL of the deployment's agent server; undefined until a revision is deployed. */
    url(deployment) {
        return deployment.active_revision_id === null ? undefined : this.#listeners.get(deployment.id)?.url;
    }
    /** Opens the address of the deployment's agent server, unless it is open already. Returns the URL. */
    async open(deployment) {
        const open = this.#listeners.get(deployment.id);
        if (open !== undefined)
            return open.url;
        const listener = await this.#listen(deployment);
        this.#listeners.set(deployment.id, listener);
        return listener.url;
    }
    /** Opens the address of a deployment that served before a restart; its agent starts in the background. */
    async resume(deployment) {
        const { agents, revisions, log } = this.#options;
        await this.open(deployment);
        const revision = revisions.get(deployment.active_revision_id ?? "");
        if (agents === undefined || revision === undefined || deployment.source !== "internal_source")
            return;
        agents.resume(revision).catch((error) => {
            log(`${deployment.name}: could not start its agent: ${String(error)}`);
        });
    }
    async remove(deploymentId) {
        await this.#shut(deploymentId);
        await this.#options.agents?.remove(deploymentId);
    }
    async close() {
        await Promise.all([...this.#listeners.keys()].map((id) => this.#shut(id)));
        await this.#options.agents?.close();
    }
    async #shut(deploymentId) {
        const listener = this.#listeners.get(deploymentId);
        this.#listeners.delete(deploymentId);
        await listener?.close();
    }
    async #listen(deployment) {
        const { agents, apiKey, deployments, faults, log, records, url } = this.#options;
        const access = { apiKey };
        const routes = agentRoutes(() => this.#served(deployment.id), url);
        const options = {
            server: "agent",
            fieldNames: field_names/* FieldNames */.L.none,
            acceptOwnNames: true,
            faults,
            records,
            log,
            handle: (call) => {
                checkAccess(call.headers, access, { page: call.path === "/docs" });
                return agents !== undefined && deployment.source === "internal_source"
                    ? forward(call, agents.serving(deployment.id), apiKey)
                    : route(routes, call, call.path);
            },
        };
        const known = deployment.agent_port;
        const listener = await HttpListener.open({ ...options, port: known ?? 0 }).catch((error) => {
            if (known === null)
                throw error;
            log(`${deployment.name}: port ${String(known)} is in use by another program; its agent moves to a new address`);
            return HttpListener.open({ ...options, port: 0 });
        });
        deployments.setAgentPort(deployment.id, listener.port);
        return listener;
    }
    #served(deploymentId) {
        const deployment = this.#options.deployments.get(deploymentId);
        const active = deployment?.active_revision_id ?? null;
        const revision = active === null ? undefined : this.#options.revisions.get(active);
        if (deployment === undefined || revision === undefined)
            throw new Error("No revision is active.");
        return {
            deploymentId,
            name: deployment.name,
            revisionId: revision.id,
            tenantId: this.#options.tenantId,
            graphs: revision.graphs ?? [],
            createdAt: deployment.created_at,
            updatedAt: revision.created_at,
        };
    }
}

;// CONCATENATED MODULE: ./src/contract/source.js
/** Where the code of a deployment comes from; it cannot change after creation. */
const SOURCES = ["github", "external_docker", "internal_docker", "internal_source"];
/** The editions of the service, which offer different sources. */
const EDITIONS = ["cloud", "self-hosted"];
/** The fields of a source revision config that a request may set. */
const REVISION_CONFIG_FIELDS = ["repo_ref", "graph_config_path", "image_uri", "source_tarball_path"];
/** The sources and their fields as one table: the client, the action and the local service all follow it. */
const SOURCE_RULES = {
    github: {
        editions: ["cloud"],
        fields: ["repo_ref", "graph_config_path"],
        requiredOnCreate: ["graph_config_path"],
    },
    external_docker: { editions: ["self-hosted"], fields: ["image_uri"], requiredOnCreate: [] },
    internal_docker: { editions: EDITIONS, fields: [], requiredOnCreate: [] },
    internal_source: {
        editions: EDITIONS,
        fields: ["graph_config_path", "source_tarball_path"],
        requiredOnCreate: ["graph_config_path"],
    },
};
/** True for one of the four sources. */
function isSource(value) {
    return Object.hasOwn(SOURCE_RULES, value);
}
function isTag(repoRef) {
    return repoRef.startsWith("refs/tags/");
}
/** Every rule that a create request breaks. */
function checkSourceOfCreate(settings) {
    const config = settings.source_revision_config ?? {};
    const missing = SOURCE_RULES[settings.source].requiredOnCreate
        .filter((field) => config[field] == null)
        .map((field) => violation(field, `is required when the source is ${settings.source}`, "missing"));
    const tarball = settings.source === "internal_source" && config.source_tarball_path != null
        ? [
            violation("source_tarball_path", "must be null on create: its path comes from the upload-url endpoint of the deployment"),
        ]
        : [];
    return [...missing, ...tarball, ...checkSourceOfPatch(settings)];
}
/** A partial update makes a new revision when one of these fields is not null. */
function makesRevision(config) {
    return REVISION_CONFIG_FIELDS.some((field) => config?.[field] != null);
}
/** True when a revision holds each field that was asked for. */
function matchesConfig(actual, asked) {
    return REVISION_CONFIG_FIELDS.every((field) => asked?.[field] == null || asked[field] === actual?.[field]);
}
/** Every rule that a partial update of a deployment of `source` breaks; `source_config` is the merged one. */
function checkSourceOfPatch({ source, source_config, source_revision_config, }) {
    const config = source_revision_config ?? {};
    const { fields } = SOURCE_RULES[source];
    const foreign = REVISION_CONFIG_FIELDS.filter((field) => config[field] != null && !fields.includes(field)).map((field) => violation(field, `must be null when the source is ${source}`));
    const empty = fields.filter((field) => config[field] === "").map((field) => violation(field, "must not be empty"));
    if (source !== "github")
        return [...foreign, ...empty];
    return [...foreign, ...empty, ...checkRepoRef(config.repo_ref, source_config?.["build_on_push"])];
}
function checkRepoRef(repoRef, buildOnPush) {
    if (repoRef == null)
        return [];
    if (repoRef.startsWith("refs/heads/")) {
        return [violation("repo_ref", `must be the bare name of the branch: ${repoRef.slice("refs/heads/".length)}`)];
    }
    // What is no boolean is refused by its type.
    if (isTag(repoRef) && (buildOnPush ?? true) === true) {
        return [
            {
                loc: ["source_config", "build_on_push"],
                msg: "must be false when repo_ref is a tag, because tags are immutable",
                type: "value_error",
            },
        ];
    }
    return [];
}
function violation(field, msg, type = "value_error") {
    return { loc: ["source_revision_config", field], msg, type };
}

// EXTERNAL MODULE: external "node:sqlite"
var external_node_sqlite_ = __webpack_require__(99);
;// CONCATENATED MODULE: ./src/local/state/database.js





/** The data directory cannot be used: it is not a directory, not writable, or in use by another service. */
class DataDirectoryError extends graph_deploy_error/* GraphDeployError */.k {
    code = "LOCAL_DATA_DIRECTORY";
}
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS deployments (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL,
    source_config TEXT NOT NULL,
    secret_names TEXT NOT NULL,
    status TEXT NOT NULL,
    active_revision_id TEXT,
    agent_port INTEGER,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS revisions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    deployment_id TEXT NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,
    config TEXT NOT NULL,
    status TEXT NOT NULL,
    status_message TEXT,
    history TEXT NOT NULL,
    graphs TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS revisions_of ON revisions (deployment_id, seq);
  CREATE TABLE IF NOT EXISTS objects (
    path TEXT PRIMARY KEY,
    deployment_id TEXT NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,
    file TEXT NOT NULL,
    signature TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    headers TEXT NOT NULL,
    digest TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS log_lines (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    revision_id TEXT NOT NULL REFERENCES revisions (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    timestamp TEXT NOT NULL,
    level TEXT NOT NULL,
    message TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS log_lines_of ON log_lines (revision_id, kind, id);
  CREATE TABLE IF NOT EXISTS datasets (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    description TEXT,
    externally_managed INTEGER NOT NULL,
    example_count INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    modified_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS experiments (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    dataset_id TEXT NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
    name TEXT NOT NULL UNIQUE,
    description TEXT,
    start_time TEXT NOT NULL,
    start_us INTEGER NOT NULL,
    end_time TEXT NOT NULL,
    metadata TEXT,
    summary_scores TEXT,
    number INTEGER NOT NULL,
    upload INTEGER NOT NULL UNIQUE,
    statistics TEXT NOT NULL,
    counted_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS experiments_of ON experiments (dataset_id, seq);
  CREATE TABLE IF NOT EXISTS experiment_rows (
    seq INTEGER PRIMARY KEY,
    upload INTEGER NOT NULL,
    position INTEGER NOT NULL,
    row_id TEXT NOT NULL,
    start_us INTEGER NOT NULL,
    end_us INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    scores TEXT NOT NULL, -- before the text, which may be long: SQLite reads a row from its beginning
    json TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS experiment_rows_of ON experiment_rows (upload, position);
  CREATE INDEX IF NOT EXISTS experiment_rows_by_id ON experiment_rows (upload, row_id, position);
  CREATE TABLE IF NOT EXISTS sessions (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS runs (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    made INTEGER NOT NULL, -- 0 while only updates of the run have arrived
    session INTEGER REFERENCES sessions (seq), -- null until the run is made
    trace_id TEXT NOT NULL,
    parent_id TEXT,
    dotted_order TEXT NOT NULL,
    name TEXT,
    run_type TEXT,
    start_ms REAL NOT NULL,
    end_ms REAL,
    failed INTEGER NOT NULL,
    fields TEXT NOT NULL,
    inputs TEXT,
    outputs TEXT,
    events TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS runs_of_trace ON runs (trace_id, dotted_order) WHERE made = 1;
  CREATE INDEX IF NOT EXISTS runs_of_session ON runs (session, dotted_order);
  CREATE INDEX IF NOT EXISTS root_runs ON runs (session, start_ms) WHERE id = trace_id AND made = 1;
  CREATE INDEX IF NOT EXISTS failed_runs ON runs (trace_id) WHERE failed = 1 AND made = 1;
  CREATE TABLE IF NOT EXISTS run_attachments (
    run_id TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, name)
  ) STRICT, WITHOUT ROWID;
`;
// Raised with each change of a table: the state of another version is rejected, not guessed at.
const SCHEMA_VERSION = 4;
const STATE_FILE = "state.sqlite";
// Uploaded sources, and sources extracted for agents.
const OWN_DIRECTORIES = ["objects", "agents"];
// A service that is just stopping may still hold the lock for a moment.
const LOCK_TIMEOUT_MS = 300;
/** Opens the state in a directory, with an exclusive lock; without a directory the state lives as long as the process. */
function openDatabase(directory) {
    if (directory === undefined) {
        // SQLite keeps a nameless database in memory, and spills to a temporary file when it grows.
        const temporary = new external_node_sqlite_.DatabaseSync("");
        temporary.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; ${SCHEMA}`);
        return temporary;
    }
    try {
        keepPrivate(directory);
        const database = new external_node_sqlite_.DatabaseSync((0,external_node_path_.join)(directory, STATE_FILE), { timeout: LOCK_TIMEOUT_MS });
        // The exclusive lock ends with the process, however that ends: no stale lock file is possible.
        database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
        database.exec("BEGIN EXCLUSIVE; COMMIT");
        checkVersion(database, directory);
        database.exec(`${SCHEMA}; PRAGMA user_version = ${String(SCHEMA_VERSION)}`);
        return database;
    }
    catch (cause) {
        if (cause instanceof DataDirectoryError)
            throw cause;
        const locked = /locked|busy/i.test(String(cause));
        const reason = locked ? "another local service is using it" : reasonOf(cause);
        throw new DataDirectoryError(`The data directory ${directory} cannot be used: ${reason}.`, {
            cause,
            advice: locked ? "Stop that service, or choose another directory." : "Choose a directory that you can write to.",
        });
    }
}
/**
 * Makes the state readable for its owner only: it holds uploads and the output of agents. A directory that also holds
 * other files keeps its mode, since it may be the home or the temporary directory.
 */
function keepPrivate(directory) {
    (0,external_node_fs_.mkdirSync)(directory, { recursive: true, mode: 0o700 });
    if ((0,external_node_fs_.readdirSync)(directory).every((name) => name.startsWith(STATE_FILE) || OWN_DIRECTORIES.includes(name))) {
        (0,external_node_fs_.chmodSync)(directory, 0o700);
    }
    // Created before SQLite does it, which gives its journals the mode of this file.
    (0,external_node_fs_.closeSync)((0,external_node_fs_.openSync)((0,external_node_path_.join)(directory, STATE_FILE), "a", 0o600));
    for (const name of [STATE_FILE, `${STATE_FILE}-wal`, `${STATE_FILE}-shm`, ...OWN_DIRECTORIES]) {
        const path = (0,external_node_path_.join)(directory, name);
        if ((0,external_node_fs_.existsSync)(path))
            (0,external_node_fs_.chmodSync)(path, OWN_DIRECTORIES.includes(name) ? 0o700 : 0o600);
    }
}
// The version of a new file is 0.
function checkVersion(database, directory) {
    const version = database.prepare("PRAGMA user_version").get()?.["user_version"];
    if (version === 0 || version === SCHEMA_VERSION)
        return;
    database.close();
    throw new DataDirectoryError(`The data directory ${directory} holds the state of another version.`, {
        advice: "Remove the directory, or choose another one.",
    });
}
/** A column with 0 or 1. */
const flag = schemas/* number */.aig().transform((value) => value === 1);
/** A column with JSON. */
function jsonColumn(schema) {
    return schemas/* string */.YjP()
        .transform((text) => JSON.parse(text))
        .pipe(schema);
}
/** A time as the service writes it; now by default. */
function timestamp(milliseconds = Date.now()) {
    return new Date(milliseconds).toISOString();
}
function reasonOf(cause) {
    return cause instanceof Error ? cause.message.replace(/\.$/, "") : String(cause);
}
/** Runs the work in a transaction. It must be synchronous: all share one connection. */
function atomically(database, work) {
    database.exec("BEGIN");
    try {
        const result = work();
        database.exec("COMMIT");
        return result;
    }
    catch (error) {
        database.exec("ROLLBACK");
        throw error;
    }
}

;// CONCATENATED MODULE: ./src/contract/revision-status.js
/** Where a revision stands on its way, as the service spells it. */
const REVISION_STATUSES = (/* unused pure expression or super */ null && ([
    "CREATING",
    "QUEUED",
    "AWAITING_BUILD",
    "BUILDING",
    "AWAITING_DEPLOY",
    "DEPLOYING",
    "CREATE_FAILED",
    "BUILD_FAILED",
    "DEPLOY_FAILED",
    "DEPLOYED",
    "SKIPPED",
    "INTERRUPTED",
    "UNKNOWN",
]));
const WAITING = { terminal: false, succeeded: false, advice: "" };
const ENDED = { phase: "end", terminal: true, succeeded: false };
const FACTS = {
    CREATING: { ...WAITING, phase: "queue", sentence: "The service prepares the revision." },
    QUEUED: {
        ...WAITING,
        phase: "queue",
        sentence: "The revision waits for an earlier revision of this deployment.",
        advice: "If an earlier revision hangs, interrupt it in the service; this one starts then.",
    },
    AWAITING_BUILD: { ...WAITING, phase: "build", sentence: "The revision waits for a builder." },
    BUILDING: { ...WAITING, phase: "build", sentence: "The image is being built." },
    AWAITING_DEPLOY: { ...WAITING, phase: "deploy", sentence: "The image is ready and waits to be rolled out." },
    DEPLOYING: { ...WAITING, phase: "deploy", sentence: "The revision is being rolled out." },
    CREATE_FAILED: {
        ...ENDED,
        outcome: "deploy-failed",
        log: "build",
        sentence: "The service could not prepare the revision.",
        advice: "Look at the deployment in the service (quota, database, name), then run again.",
    },
    BUILD_FAILED: {
        ...ENDED,
        outcome: "build-failed",
        log: "build",
        sentence: "The image could not be built.",
        advice: "Fix the build and run again.",
    },
    DEPLOY_FAILED: {
        ...ENDED,
        outcome: "deploy-failed",
        log: "deploy",
        sentence: "The image was built, but it did not start.",
        advice: "Look at the deploy log for what the agent printed when it started, then run again.",
    },
    DEPLOYED: { phase: "end", terminal: true, succeeded: true, sentence: "The revision is live.", advice: "" },
    SKIPPED: {
        ...ENDED,
        outcome: "superseded",
        sentence: "The service skipped the revision, because a newer one took its place.",
        advice: "To prevent this, let only one run deploy at a time.",
    },
    INTERRUPTED: {
        ...ENDED,
        outcome: "interrupted",
        log: undefined,
        sentence: "The revision was interrupted in the service.",
        advice: "Find out who interrupted it in the service, then run again.",
    },
    UNKNOWN: { ...WAITING, phase: "queue", sentence: "The service does not know the state of the revision." },
};
/** True for a status of the list above. */
function isRevisionStatus(status) {
    return Object.hasOwn(FACTS, status);
}
/** The fact of a status; one that is not in the list counts as UNKNOWN, which keeps a wait going. */
function revisionStatusFact(status) {
    return isRevisionStatus(status) ? FACTS[status] : FACTS.UNKNOWN;
}

;// CONCATENATED MODULE: ./src/local/state/revision-store.js



const optionalText = schemas/* string */.YjP().nullable();
const Config = schemas/* object */.Ikc({
    repo_ref: optionalText,
    graph_config_path: optionalText,
    image_uri: optionalText,
    source_tarball_path: optionalText,
});
const Row = schemas/* object */.Ikc({
    id: schemas/* string */.YjP(),
    deployment_id: schemas/* string */.YjP(),
    config: jsonColumn(Config),
    status: schemas/* string */.YjP(),
    status_message: optionalText,
    /** All statuses so far, in order. */
    history: jsonColumn(schemas/* array */.YOg(schemas/* string */.YjP())),
    /** The graphs of its configuration file, once built; null if the service does not have the source. */
    graphs: jsonColumn(schemas/* array */.YOg(schemas/* string */.YjP())).nullable(),
    created_at: schemas/* string */.YjP(),
    updated_at: schemas/* string */.YjP(),
});
/** The fields that are set in `given`, and the others from the previous revision. */
function revisionConfig(given, before) {
    const of = (field) => given[field] ?? before?.[field] ?? null;
    return {
        repo_ref: of("repo_ref"),
        graph_config_path: of("graph_config_path"),
        image_uri: of("image_uri"),
        source_tarball_path: of("source_tarball_path"),
    };
}
/** True for a status that is not terminal. An unknown status counts as unfinished, too. */
function isUnfinished(revision) {
    return !revisionStatusFact(revision.status).terminal;
}
class RevisionStore {
    #database;
    constructor(database) {
        this.#database = database;
    }
    insert(id, deploymentId, config, status) {
        const now = timestamp();
        this.#database
            .prepare(`INSERT INTO revisions (id, deployment_id, config, status, history, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`)
            .run(id, deploymentId, JSON.stringify(config), status, JSON.stringify([status]), now, now);
    }
    get(id) {
        const row = this.#database.prepare("SELECT * FROM revisions WHERE id = ?").get(id);
        return row === undefined ? undefined : Row.parse(row);
    }
    latest(deploymentId) {
        return this.list(deploymentId, { limit: 1, offset: 0 })[0];
    }
    /** Newest first. */
    list(deploymentId, { limit, offset, statuses }) {
        return this.#database
            .prepare(`SELECT * FROM revisions
         WHERE deployment_id = :deploymentId
           AND (:statuses IS NULL OR status IN (SELECT value FROM json_each(:statuses)))
         ORDER BY seq DESC LIMIT :limit OFFSET :offset`)
            .all({ deploymentId, statuses: statuses === undefined ? null : JSON.stringify(statuses), limit, offset })
            .map((row) => Row.parse(row));
    }
    /** True if a revision of the deployment was made from this object. */
    hasTarball(deploymentId, objectPath) {
        return (this.#database
            .prepare("SELECT 1 FROM revisions WHERE deployment_id = ? AND json_extract(config, '$.source_tarball_path') = ? LIMIT 1")
            .get(deploymentId, objectPath) !== undefined);
    }
    /** Those that a restart interrupted, oldest first. */
    unfinished() {
        return this.#database
            .prepare("SELECT * FROM revisions ORDER BY seq")
            .all()
            .map((row) => Row.parse(row))
            .filter(isUnfinished);
    }
    setStatus(revision, status, message) {
        const history = revision.status === status ? revision.history : [...revision.history, status];
        this.#database
            .prepare("UPDATE revisions SET status = ?, status_message = ?, history = ?, updated_at = ? WHERE id = ?")
            .run(status, message, JSON.stringify(history), timestamp(), revision.id);
    }
    setGraphs(id, graphs) {
        this.#database.prepare("UPDATE revisions SET graphs = ? WHERE id = ?").run(JSON.stringify(graphs), id);
    }
}

;// CONCATENATED MODULE: ./src/contract/deployment.js




// The wire objects of the control plane. What the service adds passes through, and so does a
// source or a status that this version does not know.
const deployment_text = schemas/* string */.YjP();
const spareText = (0,spare/* spare */.i)(deployment_text);
// Null says no more than a key that is absent.
const givenText = spareText.transform((value) => value ?? undefined).optional();
/** What one revision is made from. */
const SourceRevisionConfig = schemas/* looseObject */._H3({
    repo_ref: spareText,
    graph_config_path: spareText,
    image_uri: spareText,
    source_tarball_path: spareText,
    repo_commit_sha: spareText,
});
/** Settings of the source that outlive a revision; only the fields that this product reads are named. */
const SourceConfig = schemas/* looseObject */._H3({
    build_on_push: (0,spare/* spare */.i)(schemas/* boolean */.zMY()),
    custom_url: spareText,
});
/** An environment variable of the agent; a service may leave the value out when it answers. */
const Secret = schemas/* looseObject */._H3({ name: deployment_text, value: spareText });
/** A deployment; what it says of its configuration is that of the latest revision. */
const Deployment = schemas/* looseObject */._H3({
    id: deployment_text,
    name: givenText,
    source: givenText,
    /** Null while a deployment has no revision yet. */
    latest_revision_id: deployment_text.nullish(),
    active_revision_id: spareText,
    tenant_id: spareText,
    status: spareText,
    url: spareText,
    source_config: (0,spare/* spare */.i)(SourceConfig),
    source_revision_config: (0,spare/* spare */.i)(SourceRevisionConfig),
    secrets: (0,spare/* spare */.i)(schemas/* array */.YOg(Secret)),
    created_at: spareText,
    updated_at: spareText,
});
/** A revision: one version of a deployment. Its status may be unknown. */
const Revision = schemas/* looseObject */._H3({
    id: deployment_text,
    status: deployment_text.nullish().transform((status) => status ?? "UNKNOWN"),
    source: givenText,
    created_at: spareText,
    updated_at: spareText,
    /** Why the status is what it is, where a service says so. */
    status_message: spareText,
    source_revision_config: (0,spare/* spare */.i)(SourceRevisionConfig),
});
/** A revision in a list, in which it is looked for: its status is read by its id. */
const ListedRevision = Revision.extend({ status: Revision.shape.status.catch("UNKNOWN") });
/** One page of a list. */
function pageOf(element) {
    return z.looseObject({ resources: z.array(element) });
}
/** The answer of the upload-url endpoint. */
const UploadTarget = schemas/* looseObject */._H3({
    upload_url: schemas/* url */.OZ5(),
    object_path: deployment_text,
    /** Headers that the object store wants instead of ours. */
    upload_headers: schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* string */.YjP()).nullish(),
});
/** A revision has a log of its build and one of its start. */
const LOG_KINDS = ["build", "deploy"];
/** One line of a build or deploy log. */
const LogLine = schemas/* looseObject */._H3({
    id: (0,spare/* spare */.i)(schemas/* union */.KCZ([schemas/* string */.YjP(), schemas/* number */.aig()])),
    /** ISO 8601, or milliseconds since the epoch. */
    timestamp: (0,spare/* spare */.i)(schemas/* union */.KCZ([schemas/* string */.YjP(), schemas/* number */.aig()])),
    level: spareText,
    message: deployment_text,
});
/** One page of a log; a line that has no text is passed over. */
const LogPage = schemas/* looseObject */._H3({
    logs: schemas/* array */.YOg(LogLine.optional().catch(undefined)).transform((lines) => lines.filter((line) => line !== undefined)),
});
const nullableText = schemas/* string */.YjP().nullable().optional();
const RevisionConfigRequest = schemas/* looseObject */._H3({
    repo_ref: nullableText,
    graph_config_path: nullableText,
    image_uri: nullableText,
    source_tarball_path: nullableText,
});
const settingText = schemas/* string */.YjP("must be text").nullable().optional();
const SourceConfigRequest = schemas/* looseObject */._H3({
    build_on_push: schemas/* boolean */.zMY("must be true or false, without quotes").nullable().optional(),
    custom_url: settingText,
    deployment_type: settingText,
    install_command: settingText,
    build_command: settingText,
});
const SecretRequest = schemas/* looseObject */._H3({ name: schemas/* string */.YjP().min(1), value: schemas/* string */.YjP() });
/** The shape of a create request; the source rules come on top: `checkSourceOfCreate`. */
const DeploymentCreateRequest = schemas/* looseObject */._H3({
    name: schemas/* string */.YjP().min(1),
    source: schemas/* enum */.k5n(SOURCES),
    source_config: SourceConfigRequest,
    source_revision_config: RevisionConfigRequest,
    secrets: schemas/* array */.YOg(SecretRequest),
});
/** The shape of a partial update; the source rules come on top: `checkSourceOfPatch`. */
const DeploymentPatchRequest = schemas/* looseObject */._H3({
    source_config: SourceConfigRequest.nullable().optional(),
    source_revision_config: RevisionConfigRequest.nullable().optional(),
    secrets: schemas/* array */.YOg(SecretRequest).nullable().optional(),
});
/** The settings of a source that this product knows; a service may take more. */
const SOURCE_SETTINGS = Object.keys(SourceConfigRequest.shape);
/** Every setting of a source whose value is of another type than the service takes. */
function checkSourceConfig(config) {
    const parsed = SourceConfigRequest.safeParse(config);
    return parsed.success
        ? []
        : toValidationErrors(parsed.error).map((error) => ({ ...error, loc: ["source_config", ...error.loc] }));
}

;// CONCATENATED MODULE: ./src/local/http/raw-json.js
/** JSON kept as text: parsing and writing it again could change its numbers, and fails on deep nesting. */
class RawJson {
    text;
    constructor(text) {
        this.text = text;
    }
}
/** A value as JSON; raw parts are written unchanged. */
function writeJson(value) {
    if (value instanceof RawJson)
        return value.text;
    if (Array.isArray(value))
        return `[${value.map(writeJson).join(",")}]`;
    if (typeof value !== "object" || value === null)
        return JSON.stringify(value ?? null);
    const members = Object.entries(value).flatMap(([key, item]) => item === undefined ? [] : [`${JSON.stringify(key)}:${writeJson(item)}`]);
    return `{${members.join(",")}}`;
}
/** The text of each member of an object, which must be valid JSON. Of several members with one name the last counts. */
function membersOf(text) {
    const members = new Map();
    const parts = partsOf(text);
    for (let index = 0; index + 1 < parts.length; index += 2) {
        members.set(String(JSON.parse(parts[index] ?? '""')), parts[index + 1] ?? "null");
    }
    return members;
}
/** The members of a JSON object; empty for any other JSON value. */
function membersIn(json) {
    return json?.startsWith("{") === true ? membersOf(json) : new Map();
}
/** The other members as a JSON object; undefined if there are none. */
function without(members, excluded) {
    const rest = [...members].filter(([name]) => !excluded.has(name));
    if (rest.length === 0)
        return undefined;
    return writeJson(Object.fromEntries(rest.map(([name, json]) => [name, new RawJson(json)])));
}
/** The text of each element of a list, which must be valid JSON. */
function elementsOf(text) {
    return partsOf(text);
}
// The texts between the commas and colons of the outermost object or list.
function partsOf(text) {
    const parts = [];
    let depth = 0;
    let from = 0;
    const end = (at) => {
        const part = text.slice(from, at).trim();
        if (part !== "")
            parts.push(part);
        from = at + 1;
    };
    for (let at = 0; at < text.length; at += 1) {
        switch (text.charAt(at)) {
            case '"':
                at = endOfString(text, at);
                break;
            case "{":
            case "[":
                depth += 1;
                if (depth === 1)
                    from = at + 1;
                break;
            case "}":
            case "]":
                if (depth === 1)
                    end(at);
                depth -= 1;
                break;
            case ",":
            case ":":
                if (depth === 1)
                    end(at);
                break;
        }
    }
    return parts;
}
// The position of the closing quote.
function endOfString(text, open) {
    let at = open + 1;
    while (at < text.length && text[at] !== '"')
        at += text[at] === "\\" ? 2 : 1;
    return at;
}
/** True for a parsed JSON object. */
function isObject(value) {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

;// CONCATENATED MODULE: ./src/local/deployments/request.js





const FIELDS = ["name", "source", "source_config", "source_revision_config", "secrets"];
/** Fields that only the service sets. */
const READ_ONLY = new Set([
    "id",
    "tenant_id",
    "created_at",
    "updated_at",
    "status",
    "latest_revision_id",
    "active_revision_id",
    "url",
    "repo_commit_sha",
]);
/** Reads the body of a create; 422 with every violated rule. */
function readCreate(body, rules) {
    const request = readShape(DeploymentCreateRequest, body, rules);
    const broken = checkSourceOfCreate(request).filter(({ type }) => !(rules.compat && type === "missing"));
    throwIfAny([...checkEdition(request, rules), ...checkNames(body, rules), ...broken]);
    return request;
}
/** Reads the body of a partial update. `checkPatch` compares it with the deployment. */
function readPatch(body, rules) {
    const request = readShape(DeploymentPatchRequest, body, rules);
    throwIfAny(checkNames(body, rules));
    return request;
}
/** 422 with every rule that the update violates for this deployment. */
function checkPatch(request, deployment, isUploaded) {
    const { source } = deployment;
    const { source_revision_config } = request;
    const source_config = { ...deployment.source_config, ...request.source_config };
    const path = source_revision_config?.source_tarball_path;
    const unknownPath = source === "internal_source" && path != null && path !== "" && !isUploaded(path);
    throwIfAny([
        ...checkUnchanged(request, deployment),
        ...checkSourceOfPatch({ source, source_config, source_revision_config }),
        ...(unknownPath
            ? [
                invalidField(["source_revision_config", "source_tarball_path"], "must come from the upload-url endpoint, and be uploaded"),
            ]
            : []),
    ]);
}
function readShape(schema, body, rules) {
    const parsed = schema.safeParse(body, {
        error: (issue) => (issue.input === undefined ? "Field required" : undefined),
    });
    if (parsed.success)
        return parsed.data;
    const errors = (0,validation_error/* toValidationErrors */.Yt)(parsed.error).map((error) => error.msg === "Field required" ? { ...error, type: "missing" } : error);
    throw invalid(inBody([...errors, ...checkNames(body, rules)]));
}
function checkEdition({ source }, { edition }) {
    if (edition === undefined || SOURCE_RULES[source].editions.includes(edition))
        return [];
    return [invalidField(["source"], `${source} is not available on a ${edition} service`)];
}
// These cannot change after creation.
function checkUnchanged(request, deployment) {
    return ["name", "source"]
        .filter((field) => request[field] !== undefined && request[field] !== deployment[field])
        .map((field) => invalidField([field], `cannot be changed: it is ${deployment[field]}`));
}
function checkNames(body, { compat }) {
    if (compat || !isObject(body))
        return [];
    const config = body["source_revision_config"];
    return [
        ...unknownNames(body, FIELDS, []),
        ...(isObject(config) ? unknownNames(config, REVISION_CONFIG_FIELDS, ["source_revision_config"]) : []),
    ];
}
function unknownNames(object, known, loc) {
    return Object.keys(object)
        .filter((name) => !known.includes(name))
        .map((name) => READ_ONLY.has(name)
        ? invalidField([...loc, name], "is read-only", "read_only")
        : invalidField([...loc, name], "Extra inputs are not permitted", "extra_forbidden"));
}
function invalidField(loc, msg, type = "value_error") {
    return { loc, msg, type };
}
function throwIfAny(errors) {
    if (errors.length > 0)
        throw invalid(inBody(errors));
}
// As the service does: the part of the request first.
function inBody(errors) {
    return errors.map((error) => ({ ...error, loc: ["body", ...error.loc] }));
}

;// CONCATENATED MODULE: ./src/local/deployments/view.js
const NO_CONFIG = { repo_ref: null, graph_config_path: null, image_uri: null, source_tarball_path: null };
function viewRevision(revision, source) {
    const { id, created_at, updated_at, status, status_message, config } = revision;
    return {
        id,
        created_at,
        updated_at,
        status,
        status_message,
        source,
        // The local service does not clone repositories, so it knows no commit.
        source_revision_config: { ...config, repo_commit_sha: null },
    };
}
/** `agentUrl` is undefined until a revision is deployed. */
function viewDeployment(row, latest, agentUrl, tenantId) {
    const url = agentUrl === undefined ? null : (ownUrl(row) ?? agentUrl);
    return {
        id: row.id,
        name: row.name,
        tenant_id: tenantId,
        source: row.source,
        source_config: { ...row.source_config, custom_url: ownUrl(row) ?? url },
        source_revision_config: { ...(latest?.config ?? NO_CONFIG), repo_commit_sha: null },
        secrets: row.secret_names.map((name) => ({ name, value: null })),
        status: row.status,
        latest_revision_id: latest?.id ?? null,
        active_revision_id: row.active_revision_id,
        url,
        created_at: row.created_at,
        updated_at: row.updated_at,
    };
}
// The owner of an external image sets its URL; for all other sources the service does.
function ownUrl({ source, source_config }) {
    const url = source_config["custom_url"];
    return source === "external_docker" && typeof url === "string" && url !== "" ? url : undefined;
}

;// CONCATENATED MODULE: ./src/local/deployments/deployments.js







/** The operations of the control plane. Each throws an HttpError if the request is not allowed. */
class Deployments {
    #options;
    #deleting = new Map();
    /** Names that the traces of a deleted deployment keep. */
    #kept = new Set();
    constructor(options) {
        this.#options = options;
    }
    /** Creates a deployment and its first revision. */
    create(body) {
        const request = readCreate(body, this.#options.rules);
        if (this.#options.deployments.byName(request.name) !== undefined) {
            throw new HttpError(409, `There already exists a deployment named ${request.name}.`);
        }
        if (this.#kept.has(request.name)) {
            throw new HttpError(409, `There already exists a tracing project named ${request.name}.`);
        }
        const id = (0,external_node_crypto_.randomUUID)();
        this.#options.secrets?.set(id, request.secrets);
        return atomically(this.#options.database, () => {
            this.#options.deployments.insert({
                id,
                name: request.name,
                source: request.source,
                sourceConfig: request.source_config,
                secretNames: request.secrets.map(({ name }) => name),
            });
            this.#addRevision(this.row(id), revisionConfig(request.source_revision_config));
            return this.get(id);
        });
    }
    /** Updates a deployment. Any source fields that are not null create exactly one revision. */
    patch(id, body) {
        const request = readPatch(body, this.#options.rules);
        const deployment = this.row(id);
        checkPatch(request, deployment, (path) => this.#options.objects.isUploaded(id, path) && !this.#isSpent(id, path));
        this.#checkRevisionSource(request, deployment);
        if (deployment.status !== "READY")
            throw new HttpError(409, `Deployment ID ${id} is being deleted.`);
        const { conditions } = this.#options.faults;
        if (conditions.patchesWithoutRevision > 0) {
            conditions.patchesWithoutRevision -= 1;
            return this.get(id);
        }
        return atomically(this.#options.database, () => this.#apply(request, deployment));
    }
    get(id) {
        return this.#view(this.row(id));
    }
    /** One page, newest first. */
    list(filter) {
        const lag = this.#options.faults.conditions.listLagMilliseconds;
        const createdBefore = lag > 0 ? timestamp(Date.now() - lag) : undefined;
        return this.#options.deployments.list({ ...filter, createdBefore }).map((row) => this.#view(row));
    }
    /** Deletes at once, or later if `deleteMilliseconds` is set. */
    async delete(id, { withTraces }) {
        const { name } = this.row(id);
        const { deleteMilliseconds, keepsTraces } = this.#options.faults.conditions;
        if (keepsTraces && !withTraces)
            this.#kept.add(name);
        if (deleteMilliseconds === 0) {
            await this.#remove(id);
            return;
        }
        this.#options.deployments.markForDelete(id);
        if (this.#deleting.has(id))
            return;
        this.#deleting.set(id, setTimeout(() => {
            this.#deleting.delete(id);
            void this.#remove(id);
        }, deleteMilliseconds));
    }
    revision(deploymentId, revisionId) {
        const deployment = this.row(deploymentId);
        const revision = this.#options.revisions.get(revisionId);
        if (revision?.deployment_id !== deploymentId)
            throw notFound("Revision", revisionId);
        return viewRevision(revision, deployment.source);
    }
    /** One page, newest first. */
    revisions(deploymentId, filter) {
        const { source } = this.row(deploymentId);
        return this.#options.revisions.list(deploymentId, filter).map((row) => viewRevision(row, source));
    }
    /** The stored deployment; 404 if it does not exist. */
    row(id) {
        const row = this.#options.deployments.get(id);
        if (row === undefined)
            throw notFound("Deployment", id);
        return row;
    }
    /** Continues what a previous process left unfinished. */
    async resume() {
        const { deployments, fleet, revisions, walker } = this.#options;
        for (const row of deployments.all()) {
            if (row.status === "AWAITING_DELETE")
                await this.#remove(row.id);
            else if (row.active_revision_id !== null)
                await fleet.resume(row);
        }
        for (const revision of revisions.unfinished())
            walker.resume(revision, this.row(revision.deployment_id));
    }
    close() {
        for (const timer of this.#deleting.values())
            clearTimeout(timer);
    }
    #apply(request, deployment) {
        const { deployments, revisions, secrets } = this.#options;
        if (request.secrets != null)
            secrets?.set(deployment.id, request.secrets);
        deployments.update(deployment.id, { ...deployment.source_config, ...request.source_config }, request.secrets?.map(({ name }) => name) ?? deployment.secret_names);
        if (!makesRevision(request.source_revision_config))
            return this.get(deployment.id);
        const before = revisions.latest(deployment.id)?.config;
        this.#addRevision(deployment, revisionConfig(request.source_revision_config ?? {}, before));
        const view = this.get(deployment.id);
        this.#addForeignRevision(deployment);
        return view;
    }
    #addRevision(deployment, config) {
        const id = (0,external_node_crypto_.randomUUID)();
        this.#options.revisions.insert(id, deployment.id, config, "CREATING");
        this.#options.walker.start(this.#revisionRow(id), deployment);
    }
    // After the response to the client, as in a race with another user.
    #addForeignRevision(deployment) {
        const { conditions } = this.#options.faults;
        if (conditions.foreignRevisions === 0)
            return;
        conditions.foreignRevisions -= 1;
        const config = this.#options.revisions.latest(deployment.id)?.config;
        if (config === undefined)
            return;
        const path = config.source_tarball_path;
        const foreignPath = path === null ? null : this.#options.objects.duplicate(deployment.id, path);
        this.#addRevision(deployment, { ...config, source_tarball_path: foreignPath });
    }
    // Some object stores drop a tarball once it is built.
    #isSpent(id, path) {
        const { faults, revisions } = this.#options;
        return faults.conditions.tarballsServeOnce && revisions.hasTarball(id, path);
    }
    // Public clients may also name a source for this revision only.
    #checkRevisionSource(request, { source }) {
        const given = request["revision_source"];
        if (given == null || given === source)
            return;
        throw new HttpError(400, `revision_source does not match: the source of this deployment is ${source}.`);
    }
    async #remove(id) {
        this.#options.objects.removeOf(id);
        this.#options.deployments.remove(id);
        await this.#options.fleet.remove(id);
    }
    #revisionRow(id) {
        const row = this.#options.revisions.get(id);
        if (row === undefined)
            throw notFound("Revision", id);
        return row;
    }
    #view(row) {
        const { fleet, revisions, tenantId } = this.#options;
        return viewDeployment(row, revisions.latest(row.id), fleet.url(row), tenantId);
    }
}

// EXTERNAL MODULE: ./src/text/quoted.js
var quoted = __webpack_require__(5564);
;// CONCATENATED MODULE: ./src/contract/project-hints.js


/** The longest file that is looked into, characters: what defines a graph is short. */
const LONGEST_GRAPH_FILE = 256 * 1024;
/** What says which packages a directory needs. */
const MANIFESTS = [
    ...["pyproject.toml", "requirements.txt", "setup.py", "setup.cfg", "package.json"],
    ...["Pipfile", "environment.yml", "poetry.lock", "uv.lock", "deno.json"],
];
/**
 * What seems to be missing in a project, as far as it shows without running it: sentences for the user. Where the
 * syntax does not show it, nothing is said.
 */
function projectHints(config, files) {
    const graphs = config.graphs.flatMap(({ id, file, exportName }) => {
        const text = files.read(file);
        if (text === undefined || text.length > LONGEST_GRAPH_FILE)
            return [];
        if (findExport(file, text, exportName) !== "missing")
            return [];
        return [`Graph ${(0,quoted/* quoted */.TL)(id)}: ${file} does not seem to define ${(0,quoted/* quoted */.TL)(exportName)}.`];
    });
    return [...graphs, ...dependencyHints(config, files)];
}
/** Whether a source file exports a name, as far as its syntax shows. */
function findExport(file, text, name) {
    if (!/^[A-Za-z_$][\w$]*$/.test(name) || text.includes("\uFFFD"))
        return "unknown";
    if (file.endsWith(".py"))
        return findPythonName(text, name);
    return /\.m?[jt]s$/.test(file) ? findScriptExport(text, name) : "unknown";
}
function dependencyHints({ dependencies }, { has }) {
    const isHome = (dependency) => dependency.startsWith(".") && external_node_path_.posix.normalize(`${dependency}/`) === "./";
    if (dependencies.length === 0) {
        if (has("package.json"))
            return [];
        return ['The configuration file lists no dependencies: add "dependencies": ["."] if the agent needs packages.'];
    }
    // Packages that are listed by their names may be all that there is to install.
    const isOnlyHome = dependencies.every((dependency) => isHome(dependency));
    if (!isOnlyHome || MANIFESTS.some(has))
        return [];
    const expected = (0,quoted/* listed */.KE)(["pyproject.toml", "requirements.txt", "package.json"]);
    return [`The dependency "." has no ${expected}: no packages are installed for the agent.`];
}
// What exports without the keyword, or names that the text does not hold.
const DYNAMIC = /\bexport\s*(?:=|\*\s*from)|(?<![\w$.])(?:module|exports|require|__esModule)(?![\w$])/;
const EXPORT = /(?<![\w$.])export(?![\w$])(?!\s*:)/g;
const DECLARED = /^\s*(?:declare\s+)?(?:async\s+)?(?:abstract\s+)?(?:function\b\s*\*?|class\b|(?:const\s+)?enum\b|namespace\b|type\b|interface\b|import\b)\s*([\w$]+)/;
const VARIABLES = /^\s*(?:declare\s+)?(?:const|let|var)\b/;
const CLAUSE = /^\s*(?:type\s*)?(?:\{([^}]*)\}|\*\s*as\s+([\w$]+))/;
/** Looks for an export of a module of JavaScript or TypeScript. Nothing is run. */
function findScriptExport(text, name) {
    const code = withoutTexts(text);
    if (code === undefined || DYNAMIC.test(code))
        return "unknown";
    const starts = [...code.matchAll(EXPORT)].map(({ index }) => index + "export".length);
    // Each is read up to the next one.
    const verdicts = starts.map((start, index) => lookAt(code.slice(start, starts[index + 1]), name));
    return (verdicts.find((verdict) => verdict === "there") ?? verdicts.find((verdict) => verdict === "unknown") ?? "missing");
}
function lookAt(statement, name) {
    if (/^\s*default\b/.test(statement))
        return verdictOf(name === "default");
    const declared = DECLARED.exec(statement)?.[1];
    if (declared !== undefined)
        return verdictOf(declared === name);
    if (VARIABLES.test(statement))
        return verdictOf(wordsOf(declaration(statement)).includes(name));
    const [, names, namespace] = CLAUSE.exec(statement) ?? [];
    if (namespace !== undefined)
        return verdictOf(namespace === name);
    // A name may be written as a string, whose content is gone here.
    if (names === undefined || names.includes('"'))
        return "unknown";
    return verdictOf(names.split(",").some((part) => wordsOf(part).at(-1) === name));
}
function verdictOf(isThere) {
    return isThere ? "there" : "missing";
}
function wordsOf(code) {
    return code.match(/[\w$]+/g) ?? [];
}
/** The names and patterns of a declaration of variables, without their values. */
function declaration(statement) {
    let depth = 0;
    let isValue = false;
    let kept = "";
    for (const sign of statement) {
        if (")]}".includes(sign))
            depth -= 1;
        if (depth === 0 && sign === ";")
            break;
        if (depth === 0 && (sign === "=" || sign === ","))
            isValue = sign === "=";
        if (!isValue)
            kept += sign;
        if ("([{".includes(sign))
            depth += 1;
    }
    return kept;
}
const TEXTS = /\/\/[^\n]*|\/\*[^]*?\*\/|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|`(?:[^`\\$]|\\[^]|\$(?!\{)|\$\{[^`{}]*\})*`|["'`/]/g;
const EXPRESSION = /(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//y;
// A slash behind one of these begins a regular expression; behind a value it divides.
const BEFORE_EXPRESSION = /(?:^|[=(,:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|delete|void|throw|new|do|else|await|yield))\s*$/;
const LOOK_BACK = 64;
/** The text without comments and without what strings and expressions hold; undefined where that is ambiguous. */
function withoutTexts(text) {
    const parts = [];
    let from = 0;
    TEXTS.lastIndex = 0;
    for (let match = TEXTS.exec(text); match !== null; match = TEXTS.exec(text)) {
        const [found] = match;
        const code = text.slice(from, match.index);
        const isComment = /^\/[/*]/.test(found);
        if (found.length > 1)
            parts.push(code, isComment ? " " : '""');
        else {
            // A string without its end, a comment without its end, or values within values of a template.
            if (found !== "/" || text.startsWith("/*", match.index))
                return undefined;
            const before = `${parts.at(-1) ?? ""}${code}`.slice(-LOOK_BACK);
            const isExpression = BEFORE_EXPRESSION.test(before);
            EXPRESSION.lastIndex = TEXTS.lastIndex;
            if (isExpression && !EXPRESSION.test(text))
                return undefined;
            parts.push(code, isExpression ? '""' : "/");
            if (isExpression)
                TEXTS.lastIndex = EXPRESSION.lastIndex;
        }
        from = TEXTS.lastIndex;
    }
    return [...parts, text.slice(from)].join("");
}
// What can give a module a name that its text does not hold.
const PYTHON_DYNAMIC = /(?<![\w.])(?:globals|locals|vars|exec|setattr|__import__|__getattr__|importlib)(?!\w)|(?<!\w)sys\s*\.\s*modules|(?<!\w)import\s*\(?\s*\*/;
const DEFINITION = /^(?:async\s+)?(?:def|class)\s+(\w+)/;
/** Looks for a name of a Python module: what its top level defines, assigns or imports. Nothing is run. */
function findPythonName(text, name) {
    const code = withoutStrings(text);
    if (code === undefined || PYTHON_DYNAMIC.test(code))
        return "unknown";
    // The indent of the definition whose body is read.
    let scope = Infinity;
    for (const { indent, line } of logicalLines(code)) {
        if (indent > scope) {
            if (/^global\s/.test(line) && mentions(line, name))
                return "there";
            continue;
        }
        const definition = DEFINITION.exec(line);
        scope = definition === null ? Infinity : indent;
        // Any mention will do: a use of the name shows that it is there as well as its making does.
        if (definition === null ? mentions(line, name) : definition[1] === name)
            return "there";
    }
    return "missing";
}
const PYTHON_TEXTS = /#[^\n]*|("""|''')(?:[^\\]|\\[^])*?\1|"""|'''|"(?:[^"\\\n]|\\[^])*"|'(?:[^'\\\n]|\\[^])*'|["']/g;
/** The text without comments and without what strings hold; undefined where a string does not end. */
function withoutStrings(text) {
    const parts = [];
    let from = 0;
    for (const { 0: found, index } of text.matchAll(PYTHON_TEXTS)) {
        // At once: to look on behind each string without an end would take the square of the time.
        if (/^(?:"""|'''|["'])$/.test(found))
            return undefined;
        parts.push(text.slice(from, index), found.startsWith("#") ? "" : '""');
        from = index + found.length;
    }
    return [...parts, text.slice(from)].join("");
}
/** Lines with all that brackets and backslashes carry on with, without blank ones. */
function* logicalLines(code) {
    let parts = [];
    let depth = 0;
    for (const part of code.split(/\r\n|[\n\r\f]/)) {
        parts.push(part);
        for (const [bracket] of part.matchAll(/[()[\]{}]/g))
            depth += "([{".includes(bracket) ? 1 : -1;
        if (depth > 0 || part.endsWith("\\"))
            continue;
        yield* lineOf(parts);
        parts = [];
        depth = 0;
    }
    yield* lineOf(parts);
}
function lineOf(parts) {
    const text = parts.join(" ").replaceAll("\t", " ".repeat(8));
    const line = text.trim();
    return line === "" ? [] : [{ indent: text.length - text.trimStart().length, line }];
}
// Not as an attribute: `builder.graph` is not a name of the module.
function mentions(line, name) {
    return line.split(/[^\w.]+/).some((word) => word === name || word.startsWith(`${name}.`));
}

;// CONCATENATED MODULE: ./src/local/deployments/revision-steps.js




/** The work of a revision's walk: check the source, start the agent, open its address, activate it. */
function revisionSteps(options) {
    const { deployments, revisions, objects, logs, agents } = options;
    return {
        async build({ id, config }, source, signal) {
            if (source !== "internal_source") {
                logs.append(id, "build", "INFO", `The local service does not fetch the source ${source}: nothing to build.`);
                return true;
            }
            const file = objects.file(config.source_tarball_path ?? "");
            if (file === undefined) {
                logs.append(id, "build", "ERROR", "The source tarball is missing.");
                return false;
            }
            const graphs = await build({
                file,
                configPath: config.graph_config_path,
                signal,
                log: (level, message) => {
                    logs.append(id, "build", level, message);
                },
            });
            if (graphs !== undefined)
                revisions.setGraphs(id, graphs);
            return graphs !== undefined;
        },
        deploy: (revision, source, signal) => rollOut(revision, source, signal, options),
        activate({ id, deployment_id, graphs }) {
            deployments.activate(deployment_id, id);
            agents?.serve(deployment_id, id);
            const what = graphs === null ? "its graphs are unknown" : `graphs: ${graphs.join(", ")}`;
            logs.append(id, "deploy", "INFO", `This revision serves now; ${what}.`);
        },
        async leave(id) {
            await agents?.drop(id);
        },
    };
}
async function rollOut(revision, source, signal, { deployments, logs, fleet, agents }) {
    const { id, deployment_id } = revision;
    const deployment = deployments.get(deployment_id);
    if (deployment === undefined)
        return undefined;
    const failure = source === "internal_source" ? await agents?.start(revision, signal) : undefined;
    if (failure !== undefined) {
        logs.append(id, "deploy", "ERROR", failure);
        return failure;
    }
    const url = await fleet.open(deployment);
    // The deployment may have been deleted in the meantime.
    if (deployments.get(deployment_id) === undefined)
        await fleet.remove(deployment_id);
    else
        logs.append(id, "deploy", "INFO", `The agent server listens at ${url}.`);
    return undefined;
}
/**
 * Builds a revision as far as a local service does: reads the tarball and its configuration file, and checks that the
 * files it names are there. Returns the graphs, or undefined if the build fails; the log has the reason.
 */
async function build(input) {
    const { log } = input;
    const configPath = external_node_path_.posix.normalize(input.configPath ?? DEFAULT_GRAPH_CONFIG);
    try {
        const source = await readSource(input, configPath);
        log("INFO", `Unpacked the archive: files ${String(source.tree.files)}, bytes ${String(source.bytes)}.`);
        const config = readConfig(source, configPath, log);
        if (config === undefined || !checkConfig(config, source.tree, configPath, log))
            return undefined;
        for (const hint of await hintsOf(config, source.tree, configPath, input))
            log("WARNING", hint);
        const graphs = config.graphs.map(({ id }) => id);
        log("INFO", `Graphs: ${graphs.join(", ")}.`);
        return graphs;
    }
    catch (error) {
        if (!(error instanceof ArchiveError))
            throw error;
        log("ERROR", `The archive is invalid: ${error.message}.`);
        return undefined;
    }
}
async function readSource({ file, signal }, configPath) {
    const first = await readArchive(file, { needed: new Set([configPath]) }, { signal });
    const place = first.tree.resolve(configPath);
    const config = first.contents.get(configPath);
    if (config !== undefined || place?.kind !== "file")
        return { tree: first.tree, config, bytes: first.bytes };
    // The path goes through a link, which only the complete tree can resolve.
    const second = await readArchive(file, { needed: new Set([place.path]) }, { signal });
    return { tree: first.tree, config: second.contents.get(place.path), bytes: first.bytes };
}
function readConfig(source, configPath, log) {
    if (source.config === undefined) {
        log("ERROR", `The configuration file ${configPath} is not in the archive.`);
        return undefined;
    }
    const result = parseGraphConfig(source.config.toString("utf8"));
    if (result.ok)
        return result.config;
    for (const error of result.faults)
        log("ERROR", `${configPath}: ${error}`);
    return undefined;
}
// Reports all errors, so that one build is enough to find them.
function checkConfig(config, tree, configPath, log) {
    const at = (path) => tree.resolve(`${external_node_path_.posix.dirname(configPath)}/${path}`);
    const missingGraphs = config.graphs.filter(({ file }) => at(file)?.kind !== "file");
    for (const { id, file } of missingGraphs)
        log("ERROR", `Graph ${id}: the file ${file} is not in the archive.`);
    const missingDependencies = config.dependencies.filter((path) => path.startsWith(".") && at(path) === undefined);
    for (const path of missingDependencies)
        log("ERROR", `Dependency ${path} is not in the archive.`);
    if (config.envFile !== undefined && at(config.envFile) === undefined) {
        log("WARNING", `The env file ${config.envFile} is not in the archive; set the deployment's secrets instead.`);
    }
    return missingGraphs.length === 0 && missingDependencies.length === 0;
}
// What only shows at run time is left to the start of the agent.
async function hintsOf(config, tree, configPath, { file, signal }) {
    const at = (path) => tree.resolve(`${external_node_path_.posix.dirname(configPath)}/${path}`);
    const paths = config.graphs.flatMap((graph) => at(graph.file)?.path ?? []);
    const { contents } = await readArchive(file, { spare: new Set(paths) }, { signal });
    return projectHints(config, {
        has: (path) => at(path) !== undefined,
        read: (path) => contents.get(at(path)?.path ?? "")?.toString("utf8"),
    });
}

;// CONCATENATED MODULE: ./src/local/deployments/revision-walk.js



/** Takes revisions through their statuses. A waiting revision is skipped as soon as a newer one is created. */
class RevisionWalker {
    #options;
    #lanes = new Map();
    #walks = new Set();
    #closing = new AbortController();
    constructor(options) {
        this.#options = options;
    }
    /** Begins the walk of a new revision. */
    start(revision, deployment) {
        const lane = this.#lane(deployment.id);
        for (const [id, { turn }] of lane.waiting) {
            const skipped = this.#options.revisions.get(id);
            if (skipped !== undefined)
                this.#end(skipped, deployment, "SKIPPED");
            turn.resolve(false);
        }
        lane.waiting.clear();
        // The placeholder of a create without a source takes no fate: it cannot fail.
        const fate = hasSource(deployment.source, revision.config) ? this.#options.fates.take() : {};
        this.#enter(revision, deployment, planWalk(deployment.source, fate), fate);
    }
    /** Continues a revision that a restart interrupted; call it for the oldest first. */
    resume(revision, deployment) {
        const plan = planWalk(deployment.source);
        this.#enter(revision, deployment, plan.slice(Math.max(0, plan.indexOf(revision.status))), {});
    }
    /** Stops all walks at their current status. */
    async close() {
        this.#closing.abort();
        this.#options.fates.release();
        for (const lane of this.#lanes.values())
            for (const { turn } of lane.waiting.values())
                turn.resolve(false);
        await Promise.all(this.#walks);
    }
    #lane(deploymentId) {
        const lane = this.#lanes.get(deploymentId) ?? { running: undefined, waiting: new Map() };
        this.#lanes.set(deploymentId, lane);
        return lane;
    }
    #enter(revision, deployment, plan, fate) {
        const lane = this.#lane(deployment.id);
        const turn = Promise.withResolvers();
        const ready = hasSource(deployment.source, revision.config);
        if (ready && lane.running === undefined) {
            lane.running = revision.id;
            turn.resolve(true);
        }
        else
            lane.waiting.set(revision.id, { ready, turn });
        const built = fate.walk === undefined && fate.end === "BUILD_FAILED";
        const walk = { id: revision.id, deployment, plan, fate, turn: turn.promise, built, rolledOut: false };
        const walked = this.#run(walk).finally(() => this.#walks.delete(walked));
        this.#walks.add(walked);
    }
    async #run(walk) {
        try {
            await this.#steps(walk);
        }
        catch (error) {
            if (this.#closing.signal.aborted)
                return;
            this.#options.log(`${walk.deployment.name}: revision ${walk.id} failed: ${String(error)}`);
            const revision = this.#current(walk.id);
            if (revision !== undefined)
                this.#end(revision, walk.deployment, "INTERRUPTED", "Internal error of the local service.");
        }
        await this.#options.steps.leave(walk.id);
        this.#next(walk);
    }
    async #steps(walk) {
        const last = walk.plan.at(-1) ?? "DEPLOYED";
        for (const status of walk.plan.slice(0, -1)) {
            const revision = this.#current(walk.id);
            if (revision === undefined)
                return;
            this.#options.revisions.setStatus(revision, status, null);
            await this.#stay(walk, status);
            if (status === "QUEUED" && !(await walk.turn))
                return;
            if (status === "BUILDING" && !(await this.#build(walk)))
                return;
            if (status === "DEPLOYING" && !(await this.#rollOut(walk)))
                return;
        }
        if (last === "DEPLOYED") {
            if (!(await this.#build(walk)) || !(await this.#rollOut(walk)))
                return;
        }
        const revision = this.#current(walk.id);
        if (revision !== undefined)
            this.#finish(walk, revision, last);
    }
    async #build(walk) {
        const revision = this.#current(walk.id);
        if (revision === undefined)
            return false;
        if (walk.built)
            return true;
        walk.built = await this.#options.steps.build(revision, walk.deployment.source, this.#closing.signal);
        const current = this.#current(walk.id);
        if (!walk.built && current !== undefined)
            this.#end(current, walk.deployment, "BUILD_FAILED");
        return walk.built;
    }
    async #rollOut(walk) {
        const revision = this.#current(walk.id);
        if (revision === undefined)
            return false;
        if (walk.rolledOut)
            return true;
        const failure = await this.#options.steps.deploy(revision, walk.deployment.source, this.#closing.signal);
        walk.rolledOut = failure === undefined;
        const current = this.#current(walk.id);
        if (failure !== undefined && current !== undefined)
            this.#end(current, walk.deployment, "DEPLOY_FAILED", failure);
        return walk.rolledOut;
    }
    #finish({ fate, deployment }, revision, status) {
        const { log: kind } = revisionStatusFact(status);
        const level = kind === undefined ? "INFO" : "ERROR";
        for (const line of fate.log ?? [])
            this.#options.logs.append(revision.id, kind ?? "build", level, line);
        if (status === "DEPLOYED")
            this.#options.steps.activate(revision);
        this.#end(revision, deployment, status, fate.message);
    }
    #end(revision, deployment, status, message) {
        const fact = revisionStatusFact(status);
        const statusMessage = message ?? (fact.terminal && !fact.succeeded ? fact.sentence : null);
        this.#options.revisions.setStatus(revision, status, statusMessage);
        this.#options.log(`${deployment.name}: revision ${revision.id} is ${status}`);
    }
    // At least one tick, so that each status can be observed.
    async #stay({ deployment, fate }, status) {
        const { signal } = this.#closing;
        // Taken before the wait: a caller may release as soon as it sees the status.
        const released = fate.hold === status ? this.#options.fates.released : undefined;
        const milliseconds = stayOf(status, deployment.source, this.#options.walkMilliseconds);
        await (milliseconds === 0 ? (0,external_node_timers_promises_.setImmediate)(undefined, { signal }) : (0,external_node_timers_promises_.setTimeout)(milliseconds, undefined, { signal }));
        await released;
    }
    // Undefined if the revision was deleted or skipped, or the service is closing.
    #current(id) {
        const revision = this.#closing.signal.aborted ? undefined : this.#options.revisions.get(id);
        return revision !== undefined && isUnfinished(revision) ? revision : undefined;
    }
    #next({ id, deployment }) {
        const lane = this.#lane(deployment.id);
        if (lane.running !== id)
            return;
        lane.running = undefined;
        const next = [...lane.waiting].find(([, { ready }]) => ready);
        if (next === undefined)
            return;
        lane.running = next[0];
        lane.waiting.delete(next[0]);
        next[1].turn.resolve(true);
    }
}
// The statuses of a revision that succeeds; an image has nothing to build.
const BUILD_AND_DEPLOY = ["CREATING", "QUEUED", "AWAITING_BUILD", "BUILDING", "AWAITING_DEPLOY", "DEPLOYING"];
const DEPLOY_ONLY = ["CREATING", "QUEUED", "AWAITING_DEPLOY", "DEPLOYING"];
const IMAGE_SOURCES = new Set(["external_docker", "internal_docker"]);
// The status after which a revision ends in another way than DEPLOYED.
const ENDS_AFTER = {
    CREATE_FAILED: "CREATING",
    SKIPPED: "QUEUED",
    BUILD_FAILED: "BUILDING",
    INTERRUPTED: "BUILDING",
    DEPLOY_FAILED: "DEPLOYING",
};
// How long a status lasts, relative to the others.
const SHARES = { BUILDING: 4, DEPLOYING: 2 };
/** All statuses of a revision, including the last. */
function planWalk(source, fate = {}) {
    if (fate.walk !== undefined && fate.walk.length > 0)
        return fate.walk;
    const statuses = IMAGE_SOURCES.has(source) ? DEPLOY_ONLY : BUILD_AND_DEPLOY;
    const { end = "DEPLOYED" } = fate;
    const after = statuses.indexOf(isUnsuccessful(end) ? ENDS_AFTER[end] : "DEPLOYING");
    return [...statuses.slice(0, after === -1 ? statuses.length : after + 1), end];
}
function isUnsuccessful(status) {
    return Object.hasOwn(ENDS_AFTER, status);
}
/** How long a status lasts, milliseconds; all statuses of a successful walk take `total`. */
function stayOf(status, source, total) {
    const statuses = IMAGE_SOURCES.has(source) ? DEPLOY_ONLY : BUILD_AND_DEPLOY;
    const shares = statuses.reduce((sum, step) => sum + (SHARES[step] ?? 1), 0);
    return (total * (SHARES[status] ?? 1)) / shares;
}
/** Without a source there is nothing to build or to roll out: the revision waits for the update that brings it. */
function hasSource(source, config) {
    if (source === "internal_source")
        return config.source_tarball_path != null;
    return source !== "external_docker" || config.image_uri != null;
}

// EXTERNAL MODULE: ./src/contract/instant.js
var contract_instant = __webpack_require__(9370);
;// CONCATENATED MODULE: ./src/local/experiments/dataset-store.js


const dataset_store_Row = schemas/* object */.Ikc({
    id: schemas/* string */.YjP(),
    name: schemas/* string */.YjP(),
    description: schemas/* string */.YjP().nullable(),
    externally_managed: flag,
    example_count: schemas/* number */.aig(),
    created_at: schemas/* string */.YjP(),
    modified_at: schemas/* string */.YjP(),
    session_count: schemas/* number */.aig(),
    last_session_start_time: schemas/* string */.YjP().nullable(),
});
const SELECT = `SELECT datasets.*,
    (SELECT count(*) FROM experiments WHERE dataset_id = datasets.id) AS session_count,
    (SELECT start_time FROM experiments WHERE dataset_id = datasets.id ORDER BY start_us DESC LIMIT 1)
      AS last_session_start_time
  FROM datasets`;
/** The datasets. Names are unique, as ids are. */
class DatasetStore {
    #database;
    constructor(database) {
        this.#database = database;
    }
    insert(dataset) {
        const now = timestamp();
        const { id, name, description, externallyManaged } = dataset;
        this.#database
            .prepare(`INSERT INTO datasets (id, name, description, externally_managed, example_count, created_at, modified_at)
         VALUES (?, ?, ?, ?, 0, ?, ?)`)
            .run(id, name, description, externallyManaged ? 1 : 0, now, now);
    }
    get(id) {
        return this.#one("id = ?", id);
    }
    byName(name) {
        return this.#one("name = ?", name);
    }
    /** Newest first. */
    list({ limit, offset }) {
        return this.#database
            .prepare(`${SELECT} ORDER BY seq DESC LIMIT ? OFFSET ?`)
            .all(limit, offset)
            .map((row) => dataset_store_Row.parse(row));
    }
    count() {
        const row = this.#database.prepare("SELECT count(*) AS count FROM datasets").get();
        return schemas/* object */.Ikc({ count: schemas/* number */.aig() }).parse(row).count;
    }
    /** Call it after adding an experiment. The examples of a dataset are the row ids of all its experiments. */
    touch(id, description) {
        this.#database
            .prepare(`UPDATE datasets SET modified_at = :now, description = coalesce(:description, description), example_count = (
           SELECT count(DISTINCT row_id) FROM experiment_rows WHERE upload IN (
             SELECT upload FROM experiments WHERE dataset_id = :id))
         WHERE id = :id`)
            .run({ id, now: timestamp(), description: description ?? null });
    }
    #one(condition, value) {
        const row = this.#database.prepare(`${SELECT} WHERE ${condition}`).get(value);
        return row === undefined ? undefined : dataset_store_Row.parse(row);
    }
}

;// CONCATENATED MODULE: ./src/local/experiments/rows.js



const Outside = schemas/* object */.Ikc({ position: schemas/* number */.aig(), start: flag, end: flag });
const Text = schemas/* object */.Ikc({ json: schemas/* string */.YjP() });
const Summary = schemas/* object */.Ikc({ count: schemas/* number */.aig(), failed: schemas/* number */.aig().nullable(), last: schemas/* string */.YjP().nullable() });
const Seconds = schemas/* object */.Ikc({ seconds: schemas/* number */.aig() });
/** The rows of all experiments, and of uploads in progress. */
class ExperimentRows {
    #database;
    #insert;
    constructor(database) {
        this.#database = database;
        this.#insert = database.prepare("INSERT INTO experiment_rows (upload, position, row_id, start_us, end_us, failed, scores, json) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
    }
    /** Within the caller's transaction. */
    insert(upload, { position, rowId, start, end, failed, scores, json }) {
        this.#insert.run(upload, position, rowId, start, end, failed ? 1 : 0, JSON.stringify(scores), json);
    }
    remove(upload) {
        this.#database.prepare("DELETE FROM experiment_rows WHERE upload = ?").run(upload);
    }
    /** Removes rows of uploads that a crash interrupted. */
    removeLeftOver() {
        this.#database.exec("DELETE FROM experiment_rows WHERE upload NOT IN (SELECT upload FROM experiments)");
    }
    /** In the order of the upload. */
    *texts(upload, { limit, offset }) {
        const rows = this.#database
            .prepare("SELECT json FROM experiment_rows WHERE upload = ? ORDER BY position LIMIT ? OFFSET ?")
            .iterate(upload, limit, offset);
        for (const row of rows)
            yield Text.parse(row).json;
    }
    /** The first rows with a time outside the window. */
    outside(upload, { start, end }, limit) {
        return this.#database
            .prepare(`SELECT position, start_us NOT BETWEEN :start AND :end AS start, end_us NOT BETWEEN :start AND :end AS end
         FROM experiment_rows
         WHERE upload = :upload AND (start_us NOT BETWEEN :start AND :end OR end_us NOT BETWEEN :start AND :end)
         ORDER BY position LIMIT :limit`)
            .all({ upload, start, end, limit })
            .map((row) => Outside.parse(row));
    }
    /** The number of rows and of failed rows, and the latest start. */
    summary(upload) {
        const row = this.#database
            .prepare(`SELECT count(*) AS count, sum(failed) AS failed, CAST(max(start_us) AS TEXT) AS last
         FROM experiment_rows WHERE upload = ?`)
            .get(upload);
        const { count, failed, last } = Summary.parse(row);
        return { count, failed: failed ?? 0, lastStart: last === null ? null : (0,contract_instant/* formatInstant */.r4)(BigInt(last)) };
    }
    /** A quantile of the latencies in seconds, interpolated; null without rows. */
    latency(upload, quantile, count) {
        const rank = quantile * (count - 1);
        const [below, above] = this.#database
            .prepare(`SELECT (end_us - start_us) / 1000000.0 AS seconds FROM experiment_rows WHERE upload = ?
         ORDER BY end_us - start_us LIMIT 2 OFFSET ?`)
            .all(upload, Math.max(0, Math.floor(rank)))
            .map((row) => Seconds.parse(row).seconds);
        if (below === undefined)
            return null;
        return below + ((above ?? below) - below) * (rank - Math.floor(rank));
    }
}

;// CONCATENATED MODULE: ./src/local/experiments/statistics.js

// Keys and values are foreign; z.record would drop the name `__proto__`.
const named = (schema) => schemas/* custom */.IeY((value) => typeof value === "object" && value !== null)
    .transform((value) => Object.fromEntries(Object.entries(value).map(([name, item]) => [name, schema.parse(item)])));
const FeedbackStatistics = named(schemas/* object */.Ikc({
    /** The number of feedback objects with the key. */
    n: schemas/* number */.aig(),
    /** How many of those have a score; missing in data of an older version. */
    scored: schemas/* number */.aig().optional(),
    /** The mean of the scores; null without scores. */
    avg: schemas/* number */.aig().nullable(),
    /** How often each value occurs. */
    values: named(schemas/* number */.aig()),
}));
/** The statistics that a service computes a few seconds after an upload. */
const ExperimentStatistics = schemas/* object */.Ikc({
    run_count: schemas/* number */.aig(),
    /** Seconds; null without rows. */
    latency_p50: schemas/* number */.aig().nullable(),
    latency_p99: schemas/* number */.aig().nullable(),
    error_rate: schemas/* number */.aig().nullable(),
    streaming_rate: schemas/* number */.aig().nullable(),
    last_run_start_time: schemas/* string */.YjP().nullable(),
    feedback_stats: FeedbackStatistics,
    session_feedback_stats: FeedbackStatistics,
});
/** Counts feedback as it comes; its memory grows with the keys and values, not with the rows. */
class FeedbackTally {
    #tallies = new Map();
    add(feedback = []) {
        for (const { key, score, value } of feedback) {
            const tally = this.#tallies.get(key) ?? { n: 0, scores: 0, sum: 0, lost: 0, values: new Map() };
            this.#tallies.set(key, tally);
            tally.n += 1;
            if (score !== undefined)
                addScore(tally, score);
            if (value !== undefined)
                tally.values.set(value, (tally.values.get(value) ?? 0) + 1);
        }
    }
    result() {
        return Object.fromEntries([...this.#tallies].map(([key, { n, scores, sum, lost, values }]) => [
            key,
            { n, scored: scores, avg: scores === 0 ? null : (sum + lost) / scores, values: Object.fromEntries(values) },
        ]));
    }
}
// Neumaier's summation: the mean of many equal scores is exactly that score.
function addScore(tally, score) {
    const sum = tally.sum + score;
    tally.lost += Math.abs(tally.sum) >= Math.abs(score) ? tally.sum - sum + score : score - sum + tally.sum;
    tally.sum = sum;
    tally.scores += 1;
}

;// CONCATENATED MODULE: ./src/local/experiments/store.js



const store_Row = schemas/* object */.Ikc({
    id: schemas/* string */.YjP(),
    dataset_id: schemas/* string */.YjP(),
    name: schemas/* string */.YjP(),
    description: schemas/* string */.YjP().nullable(),
    start_time: schemas/* string */.YjP(),
    end_time: schemas/* string */.YjP(),
    /** The text of a JSON object, as it was sent. */
    metadata: schemas/* string */.YjP().nullable(),
    /** The text of a JSON list, as it was sent. */
    summary_scores: schemas/* string */.YjP().nullable(),
    /** The number of the experiment in its dataset, from 1. */
    number: schemas/* number */.aig(),
    /** Identifies its rows. */
    upload: schemas/* number */.aig(),
    statistics: jsonColumn(ExperimentStatistics),
    /** When the statistics appear, milliseconds since the epoch. */
    counted_at: schemas/* number */.aig(),
});
/** The experiments. Names are unique over all datasets. */
class ExperimentStore {
    #database;
    constructor(database) {
        this.#database = database;
    }
    insert(experiment) {
        const { start, end, statistics, ...columns } = experiment;
        this.#database
            .prepare(`INSERT INTO experiments (id, dataset_id, name, description, start_time, start_us, end_time, metadata,
           summary_scores, number, upload, statistics, counted_at)
         VALUES (:id, :dataset_id, :name, :description, :start_time, :start_us, :end_time, :metadata, :summary_scores,
           (SELECT coalesce(max(number), 0) + 1 FROM experiments WHERE dataset_id = :dataset_id),
           :upload, :statistics, :counted_at)`)
            .run({
            ...columns,
            start_time: start.text,
            start_us: start.microseconds,
            end_time: end.text,
            statistics: JSON.stringify(statistics),
        });
    }
    get(id) {
        return this.#one("id", id);
    }
    byName(name) {
        return this.#one("name", name);
    }
    /** Newest first. */
    list(datasetId, { limit, offset }) {
        return this.#database
            .prepare("SELECT * FROM experiments WHERE dataset_id = ? ORDER BY seq DESC LIMIT ? OFFSET ?")
            .all(datasetId, limit, offset)
            .map((row) => store_Row.parse(row));
    }
    /** The highest upload number of an experiment; 0 if there is none. */
    lastUpload() {
        const row = this.#database.prepare("SELECT coalesce(max(upload), 0) AS last FROM experiments").get();
        return schemas/* object */.Ikc({ last: schemas/* number */.aig() }).parse(row).last;
    }
    #one(column, value) {
        const row = this.#database.prepare(`SELECT * FROM experiments WHERE ${column} = ?`).get(value);
        return row === undefined ? undefined : store_Row.parse(row);
    }
}

;// CONCATENATED MODULE: ./src/contract/experiment.js


// The wire objects of an experiment upload. What a field is called elsewhere passes through.
/** How long a feedback key may be; the limit of the public service. */
const FEEDBACK_KEY_LIMIT = 180;
/** What a score is: any number, one of a list, or no number at all. */
const FEEDBACK_CONFIG_TYPES = ["continuous", "categorical", "freeform"];
const experiment_text = schemas/* string */.YjP();
const object = schemas/* record */.g1P(experiment_text, schemas/* unknown */.L5J());
const datetime = experiment_text.refine((value) => (0,contract_instant/* parseInstant */.nV)(value) !== undefined, {
    error: "Input should be a valid datetime",
    params: { kind: "datetime_parsing" },
});
// Any variant and version, in either case: these identifiers come from other systems.
const experiment_uuid = schemas/* guid */.OsD();
/** What the scores of a key look like. */
const FeedbackConfig = schemas/* looseObject */._H3({
    type: schemas/* enum */.k5n(FEEDBACK_CONFIG_TYPES),
    min: schemas/* number */.aig().optional(),
    max: schemas/* number */.aig().optional(),
    categories: schemas/* array */.YOg(schemas/* looseObject */._H3({ value: schemas/* number */.aig(), label: experiment_text.min(1).optional() })).optional(),
});
/** One score, of a row or of the whole experiment. */
const experiment_Feedback = schemas/* looseObject */._H3({
    key: experiment_text.max(FEEDBACK_KEY_LIMIT),
    score: schemas/* number */.aig().optional(),
    value: experiment_text.optional(),
    comment: experiment_text.optional(),
    feedback_source: schemas/* looseObject */._H3({ type: experiment_text }).optional(),
    feedback_config: FeedbackConfig.optional(),
    created_at: datetime.optional(),
    modified_at: datetime.optional(),
    correction: schemas/* union */.KCZ([object, experiment_text]).optional(),
});
/** One row: a run, its example in the dataset, and its scores. */
const ExperimentRow = schemas/* looseObject */._H3({
    row_id: experiment_uuid,
    inputs: object,
    expected_outputs: object.optional(),
    actual_outputs: object.optional(),
    evaluation_scores: schemas/* array */.YOg(experiment_Feedback).optional(),
    start_time: datetime,
    end_time: datetime,
    run_name: experiment_text.optional(),
    error: experiment_text.optional(),
    run_metadata: object.optional(),
});
/** All of the body of POST /datasets/upload-experiment but `results`, the list of its rows; the rules are in experiment-rules.ts. */
const ExperimentHead = schemas/* looseObject */._H3({
    experiment_name: experiment_text,
    experiment_description: experiment_text.optional(),
    experiment_start_time: datetime,
    experiment_end_time: datetime,
    dataset_id: experiment_uuid.optional(),
    dataset_name: experiment_text.optional(),
    dataset_description: experiment_text.optional(),
    experiment_metadata: object.optional(),
    summary_experiment_scores: schemas/* array */.YOg(experiment_Feedback).optional(),
});

;// CONCATENATED MODULE: ./src/contract/experiment-rules.js


/** A request without its rows: the shape, rule 1, and a window that does not end before it starts. */
function checkHead(head) {
    const checked = checkShape(ExperimentHead, head);
    if (checked.value === undefined)
        return checked;
    const faults = [...checkDatasetKey(checked.value), ...checkWindow(checked.value)];
    return faults.length === 0 ? checked : { value: undefined, faults };
}
/** A row: the shape, and rule 2 where the window is known. */
function checkRow(row, window) {
    const checked = checkShape(ExperimentRow, row);
    if (checked.value === undefined || window === undefined)
        return checked;
    const faults = checkRowTimes(checked.value, window);
    return faults.length === 0 ? checked : { value: undefined, faults };
}
/** A feedback object: a key, and what a service takes beside it. */
function checkFeedback(feedback) {
    return checkShape(Feedback, feedback);
}
/** Rule 1: either dataset_id or dataset_name must be given. */
function checkDatasetKey(head) {
    if (head.dataset_id !== undefined || (head.dataset_name !== undefined && head.dataset_name !== ""))
        return [];
    return [{ loc: ["dataset_name"], msg: "either dataset_id or dataset_name must be given", type: "value_error" }];
}
/** Rule 2 for the request: no time can lie in a window that ends before it starts. */
function checkWindow(head) {
    const { start, end } = windowOf(head);
    if (start <= end)
        return [];
    return [{ loc: ["experiment_end_time"], msg: "is before experiment_start_time", type: "value_error" }];
}
/** Rule 2 for a row: its times must fall between those of the experiment, compared to the microsecond. */
function checkRowTimes(row, window) {
    return ["start_time", "end_time"].flatMap((field) => {
        const time = microsecondsOf(row[field]);
        return time >= window.start && time <= window.end ? [] : [outsideWindow(field, window)];
    });
}
/** The fault of a time that does not lie in the window. */
function outsideWindow(field, { start, end }) {
    const msg = `must fall between experiment_start_time (${(0,contract_instant/* formatInstant */.r4)(start)}) and experiment_end_time (${(0,contract_instant/* formatInstant */.r4)(end)})`;
    return { loc: [field], msg, type: "value_error" };
}
/** The window of a request whose shape is right. */
function windowOf(head) {
    return { start: microsecondsOf(head.experiment_start_time), end: microsecondsOf(head.experiment_end_time) };
}
function microsecondsOf(time) {
    const instant = (0,contract_instant/* parseInstant */.nV)(time);
    if (instant === undefined)
        throw new RangeError("The text is not a time.");
    return instant.microseconds;
}
function checkShape(schema, value) {
    const parsed = schema.safeParse(value, { reportInput: true });
    if (parsed.success)
        return { value: parsed.data, faults: [] };
    return { value: undefined, faults: toServiceErrors(parsed.error) };
}
/** What was expected, as the service says it. */
const WRONG_TYPE = new Map([
    ["string", { msg: "Input should be a valid string", type: "string_type" }],
    ["number", { msg: "Input should be a valid number", type: "float_type" }],
    ["boolean", { msg: "Input should be a valid boolean", type: "bool_type" }],
    ["array", { msg: "Input should be a valid list", type: "list_type" }],
    ["object", { msg: "Input should be a valid dictionary", type: "dict_type" }],
    ["record", { msg: "Input should be a valid dictionary", type: "dict_type" }],
]);
/** What zod found, in the words of the service's own parser; the rejected input is not part of it. */
function toServiceErrors(error) {
    return error.issues.map((issue) => {
        const loc = issue.path.map((step) => (typeof step === "symbol" ? String(step) : step));
        return { loc, ...experiment_rules_wordsOf(issue) };
    });
}
function experiment_rules_wordsOf(issue) {
    if (issue.input === undefined)
        return { msg: "Field required", type: "missing" };
    switch (issue.code) {
        case "invalid_type":
            return WRONG_TYPE.get(issue.expected) ?? { msg: issue.message, type: issue.code };
        case "invalid_format":
            if (issue.format === "guid" || issue.format === "uuid") {
                return { msg: "Input should be a valid UUID", type: "uuid_parsing" };
            }
            return { msg: issue.message, type: issue.code };
        case "invalid_value":
            return { msg: `Input should be ${listOf(issue.values.map((value) => `'${String(value)}'`))}`, type: "enum" };
        case "invalid_union":
            return { msg: "Input should be a valid dictionary or a valid string", type: "union_type" };
        case "too_big":
            return { msg: `String should have at most ${charactersOf(issue.maximum)}`, type: "string_too_long" };
        case "too_small":
            return { msg: `String should have at least ${charactersOf(issue.minimum)}`, type: "string_too_short" };
        case "custom":
            return {
                msg: issue.message,
                type: typeof issue.params?.["kind"] === "string" ? issue.params["kind"] : "value_error",
            };
        default:
            return { msg: issue.message, type: issue.code };
    }
}
function charactersOf(count) {
    return `${String(count)} character${Number(count) === 1 ? "" : "s"}`;
}
function listOf(words) {
    return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1) ?? ""}`;
}

;// CONCATENATED MODULE: ./src/local/experiments/body.js

// The contract has no limit; a row in a table is far smaller than this.
const ROW_LIMIT_BYTES = 64 * 1024 * 1024;
const HEAD_LIMIT_BYTES = 16 * 1024 * 1024;
// The longest spelling of `results`: each letter as an escape.
const KEY_BYTES = 42;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/**
 * Splits the body of an upload as it comes: passes on each element of `results` as text, and keeps the rest as the head.
 * Checks the separators of the rows; JSON.parse checks the rows and the head later.
 */
class ExperimentBody {
    #onRow;
    // Not stripped: JSON has no byte order mark.
    #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    #head = new Chunks(HEAD_LIMIT_BYTES, "The request without its rows");
    #row = new Chunks(ROW_LIMIT_BYTES, "A row");
    #depth = 0;
    #inString = false;
    #escaped = false;
    #inRows = false;
    #rows = 0;
    #seenRows = false;
    /** The last string on the top level; a key if a colon follows. */
    #string;
    #key;
    constructor(onRow) {
        this.#onRow = onRow;
    }
    /** 422 once the body cannot become a valid request; also throws what `onRow` throws. */
    feed(chunk) {
        let from = 0;
        for (let at = 0; at < chunk.length; at += 1) {
            const byte = chunk[at] ?? 0;
            if (this.#inString) {
                this.#character(byte);
                continue;
            }
            switch (byte) {
                case QUOTE:
                    this.#inString = true;
                    this.#string = this.#depth === 1 ? [] : undefined;
                    break;
                case COLON:
                    if (this.#depth === 1)
                        this.#key = this.#lastString();
                    break;
                case OPEN_OBJECT:
                    this.#depth += 1;
                    break;
                case OPEN_LIST:
                    this.#depth += 1;
                    if (this.#depth !== 2 || this.#key !== "results")
                        break;
                    this.#head.add(chunk.subarray(from, at + 1));
                    from = at + 1;
                    this.#enterRows();
                    break;
                case COMMA:
                    if (this.#depth === 1)
                        this.#key = undefined;
                    if (this.#depth !== 2 || !this.#inRows)
                        break;
                    this.#endRow(chunk.subarray(from, at), false);
                    from = at + 1;
                    break;
                case CLOSE_OBJECT:
                case CLOSE_LIST:
                    if (this.#depth === 2 && this.#inRows) {
                        this.#endRow(chunk.subarray(from, at), true);
                        from = at;
                        this.#inRows = false;
                    }
                    this.#depth -= 1;
                    break;
            }
        }
        (this.#inRows ? this.#row : this.#head).add(chunk.subarray(from));
    }
    /** The text of the request with an empty list instead of the rows; 422 if it ends too early. */
    finish() {
        if (this.#inRows)
            throw invalidJson();
        return this.#decode(this.#head.take(), []);
    }
    #character(byte) {
        if (this.#string !== undefined && this.#string.length <= KEY_BYTES)
            this.#string.push(byte);
        if (this.#escaped)
            this.#escaped = false;
        else if (byte === BACKSLASH)
            this.#escaped = true;
        else if (byte === QUOTE)
            this.#inString = false;
    }
    #lastString() {
        if (this.#string === undefined || this.#string.length > KEY_BYTES + 1)
            return undefined;
        try {
            return String(JSON.parse(`"${Buffer.from(this.#string).toString()}`));
        }
        catch {
            return undefined;
        }
    }
    #enterRows() {
        // JSON.parse would keep the last one; two lists of rows are a mistake.
        if (this.#seenRows)
            throw invalidJson(["results"], "Key given twice");
        this.#seenRows = true;
        this.#inRows = true;
    }
    #endRow(rest, last) {
        this.#row.add(rest);
        const index = this.#rows;
        const text = this.#decode(this.#row.take(), ["results", index]);
        if (/^[ \t\n\r]*$/.test(text)) {
            if (last && index === 0)
                return;
            throw invalidJson(["results", index]);
        }
        this.#rows += 1;
        this.#onRow(text, index);
    }
    #decode(bytes, place) {
        try {
            return this.#decoder.decode(bytes);
        }
        catch {
            throw invalidJson(place, "JSON decode error: the text is not UTF-8");
        }
    }
}
/** 422: the body is not valid JSON. */
function invalidJson(place = [], msg = "JSON decode error") {
    return invalid([{ loc: ["body", ...place], msg, type: "json_invalid" }]);
}
/** Collects chunks of bytes, up to a limit. */
class Chunks {
    #limit;
    #what;
    #chunks = [];
    #length = 0;
    constructor(limit, what) {
        this.#limit = limit;
        this.#what = what;
    }
    add(chunk) {
        if (chunk.length === 0)
            return;
        this.#length += chunk.length;
        if (this.#length > this.#limit) {
            throw new HttpError(413, `${this.#what} is larger than ${String(this.#limit)} bytes.`);
        }
        this.#chunks.push(chunk);
    }
    take() {
        const [first = Buffer.alloc(0)] = this.#chunks;
        const bytes = this.#chunks.length > 1 ? Buffer.concat(this.#chunks, this.#length) : first;
        this.#chunks = [];
        this.#length = 0;
        return bytes;
    }
}

;// CONCATENATED MODULE: ./src/local/experiments/row-verdict.js


/** How a row changed between two experiments, in the order of the page. */
const VERDICTS = ["worse", "better", "only-compared", "only-baseline", "same"];
/** Numbers the occurrences of each key, from 1. */
function occurrences(keys) {
    const seen = new Map();
    return keys.map((key) => {
        const number = (seen.get(key) ?? 0) + 1;
        seen.set(key, number);
        return number;
    });
}
/** The keys of the scores of a row, numbered if a key is repeated. */
function scoreLabels(keys) {
    const numbers = occurrences(keys);
    return keys.map((key, index) => (numbers[index] === 1 ? key : `${key} (${String(numbers[index])})`));
}
/** How a score changed. A missing score is lost, which counts as worse: it may have been bad. */
function changeOf(before, after, isLower) {
    if (before == null)
        return after == null ? "same" : "new";
    if (after == null)
        return "lost";
    if (before === after)
        return "same";
    return after > before === isLower ? "worse" : "better";
}
function isWorse(change) {
    return change === "worse" || change === "lost";
}
/** Worse if any score or the error is worse; better if something is better and nothing worse. */
function row_verdict_verdictOf(one, other, directions) {
    if (one === undefined)
        return "only-compared";
    if (other === undefined)
        return "only-baseline";
    const before = new Map(one.scores);
    const after = new Map(other.scores);
    const labels = new Set([...before.keys(), ...after.keys()]);
    const changes = [...labels].map((label) => changeOf(before.get(label), after.get(label), directions.isLower(label)));
    changes.push(changeOf(Number(one.failed), Number(other.failed), true));
    if (changes.some(isWorse))
        return "worse";
    return changes.includes("better") ? "better" : "same";
}
/** The scores of which a lower one is better; for all others a higher one is. */
class Directions {
    #lower;
    constructor(lower = []) {
        this.#lower = new Set(lower);
    }
    /**
     * Reads `score_directions` from the metadata of experiments, e.g. `{"toxicity": "lower"}`. The contract has no field
     * for it.
     */
    static of(metadata) {
        return new Directions(metadata.flatMap((text) => {
            const directions = text == null ? undefined : membersOf(text).get("score_directions");
            const parsed = schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())
                .safeParse(directions === undefined ? undefined : JSON.parse(directions));
            return Object.entries(parsed.data ?? {}).flatMap(([key, direction]) => (direction === "lower" ? [key] : []));
        }));
    }
    isLower(label) {
        return this.#lower.has(label) || this.#lower.has(label.replace(/ \(\d+\)$/, ""));
    }
}

;// CONCATENATED MODULE: ./src/local/experiments/upload.js









// After so many errors the upload is rejected; the rest is neither read nor checked.
const MAX_ERRORS = 100;
/** An upload in progress. Its rows go to the database at once, so that they do not fill the memory. */
class ExperimentUpload {
    #settings;
    #body = new ExperimentBody((text, index) => {
        this.#readRow(text, index);
    });
    #scores = new FeedbackTally();
    #errors = [];
    #batch = [];
    constructor(settings) {
        this.#settings = settings;
    }
    /**
     * Reads the next bytes; 422 after a hundred errors. Each call is one transaction: a single one would block, or roll
     * back, what other requests write.
     */
    feed(chunk) {
        const { database, rows, upload } = this.#settings;
        this.#body.feed(chunk);
        if (this.#batch.length === 0)
            return;
        atomically(database, () => {
            for (const row of this.#batch)
                rows.insert(upload, row);
        });
        this.#batch = [];
    }
    /** Call it at the end of the body. 422 with all errors, except for conflicts with other experiments. */
    finish() {
        const { upload } = this.#settings;
        const text = this.#body.finish();
        const head = this.#readHead(text);
        const window = head === undefined ? undefined : windowOf(head);
        if (window !== undefined)
            this.#checkTimes(window);
        if (head === undefined || window === undefined || this.#errors.length > 0)
            throw invalid(this.#errors);
        const members = membersOf(text);
        const summary = new FeedbackTally();
        summary.add(head.summary_experiment_scores);
        return {
            upload,
            head,
            window,
            metadata: head.experiment_metadata === undefined ? null : (members.get("experiment_metadata") ?? null),
            summaryScores: head.summary_experiment_scores === undefined ? null : (members.get("summary_experiment_scores") ?? null),
            statistics: this.#statistics(summary),
        };
    }
    /** Removes the stored rows of a failed upload. */
    discard() {
        this.#settings.rows.remove(this.#settings.upload);
    }
    #readRow(text, index) {
        const place = ["results", index];
        const json = upload_parse(text, place);
        const { compat } = this.#settings;
        const { value, faults: errors } = checkRow(compat ? lenientRow(json) : json);
        this.#note(errors, place);
        if (!compat)
            this.#note(unknownRowNames(json), place);
        const start = (0,contract_instant/* parseInstant */.nV)(value?.start_time ?? "");
        const end = (0,contract_instant/* parseInstant */.nV)(value?.end_time ?? "");
        if (value === undefined || start === undefined || end === undefined)
            return;
        this.#scores.add(value.evaluation_scores);
        this.#batch.push({
            position: index,
            rowId: value.row_id.toLowerCase(),
            start: start.microseconds,
            end: end.microseconds,
            failed: value.error !== undefined && value.error !== "",
            scores: numbersOf(value.evaluation_scores),
            json: text,
        });
    }
    #readHead(text) {
        const json = upload_parse(text, []);
        const { compat } = this.#settings;
        const { value, faults: errors } = checkHead(compat ? lenientHead(json) : json);
        const results = isObject(json) ? json["results"] : [];
        if (results === undefined)
            this.#note([{ loc: ["results"], msg: "Field required", type: "missing" }]);
        else if (!Array.isArray(results)) {
            this.#note([{ loc: ["results"], msg: "Input should be a valid list", type: "list_type" }]);
        }
        this.#note(errors);
        if (!compat)
            this.#note(unknownHeadNames(json));
        return value;
    }
    #checkTimes(window) {
        const { rows, upload } = this.#settings;
        for (const { position, start, end } of rows.outside(upload, window, MAX_ERRORS)) {
            if (start)
                this.#note([outsideWindow("start_time", window)], ["results", position]);
            if (end)
                this.#note([outsideWindow("end_time", window)], ["results", position]);
        }
    }
    #note(errors, place = []) {
        for (const { loc, ...rest } of errors) {
            this.#errors.push({ loc: ["body", ...place, ...loc], ...rest });
            if (this.#errors.length < MAX_ERRORS)
                continue;
            const msg = `Only the first ${String(MAX_ERRORS)} errors are listed; the rest of the request was not checked`;
            throw invalid([...this.#errors, { loc: ["body"], msg, type: "too_many_errors" }]);
        }
    }
    #statistics(summary) {
        const { rows, upload } = this.#settings;
        const { count, failed, lastStart } = rows.summary(upload);
        return {
            run_count: count,
            latency_p50: rows.latency(upload, 0.5, count),
            latency_p99: rows.latency(upload, 0.99, count),
            error_rate: count === 0 ? null : failed / count,
            // An uploaded run was not streamed.
            streaming_rate: count === 0 ? null : 0,
            last_run_start_time: lastStart,
            feedback_stats: this.#scores.result(),
            session_feedback_stats: summary.result(),
        };
    }
}
function numbersOf(feedback = []) {
    const labels = scoreLabels(feedback.map(({ key }) => key));
    return feedback.flatMap(({ score }, index) => (score === undefined ? [] : [[labels[index] ?? "", score]]));
}
function upload_parse(text, place) {
    try {
        return JSON.parse(text);
    }
    catch {
        throw invalidJson(place);
    }
}
const namesOf = (schema) => new Set(Object.keys(schema.shape));
const HEAD = new Set([...namesOf(ExperimentHead), "results"]);
const ROW = namesOf(ExperimentRow);
const FEEDBACK = namesOf(experiment_Feedback);
const CONFIG = namesOf(FeedbackConfig);
/** Errors for names that the contract does not have; ignoring them would hide mistakes of a client. */
function unknownHeadNames(head) {
    return [...unknown(head, HEAD, []), ...unknownInFeedback(head, "summary_experiment_scores")];
}
function unknownRowNames(row) {
    return [...unknown(row, ROW, []), ...unknownInFeedback(row, "evaluation_scores")];
}
/** Translates what public clients send beyond the contract: null for absent values, true and false for 1 and 0. */
function lenientHead(head) {
    return withFeedback(head, "summary_experiment_scores");
}
function lenientRow(row) {
    return withFeedback(row, "evaluation_scores");
}
function unknownInFeedback(owner, field) {
    const list = isObject(owner) ? owner[field] : undefined;
    if (!Array.isArray(list))
        return [];
    return list.flatMap((feedback, index) => [
        ...unknown(feedback, FEEDBACK, [field, index]),
        ...(isObject(feedback) ? unknown(feedback["feedback_config"], CONFIG, [field, index, "feedback_config"]) : []),
    ]);
}
function unknown(value, known, loc) {
    if (!isObject(value))
        return [];
    return Object.keys(value)
        .filter((name) => !known.has(name))
        .map((name) => ({ loc: [...loc, name], msg: "Extra inputs are not permitted", type: "extra_forbidden" }));
}
function withFeedback(owner, field) {
    if (!isObject(owner))
        return owner;
    const list = owner[field];
    return withoutNulls(Array.isArray(list) ? { ...owner, [field]: list.map(lenientFeedback) } : owner);
}
function lenientFeedback(feedback) {
    if (!isObject(feedback))
        return feedback;
    const { score, feedback_config: config } = feedback;
    return withoutNulls({
        ...feedback,
        score: typeof score === "boolean" ? Number(score) : (score ?? null),
        feedback_config: isObject(config) ? withoutNulls(config) : (config ?? null),
    });
}
function withoutNulls(value) {
    return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null));
}

;// CONCATENATED MODULE: ./src/local/experiments/view.js

const NOT_COUNTED = {
    run_count: null,
    latency_p50: null,
    latency_p99: null,
    error_rate: null,
    streaming_rate: null,
    last_run_start_time: null,
    feedback_stats: null,
    session_feedback_stats: null,
};
// An upload has no tokens, costs or streams: these stay null.
const NEVER_COUNTED = {
    first_token_p50: null,
    first_token_p99: null,
    total_tokens: null,
    prompt_tokens: null,
    completion_tokens: null,
    total_cost: null,
    prompt_cost: null,
    completion_cost: null,
    last_run_start_time_live: null,
};
function viewDataset(row, tenantId) {
    return {
        ...row,
        data_type: "kv",
        inputs_schema_definition: null,
        outputs_schema_definition: null,
        tenant_id: tenantId,
    };
}
/** `now` in milliseconds since the epoch: the statistics are null for a while after the upload. */
function viewExperiment(experiment, tenantId, now) {
    const { id, name, description, start_time, end_time, metadata, dataset_id, number, statistics } = experiment;
    const counted = now >= experiment.counted_at;
    return {
        id,
        name,
        description,
        start_time,
        end_time,
        extra: metadata === null ? null : { metadata: new RawJson(metadata) },
        default_dataset_id: null,
        reference_dataset_id: dataset_id,
        trace_tier: "longlived",
        tenant_id: tenantId,
        test_run_number: number,
        ...(counted ? statistics : NOT_COUNTED),
        ...NEVER_COUNTED,
        run_facets: counted ? [] : null,
    };
}

;// CONCATENATED MODULE: ./src/local/experiments/row-pairs.js



const Scores = jsonColumn(schemas/* array */.YOg(schemas/* tuple */.PVZ([schemas/* string */.YjP(), schemas/* number */.aig()])));
const Line = schemas/* object */.Ikc({
    row_id: schemas/* string */.YjP(),
    occurrence: schemas/* number */.aig(),
    one_seq: schemas/* number */.aig().nullable(),
    one_failed: flag.nullable(),
    one_scores: Scores.nullable(),
    other_seq: schemas/* number */.aig().nullable(),
    other_failed: flag.nullable(),
    other_scores: Scores.nullable(),
});
const row_pairs_Text = schemas/* object */.Ikc({ json: schemas/* string */.YjP() });
// Rows with a repeated id are paired in the order of the upload.
const PAIRED = `SELECT row_id, occurrence,
    max(iif(upload = :one, seq, NULL)) AS one_seq, max(iif(upload = :one, position, NULL)) AS one_position,
    max(iif(upload = :other, seq, NULL)) AS other_seq, max(iif(upload = :other, position, NULL)) AS other_position
  FROM (SELECT upload, row_id, seq, position,
      row_number() OVER (PARTITION BY upload, row_id ORDER BY position) AS occurrence
    FROM experiment_rows WHERE upload IN (:one, :other))
  GROUP BY row_id, occurrence`;
const MARKED = `SELECT paired.row_id, occurrence, one_seq, one.failed AS one_failed, one.scores AS one_scores,
    other_seq, other.failed AS other_failed, other.scores AS other_scores
  FROM (${PAIRED}) AS paired
  LEFT JOIN experiment_rows AS one ON one.seq = one_seq
  LEFT JOIN experiment_rows AS other ON other.seq = other_seq
  ORDER BY one_position IS NULL, one_position, other_position`;
/** The rows of two experiments side by side: the worse ones first, then in the order of the first experiment. */
class RowPairs {
    #database;
    #counts = { worse: 0, better: 0, "only-compared": 0, "only-baseline": 0, same: 0 };
    #pairs;
    /** `one` and `other` are the numbers of their uploads. */
    constructor(database, one, other, directions) {
        this.#database = database;
        const byVerdict = new Map(VERDICTS.map((verdict) => [verdict, []]));
        for (const row of database.prepare(MARKED).iterate({ one, other })) {
            const { row_id: rowId, occurrence, one_seq, other_seq, ...line } = Line.parse(row);
            const before = one_seq === null ? undefined : { failed: line.one_failed ?? false, scores: line.one_scores ?? [] };
            const after = other_seq === null ? undefined : { failed: line.other_failed ?? false, scores: line.other_scores ?? [] };
            const verdict = row_verdict_verdictOf(before, after, directions);
            this.#counts[verdict] += 1;
            byVerdict.get(verdict)?.push({ rowId, occurrence, verdict, one: one_seq, other: other_seq });
        }
        this.#pairs = [...byVerdict.values()].flat();
    }
    get counts() {
        return this.#counts;
    }
    page({ show, limit, offset }) {
        const chosen = show === undefined ? this.#pairs : this.#pairs.filter(({ verdict }) => verdict === show);
        return chosen
            .slice(offset, offset + limit)
            .map((pair) => ({ ...pair, one: this.#text(pair.one), other: this.#text(pair.other) }));
    }
    #text(seq) {
        if (seq === null)
            return null;
        return row_pairs_Text.parse(this.#database.prepare("SELECT json FROM experiment_rows WHERE seq = ?").get(seq)).json;
    }
}

;// CONCATENATED MODULE: ./src/local/experiments/experiments.js











// A page of rows ends early if its texts are long.
const PAGE_CHARACTERS = 32 * 1024 * 1024;
/** The uploaded experiments and their datasets. */
class Experiments {
    /** The largest body of an upload. */
    limitBytes;
    #options;
    #datasets;
    #experiments;
    #rows;
    #lastUpload;
    #compared;
    constructor(options) {
        const { database, limitBytes } = options;
        this.limitBytes = limitBytes;
        this.#options = options;
        this.#datasets = new DatasetStore(database);
        this.#experiments = new ExperimentStore(database);
        this.#rows = new ExperimentRows(database);
        this.#rows.removeLeftOver();
        this.#lastUpload = this.#experiments.lastUpload();
    }
    /** Receives the body of an upload. Throws an HttpError if it is invalid; then nothing has changed. */
    async receive(body) {
        const { database, compat, log } = this.#options;
        this.#lastUpload += 1;
        const upload = new ExperimentUpload({ database, rows: this.#rows, upload: this.#lastUpload, compat });
        try {
            for await (const chunk of body)
                upload.feed(chunk);
            const received = upload.finish();
            const stored = atomically(database, () => this.#store(received));
            log(`${stored.dataset.name}: experiment ${stored.experiment.name} with ${String(received.statistics.run_count)} rows`);
            return stored;
        }
        catch (error) {
            upload.discard();
            throw error;
        }
    }
    /** Adds a dataset that the service itself manages, so that it does not accept uploads. */
    addManagedDataset(name) {
        const id = (0,external_node_crypto_.randomUUID)();
        this.#datasets.insert({ id, name, description: null, externallyManaged: false });
        return this.dataset(id);
    }
    /** Newest first. */
    datasets(page) {
        return this.#datasets.list(page).map((row) => viewDataset(row, this.#options.tenantId));
    }
    datasetCount() {
        return this.#datasets.count();
    }
    /** 404 if it does not exist. */
    dataset(id) {
        const row = this.#datasets.get(id);
        if (row === undefined)
            throw notFound("Dataset", id);
        return viewDataset(row, this.#options.tenantId);
    }
    /** Newest first. */
    list(datasetId, page) {
        this.dataset(datasetId);
        return this.#experiments.list(datasetId, page).map((experiment) => this.#view(experiment));
    }
    /** 404 if it does not exist. */
    get(id) {
        return this.#view(this.record(id));
    }
    /** The stored experiment; 404 if it does not exist. */
    record(id) {
        const experiment = this.#experiments.get(id);
        if (experiment === undefined)
            throw notFound("Experiment", id);
        return experiment;
    }
    /** Rows as they were sent, in the order of the upload; fewer than `limit` if they are long. */
    rows(id, page) {
        const { upload, statistics } = this.record(id);
        const texts = [];
        let characters = 0;
        for (const text of this.#rows.texts(upload, page)) {
            characters += text.length;
            if (texts.length > 0 && characters > PAGE_CHARACTERS)
                break;
            texts.push(text);
        }
        return { texts, total: statistics.run_count };
    }
    /** The rows of two experiments side by side, with a verdict for each. */
    pairs(one, other) {
        const [before, after] = [this.record(one), this.record(other)];
        const uploads = `${String(before.upload)},${String(after.upload)}`;
        // Cached for the pages of one comparison; uploaded rows do not change.
        if (this.#compared?.uploads !== uploads) {
            const directions = Directions.of([before.metadata, after.metadata]);
            const pairs = new RowPairs(this.#options.database, before.upload, after.upload, directions);
            this.#compared = { uploads, pairs };
        }
        return this.#compared.pairs;
    }
    #view(experiment) {
        return viewExperiment(experiment, this.#options.tenantId, Date.now());
    }
    #store({ upload, head, window, metadata, summaryScores, statistics }) {
        const { delayMilliseconds } = this.#options;
        const dataset = this.#datasetOf(head);
        if (this.#experiments.byName(head.experiment_name) !== undefined)
            throw new HttpError(409, "Session already exists.");
        const id = (0,external_node_crypto_.randomUUID)();
        this.#experiments.insert({
            id,
            dataset_id: dataset,
            name: head.experiment_name,
            description: head.experiment_description ?? null,
            start: { text: (0,contract_instant/* formatInstant */.r4)(window.start), microseconds: window.start },
            end: { text: (0,contract_instant/* formatInstant */.r4)(window.end), microseconds: window.end },
            metadata,
            summary_scores: summaryScores,
            upload,
            statistics,
            counted_at: Date.now() + delayMilliseconds,
        });
        this.#datasets.touch(dataset, head.dataset_description);
        return { experiment: this.get(id), dataset: this.dataset(dataset) };
    }
    /** The id of the dataset that the request names; creates it if it does not exist. Rules 1, 3, 4 and 5 of the contract. */
    #datasetOf(head) {
        const datasets = this.#datasets;
        const id = head.dataset_id?.toLowerCase();
        const name = head.dataset_name === "" ? undefined : head.dataset_name;
        const known = id === undefined ? datasets.byName(name ?? "") : datasets.get(id);
        if (known !== undefined)
            return checkKnown(known, id, name).id;
        if (name !== undefined && datasets.byName(name) !== undefined) {
            throw invalidDataset("dataset_name", "is the name of a dataset with another id than dataset_id");
        }
        const made = id ?? (0,external_node_crypto_.randomUUID)();
        const description = head.dataset_description ?? null;
        datasets.insert({ id: made, name: name ?? `dataset-${made}`, description, externallyManaged: true });
        return made;
    }
}
function checkKnown(known, id, name) {
    const field = id === undefined ? "dataset_name" : "dataset_id";
    if (!known.externally_managed) {
        const msg = "was not created by an upload; only externally managed datasets accept experiments";
        throw invalidDataset(field, msg);
    }
    if (name !== undefined && name !== known.name) {
        throw invalidDataset("dataset_name", "is not the name of the dataset that dataset_id identifies");
    }
    return known;
}
function invalidDataset(field, msg) {
    return invalid([{ loc: ["body", field], msg, type: "value_error" }]);
}

;// CONCATENATED MODULE: ./src/local/faults/revision-fate.js
const USUAL = {};
/** The fates of the next revisions, in order of creation. */
class RevisionFates {
    #waiting = [];
    #gate = Promise.withResolvers();
    push(fate) {
        this.#waiting.push(fate);
    }
    take() {
        return this.#waiting.shift() ?? USUAL;
    }
    /** Releases all revisions that are held now; later ones are held again. */
    release() {
        this.#gate.resolve(undefined);
        this.#gate = Promise.withResolvers();
    }
    clear() {
        this.#waiting = [];
        this.release();
    }
    /** Resolves at the next `release()`. */
    get released() {
        return this.#gate.promise;
    }
}

;// CONCATENATED MODULE: ./src/local/faults/faults.js

const NO_CONDITIONS = {
    patchesWithoutRevision: 0,
    foreignRevisions: 0,
    tarballsServeOnce: false,
    listLagMilliseconds: 0,
    deleteMilliseconds: 0,
    keepsTraces: false,
    uploadHeaders: undefined,
};
/** The faults to inject; they can be changed while the service runs. */
class Faults {
    conditions = { ...NO_CONDITIONS };
    /** What happens to the next revisions. */
    revisions = new RevisionFates();
    #rules = [];
    add(rule) {
        const active = { rule, skipped: 0, hits: 0 };
        this.#rules.push(active);
        return {
            get hits() {
                return active.hits;
            },
            remove: () => {
                this.#rules = this.#rules.filter((other) => other !== active);
            },
        };
    }
    /** Sets the fate of the next revision; several calls queue up. */
    nextRevision(fate) {
        this.revisions.push(fate);
    }
    /** Removes all faults and releases held revisions. */
    clear() {
        this.#rules = [];
        Object.assign(this.conditions, NO_CONDITIONS);
        this.revisions.clear();
    }
    /** The fault for this request: of the first matching rule that is not used up. */
    take(request) {
        for (const active of this.#rules) {
            const { match = {}, skip = 0, times = 1 } = active.rule;
            if (active.hits >= times || !matches(match, request))
                continue;
            if (active.skipped < skip) {
                active.skipped += 1;
                continue;
            }
            active.hits += 1;
            return active.rule.do;
        }
        return undefined;
    }
}
function matches(match, request) {
    if (match.server !== undefined && match.server !== request.server)
        return false;
    if (match.method !== undefined && match.method !== request.method)
        return false;
    if (match.path === undefined)
        return true;
    return typeof match.path === "string" ? match.path === request.path : match.path.test(request.path);
}
const ALWAYS = { times: Number.POSITIVE_INFINITY };
const missing = (status) => ({
    kind: "answer",
    status,
    body: { detail: status === 405 ? "Method Not Allowed" : "Not Found" },
});
/** The service has no list of deployments. */
function noList(status = 405) {
    return { ...ALWAYS, match: { method: "GET", path: /\/v2\/deployments$/ }, do: missing(status) };
}
/** The service has no delete of deployments. */
function noDelete(status = 405) {
    return { ...ALWAYS, match: { method: "DELETE" }, do: missing(status) };
}
/** The service has no build and deploy logs. */
function noLogs() {
    return { ...ALWAYS, match: { path: /\/(?:build_logs|deploy_logs|logs)$/ }, do: missing(404) };
}
/** The upload-url endpoint exists only under `/v2`, not under the documented path. */
function uploadUrlOnlyUnderV2(status = 404) {
    return { ...ALWAYS, match: { method: "POST", path: /^(?!.*\/v2\/).*\/upload-url$/ }, do: missing(status) };
}
/** The object store rejects the next uploads, as it does when a signed URL has expired. */
function uploadRefused(times = 1, status = 403) {
    return {
        times,
        match: { method: "PUT", path: /^\/objects\// },
        do: { kind: "answer", status, body: { detail: "The signed URL has expired." } },
    };
}
/** The next uploads of experiments are too large for a proxy in front of the service, which responds in HTML. */
function experimentTooLarge(times = 1) {
    const title = "413 Request Entity Too Large";
    return {
        times,
        match: { method: "POST", path: /\/datasets\/upload-experiment$/ },
        do: {
            kind: "answer",
            status: 413,
            headers: { "content-type": "text/html" },
            body: `<html>\n<head><title>${title}</title></head>\n<body>\n<center><h1>${title}</h1></center>\n</body>\n</html>\n`,
        },
    };
}

;// CONCATENATED MODULE: ./src/local/http/request-record.js
// A service that runs for days is polled often; its memory must not grow.
const KEPT = 10_000;
/** The latest requests, oldest first. */
class RequestRecords {
    list = [];
    open(request) {
        const record = { ...request, bodyBytes: 0, json: undefined, status: undefined };
        this.list.push(record);
        if (this.list.length > KEPT)
            this.list.shift();
        return record;
    }
}

// EXTERNAL MODULE: ./src/text/duration.js
var duration = __webpack_require__(9144);
;// CONCATENATED MODULE: ./src/local/pages/cells.js




// The most that a page shows of one value; the API returns all of it.
const SHOWN_CHARACTERS = 20_000;
// Shown before the reader unfolds the rest.
const FIRST_CHARACTERS = 320;
const FIRST_LINES = 8;
/** A JSON object as HTML: one line a member, strings without quotes. */
function objectCell(text) {
    if (text === undefined || text === "null")
        return "";
    const lines = [...membersOf(text)].map(([key, value]) => `${key}: ${stringOf(value) ?? value}`);
    return textCell(lines.join("\n"));
}
/** A JSON object as HTML, folded under its name. */
function foldedCell(name, text) {
    const html = objectCell(text);
    return html === "" ? "" : `<details class="folded"><summary>${escapeHtml(name)}</summary>${html}</details>`;
}
/** Foreign text as HTML; a long one is folded. */
function textCell(text) {
    if (text === undefined || text === "")
        return "";
    const first = beginning(text.split("\n", FIRST_LINES).join("\n"), FIRST_CHARACTERS);
    if (first.length === text.length)
        return `<pre>${escapeHtml(text)}</pre>`;
    const shown = beginning(text, SHOWN_CHARACTERS);
    const cut = text.length - shown.length;
    const tail = cut > 0 ? `\n… ${String(cut)} more characters` : "";
    const more = `<span class="more">show all ${String(text.length)} characters</span><span class="less">show less</span>`;
    return `<details><summary><pre>${escapeHtml(first)}…</pre>${more}</summary><pre>${escapeHtml(shown)}${tail}</pre></details>`;
}
/** Foreign prose, such as a description, as HTML. */
function proseCell(text) {
    if (text === null || text === "")
        return "";
    return text.length > FIRST_CHARACTERS ? textCell(text) : `<p class="prose">${escapeHtml(text)}</p>`;
}
/** The value of a JSON text that is a string; undefined for any other JSON. */
function stringOf(json) {
    return json?.startsWith('"') === true ? String(JSON.parse(json)) : undefined;
}
/** A time for a person, as HTML. A number is milliseconds since 1970. */
function timeCell(moment) {
    const time = typeof moment === "number" ? new Date(moment).toISOString() : moment;
    const [, day = time, clock = ""] = /^(.+)T(\d\d:\d\d:\d\d)/.exec(time) ?? [];
    const iso = escapeHtml(time);
    return `<time datetime="${iso}" title="${iso}">${escapeHtml(`${day} ${clock} UTC`)}</time>`;
}
/** The time between two timestamps of the service, as text. */
function spanText(start, end) {
    return (0,duration/* latencyText */.eN)(Date.parse(end) - Date.parse(start));
}

;// CONCATENATED MODULE: ./src/local/deployments/pages.js









const SHOWN_DEPLOYMENTS = 100;
const SHOWN_REVISIONS = 50;
const SHOWN_LOG_LINES = 200;
const DEPLOYMENT = "/o/:tenant/host/deployments/:deployment_id";
/** The list of deployments, and the pages of a deployment (public clients print its link) and of a revision. */
function deploymentPageRoutes(deployments, logs) {
    return [
        pageRoute(DEPLOYMENTS_PATH, () => {
            const listed = deployments.list({ limit: SHOWN_DEPLOYMENTS, offset: 0 }).map((deployment) => {
                const [latest] = deployments.revisions(deployment.id, { limit: 1, offset: 0 });
                return { deployment, latest };
            });
            return listPage(listed);
        }),
        pageRoute(DEPLOYMENT, (_call, params) => {
            const deployment = deployments.get(param(params, "deployment_id"));
            const revisions = deployments.revisions(deployment.id, { limit: SHOWN_REVISIONS, offset: 0 });
            return deploymentPage(deployment, revisions, logOf(logs, deployment.id, deployment.latest_revision_id ?? ""));
        }),
        pageRoute(`${DEPLOYMENT}/revisions/:revision_id`, (_call, params) => {
            const deployment = deployments.get(param(params, "deployment_id"));
            const revision = deployments.revision(deployment.id, param(params, "revision_id"));
            return revisionPage(deployment, revision, logOf(logs, deployment.id, revision.id));
        }),
    ];
}
// The newest lines of the build, then of the deploy.
function logOf(logs, deploymentId, revisionId) {
    const newest = LOG_KINDS.map((kind) => ({
        lines: logs.list({ revisionId, kind, order: "desc", limit: SHOWN_LOG_LINES + 1, offset: 0 }),
        path: `/v2/deployments/${deploymentId}/revisions/${revisionId}/logs?type=${kind}`,
    }));
    return {
        lines: newest.flatMap(({ lines }) => lines.slice(0, SHOWN_LOG_LINES).toReversed()),
        older: newest.flatMap(({ lines, path }) => (lines.length > SHOWN_LOG_LINES ? [path] : [])),
    };
}
// Newest first.
function listPage(listed) {
    const rows = listed.map(({ deployment, latest }) => [
        html_link(deploymentPath(deployment.tenant_id, deployment.id), deployment.name),
        statusOf(deployment, latest),
        addressOf(deployment),
        escapeHtml(deployment.source),
        timeCell(deployment.updated_at),
    ]);
    const list = rows.length === 0
        ? '<p class="soft">No deployments yet.</p>'
        : linkTable("Deployments", ["Name", "Status", "Agent", "Source", "Updated"], rows);
    const refresh = listed.some(({ latest }) => latest !== undefined && isUnfinished(latest));
    return page("Deployments", list, { section: "Deployments", refresh });
}
// The revisions are newest first.
function deploymentPage(deployment, revisions, log) {
    const { id, tenant_id, source, updated_at } = deployment;
    const rows = revisions.map((revision) => [
        html_link(revisionPath(tenant_id, id, revision.id), shortId(revision.id), revision.id),
        revisionStatus(deployment, revision),
        timeCell(revision.created_at),
        tookText(revision),
        escapeHtml(revision.status_message ?? ""),
    ]);
    const [latest] = revisions;
    const body = [
        factList([
            ["Status", statusOf(deployment, latest)],
            ["Agent", addressOf(deployment)],
            ["Source", escapeHtml(source)],
            ["Updated", timeCell(updated_at)],
            ["Deployment", `<code>${escapeHtml(id)}</code>`],
        ]),
        "<h2>Revisions</h2>",
        linkTable("Revisions", ["Revision", "Status", "Created", { number: "Took" }, { text: "Message" }], rows),
        '<h2 id="log">Log of the latest revision</h2>',
        logBox("Log of the latest revision", log),
    ];
    return page(deployment.name, body.join("\n"), { section: "Deployments", refresh: revisions.some(isUnfinished) });
}
function revisionPage(deployment, revision, log) {
    const { repo_ref, image_uri, source_tarball_path, graph_config_path } = revision.source_revision_config;
    const code = (text) => (text === null ? "" : `<code>${escapeHtml(text)}</code>`);
    const body = [
        factList([
            ["Status", revisionStatus(deployment, revision)],
            ["Message", escapeHtml(revision.status_message ?? "")],
            ["Created", timeCell(revision.created_at)],
            ["Took", tookText(revision)],
            ["Reference", code(repo_ref)],
            ["Image", code(image_uri)],
            ["Archive", code(source_tarball_path)],
            ["Configuration", code(graph_config_path)],
            ["Revision", code(revision.id)],
        ]),
        '<h2 id="log">Log</h2>',
        logBox("Log", log),
    ];
    const trail = [html_link(deploymentPath(deployment.tenant_id, deployment.id), deployment.name)];
    const settings = { section: "Deployments", refresh: isUnfinished(revision), trail };
    return page(`Revision ${shortId(revision.id)}`, body.join("\n"), settings);
}
// The status of the newest revision, and whether an older one serves.
function statusOf({ active_revision_id, status }, latest) {
    if (status === "AWAITING_DELETE")
        return badge("quiet", status);
    const isEarlier = active_revision_id !== null && active_revision_id !== latest?.id;
    return [
        latest === undefined ? "" : statusBadge(latest.status),
        isEarlier ? '<span class="soft">an earlier revision serves</span>' : "",
    ].join(" ");
}
function revisionStatus({ active_revision_id }, { id, status }) {
    return statusBadge(status) + (id === active_revision_id ? " <strong>serves</strong>" : "");
}
function statusBadge(status) {
    const { outcome, succeeded } = revisionStatusFact(status);
    return badge(outcome === undefined ? (succeeded ? "good" : "busy") : BADGES[outcome], status);
}
const BADGES = {
    "build-failed": "bad",
    "deploy-failed": "bad",
    interrupted: "quiet",
    superseded: "quiet",
};
function tookText(revision) {
    return isUnfinished(revision) ? "" : spanText(revision.created_at, revision.updated_at);
}
function addressOf({ url }) {
    if (url === null)
        return '<span class="soft">not deployed yet</span>';
    return `${html_link(url, url)}&#160;(${html_link(`${url}/docs`, "docs")})`;
}
// A box that scrolls, with its end in view.
function logBox(label, { lines, older }) {
    if (lines.length === 0)
        return '<p class="soft">The log is empty.</p>';
    const items = lines.map(({ timestamp, level, message }) => {
        const kind = level === "ERROR" || level === "CRITICAL" ? ' class="worse"' : level === "WARNING" ? ' class="warn"' : "";
        return `<li>${timeCell(timestamp)} <b${kind}>${level.padEnd(8)}</b> ${escapeHtml(message)}</li>`;
    });
    const paths = older.map((path) => `<code>GET ${escapeHtml(path)}</code>`).join(", ");
    const note = paths === "" ? "" : `<p class="soft">Older lines are not shown here. Read them with ${paths}</p>\n`;
    return `${note}<div class="log" role="region" tabindex="0" aria-label="${escapeHtml(label)}"><ol>\n${items.join("\n")}\n</ol></div>`;
}

;// CONCATENATED MODULE: ./src/local/state/log-store.js


const LOG_LEVELS = ["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"];
const log_store_Row = schemas/* object */.Ikc({
    id: schemas/* number */.aig(),
    timestamp: schemas/* string */.YjP(),
    level: schemas/* enum */.k5n(LOG_LEVELS),
    message: schemas/* string */.YjP(),
});
/** The build and deploy logs of the revisions. */
class LogStore {
    #database;
    constructor(database) {
        this.#database = database;
    }
    /** A line of a deleted revision is dropped. */
    append(revisionId, kind, level, message) {
        this.#database
            .prepare(`INSERT INTO log_lines (revision_id, kind, timestamp, level, message)
         SELECT id, ?, ?, ?, ? FROM revisions WHERE id = ?`)
            .run(kind, timestamp(), level, message, revisionId);
    }
    /** Removes all but the newest `keep` lines of a log. */
    trim(revisionId, kind, keep) {
        this.#database
            .prepare(`DELETE FROM log_lines WHERE revision_id = :revisionId AND kind = :kind AND id <=
           (SELECT id FROM log_lines WHERE revision_id = :revisionId AND kind = :kind
            ORDER BY id DESC LIMIT 1 OFFSET :keep)`)
            .run({ revisionId, kind, keep });
    }
    list({ revisionId, kind, order, limit, offset, level, query = "" }) {
        return this.#database
            .prepare(`SELECT id, timestamp, level, message FROM log_lines
         WHERE revision_id = :revisionId AND kind = :kind
           AND (:level IS NULL OR level = :level) AND instr(message, :query) > 0
         ORDER BY id ${order === "asc" ? "ASC" : "DESC"} LIMIT :limit OFFSET :offset`)
            .all({ revisionId, kind, level: level ?? null, query, limit, offset })
            .map((row) => log_store_Row.parse(row));
    }
}

;// CONCATENATED MODULE: ./src/local/state/object-store.js








/** 200 MiB, the limit of the public service's signed URLs. */
const UPLOAD_LIMIT_BYTES = 200 * 1024 * 1024;
const URL_LIFETIME_MS = 15 * 60 * 1000;
const object_store_Row = schemas/* object */.Ikc({
    path: schemas/* string */.YjP(),
    deployment_id: schemas/* string */.YjP(),
    file: schemas/* string */.YjP(),
    /** SHA-256 of the signature: reading the database must not allow an upload. */
    signature: schemas/* string */.YjP(),
    expires_at: schemas/* number */.aig(),
    headers: jsonColumn(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* string */.YjP())),
    /** SHA-256 of the object; null until it is uploaded. */
    digest: schemas/* string */.YjP().nullable(),
});
/** The uploaded source tarballs: metadata in the database, bytes in files. */
class ObjectStore {
    #database;
    #kept;
    #temporary;
    /** Files go to `directory`, or to a temporary directory that `close` removes. */
    constructor(database, directory) {
        this.#database = database;
        this.#kept = directory === undefined ? undefined : (0,external_node_path_.join)(directory, "objects");
    }
    /** A path for a new object of the deployment, and a signed URL for one upload. */
    issue(deploymentId, headers = {}) {
        const id = (0,external_node_crypto_.randomUUID)();
        const objectPath = `sources/${deploymentId}/${id}.tar.gz`;
        const signature = (0,external_node_crypto_.randomBytes)(32).toString("hex");
        const expires = Date.now() + URL_LIFETIME_MS;
        this.#database
            .prepare(`INSERT INTO objects (path, deployment_id, file, signature, expires_at, headers) VALUES (?, ?, ?, ?, ?, ?)`)
            .run(objectPath, deploymentId, `${id}.tar.gz`, sha256(signature), expires, JSON.stringify(headers));
        return { objectPath, target: `/objects/${objectPath}?expires=${String(expires)}&signature=${signature}` };
    }
    /**
     * Stores the bytes of an object. A URL is valid for one object: a second upload is only accepted with the same bytes,
     * from a client that did not get our response.
     */
    async receive(objectPath, query, headers, body) {
        const row = this.#checkTicket(objectPath, query, headers);
        const length = Number(headers["content-length"] ?? Number.NaN);
        if (Number.isNaN(length))
            throw new HttpError(411, "An upload needs a Content-Length.", { connection: "close" });
        if (length > UPLOAD_LIMIT_BYTES) {
            throw new HttpError(413, `An object may have ${String(UPLOAD_LIMIT_BYTES)} bytes.`, { connection: "close" });
        }
        const part = (0,external_node_path_.join)(this.#directory(), `${row.file}.${(0,external_node_crypto_.randomUUID)()}.part`);
        try {
            const digest = await writeFile(part, body);
            if (row.digest !== null && row.digest !== digest)
                throw new HttpError(403, "The signed URL has been used.");
            (0,external_node_fs_.renameSync)(part, (0,external_node_path_.join)(this.#directory(), row.file));
            this.#database.prepare("UPDATE objects SET digest = ? WHERE path = ?").run(digest, objectPath);
        }
        finally {
            (0,external_node_fs_.rmSync)(part, { force: true });
        }
    }
    /** True if the path was issued for this deployment and its object is uploaded. */
    isUploaded(deploymentId, objectPath) {
        const row = this.#get(objectPath);
        return row?.deployment_id === deploymentId && row.digest !== null;
    }
    /** The file of an object; undefined until it is uploaded. */
    file(objectPath) {
        const row = this.#get(objectPath);
        return row?.digest == null ? undefined : (0,external_node_path_.join)(this.#directory(), row.file);
    }
    /** Another object with the same bytes, as another user would have uploaded it. */
    duplicate(deploymentId, objectPath) {
        const row = this.#get(objectPath);
        const copy = this.issue(deploymentId).objectPath;
        const file = this.#get(copy)?.file;
        if (row?.digest == null || file === undefined)
            return objectPath;
        (0,external_node_fs_.copyFileSync)((0,external_node_path_.join)(this.#directory(), row.file), (0,external_node_path_.join)(this.#directory(), file));
        this.#database.prepare("UPDATE objects SET digest = ? WHERE path = ?").run(row.digest, copy);
        return copy;
    }
    /** Deletes the files of a deployment's objects; the rows go with the deployment. */
    removeOf(deploymentId) {
        const rows = this.#database.prepare("SELECT * FROM objects WHERE deployment_id = ?").all(deploymentId);
        for (const row of rows) {
            try {
                (0,external_node_fs_.rmSync)((0,external_node_path_.join)(this.#directory(), object_store_Row.parse(row).file), { force: true });
            }
            catch {
                // Windows keeps a file that a build is reading. Without its row it cannot be reached any more.
            }
        }
    }
    close() {
        if (this.#temporary !== undefined)
            (0,external_node_fs_.rmSync)(this.#temporary, { recursive: true, force: true });
    }
    #checkTicket(objectPath, query, headers) {
        const row = this.#get(objectPath);
        const given = Buffer.from(sha256(query.get("signature") ?? ""));
        if (row === undefined || !(0,external_node_crypto_.timingSafeEqual)(given, Buffer.from(row.signature))) {
            throw new HttpError(403, "The signature of the URL is invalid.");
        }
        if (Date.now() > row.expires_at)
            throw new HttpError(403, "The signed URL has expired.");
        const missing = Object.entries(row.headers).find(([name, value]) => headers[name.toLowerCase()] !== value);
        if (missing !== undefined)
            throw new HttpError(403, `The URL was signed for another value of ${missing[0]}.`);
        return row;
    }
    #get(objectPath) {
        const row = this.#database.prepare("SELECT * FROM objects WHERE path = ?").get(objectPath);
        return row === undefined ? undefined : object_store_Row.parse(row);
    }
    // Created when it is needed: most services in memory never see an upload.
    #directory() {
        if (this.#kept !== undefined) {
            (0,external_node_fs_.mkdirSync)(this.#kept, { recursive: true, mode: 0o700 });
            return this.#kept;
        }
        this.#temporary ??= (0,external_node_fs_.mkdtempSync)((0,external_node_path_.join)((0,external_node_os_.tmpdir)(), "graph-deploy-local-"));
        return this.#temporary;
    }
}
async function writeFile(path, body) {
    const hash = (0,external_node_crypto_.createHash)("sha256");
    await (0,external_node_stream_promises_.pipeline)(body, async function* (chunks) {
        for await (const chunk of chunks) {
            hash.update(chunk);
            yield chunk;
        }
    }, (0,external_node_fs_.createWriteStream)(path, { mode: 0o600 }));
    return hash.digest("hex");
}
function sha256(text) {
    return (0,external_node_crypto_.createHash)("sha256").update(text).digest("hex");
}

;// CONCATENATED MODULE: ./src/local/deployments/routes.js







const ListQuery = schemas/* object */.Ikc({
    limit: pageLimit(20, 100),
    offset: offsetParam,
    name: schemas/* string */.YjP().optional(),
    name_contains: schemas/* string */.YjP().optional(),
});
const DeleteQuery = schemas/* object */.Ikc({ delete_tracing_project: schemas/* enum */.k5n(["true", "false"]).optional() });
const RevisionsQuery = schemas/* object */.Ikc({ limit: pageLimit(20, 100), offset: offsetParam, status: schemas/* string */.YjP().optional() });
const routes_DEPLOYMENT = "/v2/deployments/:deployment_id";
/** Deployments and their revisions; also the lists and the delete of the public service. */
function deploymentRoutes(deployments) {
    return [
        { method: "GET", path: "/v2/deployments", handle: (call) => list(call, deployments) },
        {
            method: "POST",
            path: "/v2/deployments",
            handle: async (call) => ({ status: 201, json: deployments.create(await call.json()) }),
        },
        {
            method: "GET",
            path: routes_DEPLOYMENT,
            handle: (_call, params) => ({ status: 200, json: deployments.get(param(params, "deployment_id")) }),
        },
        {
            method: "PATCH",
            path: routes_DEPLOYMENT,
            handle: async (call, params) => ({
                status: 200,
                json: deployments.patch(param(params, "deployment_id"), await call.json()),
            }),
        },
        {
            method: "DELETE",
            path: routes_DEPLOYMENT,
            handle: async (call, params) => {
                const { delete_tracing_project } = readQuery(DeleteQuery, call.query);
                await deployments.delete(param(params, "deployment_id"), { withTraces: delete_tracing_project === "true" });
                return { status: 204 };
            },
        },
        {
            method: "GET",
            path: `${routes_DEPLOYMENT}/revisions`,
            handle: (call, params) => listRevisions(call, deployments, param(params, "deployment_id")),
        },
        {
            method: "GET",
            path: `${routes_DEPLOYMENT}/revisions/:revision_id`,
            handle: (_call, params) => ({
                status: 200,
                json: deployments.revision(param(params, "deployment_id"), param(params, "revision_id")),
            }),
        },
        // Public clients ask for the clusters of a self-hosted service; there are none here.
        { method: "GET", path: "/v2/listeners", handle: () => ({ status: 200, json: { resources: [], offset: 0 } }) },
    ];
}
function list(call, deployments) {
    const { limit, offset, name, name_contains } = readQuery(ListQuery, call.query);
    const resources = deployments.list({ limit, offset, name, nameContains: name_contains });
    return { status: 200, json: { resources, offset: offset + resources.length } };
}
function listRevisions(call, deployments, deploymentId) {
    const { limit, offset, status } = readQuery(RevisionsQuery, call.query);
    const resources = deployments.revisions(deploymentId, { limit, offset, statuses: status?.split(",") });
    return { status: 200, json: { resources, offset: offset + resources.length } };
}
/** The upload-url endpoint; public clients look for it under `/v2`, too. */
function uploadRoutes(options) {
    return ["", "/v2"].map((prefix) => ({
        method: "POST",
        path: `${prefix}/deployments/:deployment_id/upload-url`,
        handle: (call, params) => issue(call, param(params, "deployment_id"), options),
    }));
}
const OBJECTS = "/objects/";
/** True for paths of the object store, whose URLs are signed and need no key. */
function isObjectPath(path) {
    return path.startsWith(OBJECTS);
}
/** Receives an upload to such a path. */
async function receiveObject(call, path, objects) {
    if (call.method !== "PUT")
        throw new HttpError(405, "Method Not Allowed", { allow: "PUT" });
    await objects.receive(path.slice(OBJECTS.length), call.query, call.headers, call.body(UPLOAD_LIMIT_BYTES));
    return { status: 200 };
}
async function issue(call, deploymentId, options) {
    await call.json();
    const { source } = options.deployments.row(deploymentId);
    if (source !== "internal_source") {
        throw new HttpError(400, `Upload URLs are only available for internal_source deployments; this one is ${source}.`);
    }
    const { uploadHeaders } = options.faults.conditions;
    const { objectPath, target } = options.objects.issue(deploymentId, uploadHeaders);
    const headers = uploadHeaders === undefined ? {} : { upload_headers: uploadHeaders };
    return { status: 200, json: { upload_url: options.url() + target, object_path: objectPath, ...headers } };
}
const Filter = schemas/* object */.Ikc({
    order: schemas/* enum */.k5n(["asc", "desc"]).nullish(),
    limit: pageLimit(50, 1000).nullish(),
    // The offsets of the public service are opaque strings.
    offset: coerce/* number */.ai().int().min(0).nullish(),
    level: schemas/* enum */.k5n(LOG_LEVELS).nullish(),
    query: schemas/* string */.YjP().nullish(),
});
const FilterWithType = Filter.extend({ type: schemas/* enum */.k5n(LOG_KINDS) });
const PROJECT = "/v1/projects/:deployment_id";
/** The build and deploy logs, under the two paths of the public clients. */
function logRoutes(deployments, logs) {
    const pageOf = (revisionId, kind, filter) => pageOfLogs(logs, revisionId, kind, filter);
    return [
        ...LOG_KINDS.map((kind) => ({
            method: "POST",
            path: `${PROJECT}/revisions/:revision_id/${kind}_logs`,
            handle: async (call, params) => {
                const filter = readFilter(await call.json());
                return pageOf(revisionOf(deployments, params), kind, filter);
            },
        })),
        {
            method: "POST",
            path: `${PROJECT}/deploy_logs`,
            handle: async (call, params) => {
                const filter = readFilter(await call.json());
                return pageOf(deployments.get(param(params, "deployment_id")).active_revision_id ?? "", "deploy", filter);
            },
        },
        {
            method: "GET",
            path: "/v2/deployments/:deployment_id/revisions/:revision_id/logs",
            handle: (call, params) => {
                const { type, ...filter } = readQuery(FilterWithType, call.query);
                return pageOf(revisionOf(deployments, params), type, filter);
            },
        },
    ];
}
function revisionOf(deployments, params) {
    return deployments.revision(param(params, "deployment_id"), param(params, "revision_id")).id;
}
function readFilter(body) {
    const parsed = Filter.safeParse(body ?? {});
    if (!parsed.success)
        throw invalid((0,validation_error/* toValidationErrors */.Yt)(parsed.error, "body"));
    return parsed.data;
}
function pageOfLogs(logs, revisionId, kind, filter) {
    const { order, level, query } = filter;
    const limit = filter.limit ?? 50;
    const offset = filter.offset ?? 0;
    const rows = logs.list({
        revisionId,
        kind,
        order: order ?? "asc",
        limit: limit + 1,
        offset,
        level: level ?? undefined,
        query: query ?? undefined,
    });
    const page = rows.slice(0, limit);
    return { status: 200, json: { logs: page, next_offset: rows.length > limit ? String(offset + limit) : null } };
}

;// CONCATENATED MODULE: ./src/local/experiments/cells.js






const Score = schemas/* looseObject */._H3({
    key: schemas/* string */.YjP(),
    score: schemas/* union */.KCZ([schemas/* number */.aig(), schemas/* boolean */.zMY()]).nullish(),
    value: schemas/* string */.YjP().nullish(),
    comment: schemas/* string */.YjP().nullish(),
});
// Metadata that a card shows elsewhere.
const SHOWN_ELSEWHERE = new Set(["case_id", "repetition"]);
function shownRow(text) {
    const members = membersOf(text);
    const metadata = membersIn(members.get("run_metadata"));
    const start = (0,contract_instant/* parseInstant */.nV)(stringOf(members.get("start_time")) ?? "");
    const end = (0,contract_instant/* parseInstant */.nV)(stringOf(members.get("end_time")) ?? "");
    const seconds = start && end ? Number(end.microseconds - start.microseconds) / 1e6 : undefined;
    return {
        rowId: (stringOf(members.get("row_id")) ?? "").toLowerCase(),
        caseId: plainText(metadata.get("case_id")),
        repetition: plainText(metadata.get("repetition")),
        name: stringOf(members.get("run_name")),
        inputs: members.get("inputs"),
        expected: members.get("expected_outputs"),
        outputs: members.get("actual_outputs"),
        scores: shownScores(members.get("evaluation_scores")),
        error: stringOf(members.get("error")),
        seconds,
        metadata: without(metadata, SHOWN_ELSEWHERE),
    };
}
// A string or a number; undefined for any other JSON.
function plainText(json) {
    const text = stringOf(json) ?? (/^-?\d/.test(json ?? "") ? json : undefined);
    return text === "" ? undefined : text;
}
/** The scores of a JSON list of feedback objects. */
function shownScores(text) {
    const scores = schemas/* array */.YOg(Score).parse(JSON.parse(text ?? "[]") ?? []);
    const labels = scoreLabels(scores.map(({ key }) => key));
    return scores.map(({ score, value, comment }, index) => ({
        label: labels[index] ?? "",
        score: score == null ? undefined : Number(score),
        value: value ?? undefined,
        comment: comment ?? undefined,
    }));
}
function scoreText({ score, value }) {
    const parts = [score === undefined ? undefined : shortNumber(score), value];
    return parts.filter((part) => part !== undefined).join(" ");
}
function shortNumber(value, digits = 6) {
    if (value == null)
        return "";
    return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(digits)));
}
/** How many rows failed; undefined while they are counted. */
function errorCount(experiment) {
    const { error_rate, run_count } = experiment;
    return run_count === null ? undefined : Math.round((error_rate ?? 0) * run_count);
}
/** The keys with a mean in any of the experiments. */
function scoredKeys(experiments) {
    const means = experiments.flatMap(({ feedback_stats }) => Object.entries(feedback_stats ?? {}));
    return [...new Set(means.flatMap(([key, { avg }]) => (avg === null ? [] : [key])))].toSorted();
}
function secondsText(seconds) {
    return seconds == null ? "" : (0,duration/* latencyText */.eN)(seconds * 1000);
}
/** A mean, with the number of its scores in brackets, as HTML. */
function meanCell(statistics) {
    const { n, scored = n, avg = null } = statistics ?? {};
    return avg === null ? "" : `${shortNumber(avg, 4)} <span class="soft">(${String(scored)})</span>`;
}

;// CONCATENATED MODULE: ./src/local/experiments/row-card.js





const VERDICT_WORDS = {
    worse: "worse",
    better: "better",
    "only-compared": "only in the compared one",
    "only-baseline": "only in the baseline",
    same: "same scores",
};
const VERDICT_BADGES = {
    worse: "bad",
    better: "good",
    "only-compared": "quiet",
    "only-baseline": "quiet",
    same: "quiet",
};
/** A row of an experiment, as HTML. */
function rowCard(row, occurrence) {
    const scores = row.scores.map((score) => scoreItem(score.label, escapeHtml(scoreText(score)), "same", score.comment));
    const fields = [
        field("Inputs", objectCell(row.inputs)),
        field("Expected", objectCell(row.expected)),
        field("Output", outcome(row)),
    ];
    const verdict = hasFailed(row) ? "worse" : "same";
    const head = [hasFailed(row) ? badge("bad", "failed") : "", ...aboutOf(row), secondsText(row.seconds)];
    const { rowId, caseId } = row;
    return card({
        rowId,
        caseId,
        occurrence,
        verdict,
        head,
        scores,
        fields,
        below: foldedCell("Metadata", row.metadata),
    });
}
/** A row of two experiments side by side, as HTML. */
function pairCard(pair, one, other, ways) {
    const { rowId, occurrence, verdict } = pair;
    const fields = [
        ...bothOf("Inputs", objectCell(one?.inputs), objectCell(other?.inputs), one && other),
        ...bothOf("Expected", objectCell(one?.expected), objectCell(other?.expected), one && other),
        one === undefined ? "" : field("Baseline", outcome(one)),
        other === undefined
            ? ""
            : field(one?.outputs === other.outputs ? "Compared, same output" : "Compared", outcome(other)),
    ];
    const seconds = [one, other].map((row) => secondsText(row?.seconds)).filter((text) => text !== "");
    const head = [
        badge(VERDICT_BADGES[verdict], VERDICT_WORDS[verdict]),
        ...aboutOf(other ?? one),
        [...new Set(seconds)].join(" → "),
    ];
    const inBoth = one !== undefined && other !== undefined;
    const scores = inBoth ? comparedScores(one.scores, other.scores, ways) : singleScores((one ?? other)?.scores ?? []);
    const { caseId } = other ?? one ?? {};
    return card({ rowId, caseId, occurrence, verdict, head, scores, fields });
}
/** A change that is readable without colours: an arrow, the difference and a word, as HTML. */
function changeText(before, after, change, textOf = (size) => shortNumber(size, 4)) {
    if (change === "same")
        return "";
    if (change === "lost" || change === "new")
        return `<b class="${isWorse(change) ? "worse" : ""}">${change}</b>`;
    const delta = (after ?? 0) - (before ?? 0);
    return `<b class="${change}">${delta > 0 ? "▲ +" : "▼ -"}${textOf(Math.abs(delta))} ${change}</b>`;
}
function card({ rowId, caseId = rowId, occurrence, verdict, head, scores, fields, below = "" }) {
    const anchor = `row-${rowId}${occurrence === 1 ? "" : `-${String(occurrence)}`}`;
    const name = `<h3><a href="#${escapeHtml(anchor)}" title="${escapeHtml(rowId)}">${escapeHtml(nameText(caseId))}</a></h3>`;
    const parts = [name, ...head];
    return `<article class="${verdict}" id="${escapeHtml(anchor)}">
<header>${parts.filter((part) => part !== "").join(" ")}</header>
${scores.length === 0 ? "" : `<ul class="scores">${scores.join("")}</ul>\n`}<dl>${fields.join("")}</dl>${below}
</article>`;
}
function aboutOf(row) {
    const { name = "", repetition } = row ?? {};
    return [
        repetition === undefined ? "" : `repetition ${escapeHtml(nameText(repetition))}`,
        escapeHtml(nameText(name)),
    ].map((text) => (text === "" ? "" : `<span class="soft">${text}</span>`));
}
// Rows with the same id may have different inputs.
function bothOf(name, one, other, inBoth) {
    if (inBoth === undefined || one === other)
        return [field(name, one === "" ? other : one)];
    return [field(`${name}, baseline`, one), field(`${name}, compared`, other)];
}
function hasFailed({ error }) {
    return error !== undefined && error !== "";
}
function outcome(row) {
    const output = objectCell(row.outputs);
    const error = hasFailed(row) ? `<div class="fault"><b class="worse">Error</b>${textCell(row.error)}</div>` : "";
    return output + error === "" ? '<p class="soft">no output</p>' : output + error;
}
function scoreItem(label, html, change, comment) {
    const title = comment === undefined || comment === "" ? "" : ` title="${escapeHtml(comment.slice(0, 1000))}"`;
    const colour = isWorse(change) ? "worse" : change;
    return `<li class="${colour}"${title}>${escapeHtml(nameText(label))} ${html}</li>`;
}
function singleScores(scores) {
    return scores.map((score) => scoreItem(score.label, escapeHtml(row_card_valueOf(score)), "same", score.comment));
}
function comparedScores(one, other, ways) {
    const before = new Map(one.map((score) => [score.label, score]));
    const after = new Map(other.map((score) => [score.label, score]));
    return [...new Set([...before.keys(), ...after.keys()])].map((label) => {
        const [a, b] = [before.get(label), after.get(label)];
        const change = changeOf(a?.score, b?.score, ways.isLower(label));
        const texts = [row_card_valueOf(a), row_card_valueOf(b)].map(escapeHtml);
        const html = [[...new Set(texts)].join(" → "), changeText(a?.score, b?.score, change)].filter((text) => text !== "");
        return scoreItem(label, html.join(" "), change, b?.comment ?? a?.comment);
    });
}
function row_card_valueOf(score) {
    const text = score === undefined ? "" : scoreText(score);
    return text === "" ? "none" : nameText(text);
}
/** A link to the pairs of a verdict; only its name if there are none, or if they are shown. */
function verdictLink(path, words, count, isShown) {
    const text = `${words} ${String(count)}`;
    if (isShown)
        return `<strong aria-current="page">${escapeHtml(text)}</strong>`;
    return count === 0 ? `<span>${escapeHtml(text)}</span>` : html_link(path, text);
}

;// CONCATENATED MODULE: ./src/local/experiments/comparison-page.js







/** Two experiments, row by row; the first is the baseline. */
function comparisonPage(dataset, [one, other], { pairs, counts, show, page: shown }) {
    const pathTo = (...ids) => comparePath(dataset.tenant_id, dataset.id, ids);
    const all = pathTo(one.id, other.id);
    const path = show === undefined ? all : `${all}&show=${show}`;
    const isPending = one.run_count === null || other.run_count === null;
    const ways = Directions.of([one, other].map(({ extra }) => extra?.metadata.text));
    const cards = pairs.map((pair) => {
        const [before, after] = [pair.one, pair.other].map((text) => (text === null ? undefined : shownRow(text)));
        return pairCard(pair, before, after, ways);
    });
    const body = [
        factList([
            ["Baseline", experimentCell(pathTo(one.id), one)],
            ["Compared", experimentCell(pathTo(other.id), other)],
        ]),
        table("Comparison", ["Measure", { number: "Baseline" }, { number: "Compared" }, "Change"], measures(one, other, ways)),
        isPending ? '<p class="soft">The scores are being counted; the page reloads itself.</p>' : "",
        `<p class="soft">A higher score is better, unless the metadata of an experiment lists it in
<code>score_directions</code> as <code>lower</code>. The number of scores behind a mean is in brackets. ${html_link(pathTo(other.id, one.id), "The other way round")}</p>`,
        '<h2 id="rows">Rows</h2>',
        verdictLinks(all, counts, show),
        pager(path, "rows", shown),
        ...cards,
        cards.length === 0 ? "" : pager(path, "rows", shown),
    ];
    const trail = [html_link(datasetPath(dataset.tenant_id, dataset.id), dataset.name)];
    return page("Comparison", body.join("\n"), { section: "Datasets", refresh: isPending, trail });
}
function experimentCell(path, { name, test_run_number, start_time }) {
    return `${html_link(path, name)} <span class="soft">#${String(test_run_number)}</span><br>${timeCell(start_time)}`;
}
function verdictLinks(path, counts, show) {
    const total = VERDICTS.reduce((sum, verdict) => sum + counts[verdict], 0);
    const links = [
        verdictLink(path, "all", total, show === undefined),
        ...VERDICTS.map((verdict) => verdictLink(`${path}&show=${verdict}`, VERDICT_WORDS[verdict], counts[verdict], show === verdict)),
    ];
    return `<nav aria-label="Rows by verdict">${links.join(" ")}</nav>`;
}
function measures(one, other, ways) {
    const both = [one, other];
    const stats = both.map(({ feedback_stats }) => new Map(Object.entries(feedback_stats ?? {})));
    const changed = ([a, b], isLower, textOf) => a == null || b == null ? "" : changeText(a, b, changeOf(a, b, isLower), textOf);
    const errors = both.map(errorCount);
    return [
        ["Rows", ...both.map(({ run_count }) => (run_count === null ? "being counted" : String(run_count))), ""],
        ["Rows with an error", ...errors.map((count) => shortNumber(count)), changed(errors, true)],
        ...scoredKeys(both).map((key) => {
            const ofKey = stats.map((each) => each.get(key));
            const change = changed(ofKey.map((each) => each?.avg), ways.isLower(key));
            return [nameHtml(`Mean of ${key}`), ...ofKey.map(meanCell), change];
        }),
        ...["latency_p50", "latency_p99"].map((name) => {
            const latencies = both.map((each) => each[name]);
            const heading = name === "latency_p50" ? "Latency, median" : "Latency, 99th percentile";
            return [heading, ...latencies.map(secondsText), changed(latencies, true, secondsText)];
        }),
    ];
}

;// CONCATENATED MODULE: ./src/local/experiments/routes.js




const routes_ListQuery = schemas/* object */.Ikc({ limit: pageLimit(20, 100), offset: offsetParam });
const RowsQuery = schemas/* object */.Ikc({ limit: pageLimit(100, 1000), offset: offsetParam });
const UPLOAD_PATH = "/datasets/upload-experiment";
/** The endpoints of the local service only, for its page and the documents. */
const READ_BACK = [
    ["/datasets", "the datasets, newest first"],
    ["/datasets/{dataset_id}", "one dataset"],
    ["/datasets/{dataset_id}/experiments", "its experiments, newest first"],
    ["/experiments/{experiment_id}", "one experiment and its statistics"],
    ["/experiments/{experiment_id}/rows", "its rows as they were sent"],
];
/** The upload, and endpoints that read back what is stored; also under the prefix `/api/v1`. */
function experimentRoutes(experiments) {
    return ["", "/api/v1"].flatMap((prefix) => routes(experiments).map((route) => ({ ...route, path: prefix + route.path })));
}
function routes(experiments) {
    const get = (path, handle) => ({ method: "GET", path, handle });
    return [
        {
            method: "POST",
            path: UPLOAD_PATH,
            handle: (call) => upload(call, experiments),
        },
        get("/datasets", (call) => {
            const page = readQuery(routes_ListQuery, call.query);
            return routes_list(page.offset, experiments.datasets(page));
        }),
        get("/datasets/:dataset_id", (_call, params) => routes_json(experiments.dataset(param(params, "dataset_id")))),
        get("/datasets/:dataset_id/experiments", (call, params) => {
            const page = readQuery(routes_ListQuery, call.query);
            return routes_list(page.offset, experiments.list(param(params, "dataset_id"), page));
        }),
        get("/experiments/:experiment_id", (_call, params) => routes_json(experiments.get(param(params, "experiment_id")))),
        get("/experiments/:experiment_id/rows", (call, params) => {
            const page = readQuery(RowsQuery, call.query);
            const { texts, total } = experiments.rows(param(params, "experiment_id"), page);
            const resources = texts.map((text) => new RawJson(text));
            return routes_list(page.offset, resources, { total });
        }),
    ];
}
async function upload(call, experiments) {
    const { limitBytes } = experiments;
    try {
        call.checkJsonType();
        const { "content-encoding": encoding = "identity", "content-length": length = "0" } = call.headers;
        if (encoding !== "identity")
            throw new HttpError(415, `The Content-Encoding ${encoding} is not supported.`);
        if (Number(length) > limitBytes)
            throw tooLarge(limitBytes);
        return routes_json(await experiments.receive(call.body(limitBytes)));
    }
    catch (error) {
        await call.drain();
        throw error;
    }
}
function routes_list(offset, resources, more = {}) {
    return routes_json({ resources, offset: offset + resources.length, ...more });
}
function routes_json(value) {
    return { status: 200, jsonText: writeJson(value) };
}

;// CONCATENATED MODULE: ./src/local/experiments/pages.js













const SHOWN_DATASETS = 100;
const SHOWN_EXPERIMENTS = 100;
const SHOWN_ROWS = 50;
const pages_ListQuery = schemas/* object */.Ikc({ offset: offsetParam });
const CompareQuery = pages_ListQuery.extend({ show: schemas/* enum */.k5n(VERDICTS).optional() });
const DATASETS = "/o/:tenant/datasets";
/** The datasets, their experiments, and the comparison of two. */
function experimentPageRoutes(experiments) {
    return [
        pageRoute(DATASETS, (call, params) => {
            const range = { ...readQuery(pages_ListQuery, call.query), limit: SHOWN_DATASETS };
            const shown = { ...range, total: experiments.datasetCount() };
            return datasetsPage(experiments.datasets(range), param(params, "tenant"), shown);
        }),
        pageRoute(`${DATASETS}/:dataset_id`, (call, params) => {
            const range = { ...readQuery(pages_ListQuery, call.query), limit: SHOWN_EXPERIMENTS };
            const dataset = experiments.dataset(param(params, "dataset_id"));
            const shown = { ...range, total: dataset.session_count };
            return datasetPage(dataset, experiments.list(dataset.id, range), shown);
        }),
        pageRoute(`${DATASETS}/:dataset_id/compare`, (call, params) => {
            const query = readQuery(CompareQuery, call.query);
            const ids = call.query.getAll("selectedSessions").flatMap((text) => text.split(","));
            return compare(experiments, param(params, "dataset_id"), ids, query);
        }),
    ];
}
// One experiment, or the comparison of the first two.
function compare(experiments, datasetId, ids, { offset, show }) {
    const dataset = experiments.dataset(datasetId);
    const [one, other] = ids.slice(0, 2).map((id) => experimentOf(experiments, datasetId, id.toLowerCase()));
    const range = { limit: SHOWN_ROWS, offset };
    if (one === undefined) {
        throw invalid([{ loc: ["query", "selectedSessions"], msg: "Name one experiment, or two", type: "missing" }]);
    }
    if (other === undefined) {
        const { texts, total } = experiments.rows(one.id, range);
        const { summary_scores } = experiments.record(one.id);
        return experimentPage(dataset, { ...one, summary_scores }, texts, { ...range, total });
    }
    const pairs = experiments.pairs(one.id, other.id);
    const { counts } = pairs;
    const total = VERDICTS.reduce((sum, verdict) => sum + (show === undefined || show === verdict ? counts[verdict] : 0), 0);
    const shown = { pairs: pairs.page({ ...range, show }), counts, show, page: { ...range, total } };
    return comparisonPage(dataset, [one, other], shown);
}
function experimentOf(experiments, datasetId, id) {
    const experiment = experiments.get(id);
    if (experiment.reference_dataset_id !== datasetId)
        throw notFound("Experiment", id);
    return experiment;
}
// More columns would be unreadable; the page of an experiment has all keys.
const SHOWN_KEYS = 8;
function datasetsPage(datasets, tenantId, shown) {
    const rows = datasets.map((dataset) => [
        html_link(datasetPath(dataset.tenant_id, dataset.id), dataset.name),
        String(dataset.session_count),
        String(dataset.example_count),
        dataset.externally_managed ? "uploads" : "this service",
        timeCell(dataset.modified_at),
    ]);
    const body = [
        shown.total === 0
            ? "<p>No datasets yet. Uploading an experiment creates one.</p>"
            : linkTable("Datasets", ["Name", { number: "Experiments" }, { number: "Rows" }, "Managed by", "Changed"], rows),
        shown.total > shown.limit ? pager(datasetsPath(tenantId), "datasets", shown) : "",
        "<h2>Over HTTP</h2>",
        endpointTable("Over HTTP", [
            [`POST ${UPLOAD_PATH}`, "uploads an experiment, as JSON"],
            ...READ_BACK.map(([path, what]) => [`GET ${path}`, what]),
        ]),
        `<p class="soft">Each path also exists under <code>/api/v1</code>. Lists take <code>limit</code> and
<code>offset</code>, and return <code>resources</code> and the <code>offset</code> of the next page.</p>`,
    ];
    return page("Datasets", body.join("\n"), { section: "Datasets" });
}
// The experiments are newest first.
function datasetPage(dataset, experiments, shown) {
    const keys = scoredKeys(experiments);
    const first = keys.slice(0, SHOWN_KEYS);
    const columns = [
        "Experiment",
        ...[...first, "Errors", "Rows", "Median latency"].map((number) => ({ number })),
        "Started",
        "Compare",
    ];
    const rows = experiments.map((experiment, index) => [
        ...experimentCells(dataset, experiment, first),
        before(dataset, experiment, experiments[index + 1]),
    ]);
    const path = datasetPath(dataset.tenant_id, dataset.id);
    const body = [
        proseCell(dataset.description),
        `<p class="soft">${String(dataset.example_count)} rows, dataset <code>${escapeHtml(dataset.id)}</code></p>`,
        "<h2>Experiments</h2>",
        rows.length === 0 ? '<p class="soft">No experiments yet.</p>' : linkTable("Experiments", columns, rows),
        first.length === 0 ? "" : '<p class="soft">Scores are means; the number of scores is in brackets.</p>',
        keys.length > first.length
            ? `<p class="soft">${String(keys.length - first.length)} more scores: see the pages of the experiments.</p>`
            : "",
        shown.total > shown.limit ? pager(path, "experiments", shown) : "",
        experiments.length < 2 ? "" : compareForm(path, experiments),
    ];
    const refresh = experiments.some(({ run_count }) => run_count === null);
    return page(dataset.name, body.join("\n"), { section: "Datasets", refresh });
}
function experimentCells({ tenant_id, id }, experiment, keys) {
    const { name, test_run_number, run_count, start_time, latency_p50 } = experiment;
    const stats = new Map(Object.entries(experiment.feedback_stats ?? {}));
    const errors = errorCount(experiment) ?? 0;
    return [
        `${html_link(comparePath(tenant_id, id, [experiment.id]), name)} <span class="soft">#${String(test_run_number)}</span>`,
        ...keys.map((key) => meanCell(stats.get(key))),
        errors > 0 ? `<b class="worse">${String(errors)}</b>` : run_count === null ? "" : "0",
        run_count === null ? '<span class="soft">being counted</span>' : String(run_count),
        secondsText(latency_p50),
        timeCell(start_time),
    ];
}
function before(dataset, experiment, baseline) {
    if (baseline === undefined)
        return "";
    const name = `compare with #${String(baseline.test_run_number)}`;
    return html_link(comparePath(dataset.tenant_id, dataset.id, [baseline.id, experiment.id]), name);
}
function compareForm(path, experiments) {
    const choice = (label, chosen) => {
        const options = experiments.map(({ id, name, test_run_number }, index) => {
            const text = escapeHtml(nameText(`#${String(test_run_number)} ${name}`));
            return `<option value="${escapeHtml(id)}"${index === chosen ? " selected" : ""}>${text}</option>`;
        });
        return `<label>${label} <select name="selectedSessions">${options.join("")}</select></label>`;
    };
    return `<h2>Compare</h2>
<form action="${escapeHtml(path)}/compare" method="get">
${choice("Baseline", 1)}
${choice("Compared", 0)}
<button>Compare</button>
</form>`;
}
const SHOWN_VALUES = 20;
function experimentPage(dataset, experiment, texts, shown) {
    const path = comparePath(dataset.tenant_id, dataset.id, [experiment.id]);
    const isPending = experiment.run_count === null;
    const summary = shownScores(experiment.summary_scores).map((score) => [
        nameHtml(score.label),
        escapeHtml(nameText(scoreText(score))),
    ]);
    const metadata = objectCell(experiment.extra?.metadata.text);
    const body = [
        proseCell(experiment.description),
        factList(factsOf(experiment)),
        "<h2>Scores</h2>",
        isPending ? '<p class="soft">The scores are being counted; the page reloads itself.</p>' : scoreTable(experiment),
        summary.length === 0
            ? ""
            : `<h2>Scores of the whole experiment</h2>\n${table("Scores of the whole experiment", ["Key", { number: "Score" }], summary)}`,
        metadata === "" ? "" : `<h2>Metadata</h2>\n${metadata}`,
        '<h2 id="rows">Rows</h2>',
        pager(path, "rows", shown),
        ...cardsOf(texts),
        texts.length === 0 ? "" : pager(path, "rows", shown),
    ];
    const trail = [html_link(datasetPath(dataset.tenant_id, dataset.id), dataset.name)];
    return page(experiment.name, body.join("\n"), { section: "Datasets", refresh: isPending, trail });
}
function cardsOf(texts) {
    const rows = texts.map(shownRow);
    const numbers = occurrences(rows.map(({ rowId }) => rowId));
    return rows.map((row, index) => rowCard(row, numbers[index] ?? 1));
}
function factsOf(experiment) {
    const { id, test_run_number, start_time, end_time, run_count, latency_p50, latency_p99 } = experiment;
    const errors = errorCount(experiment);
    return [
        ["Rows", run_count === null ? "being counted" : String(run_count)],
        ["Rows with an error", errors === undefined ? "" : String(errors)],
        ["Latency, median", escapeHtml(secondsText(latency_p50))],
        ["Latency, 99th percentile", escapeHtml(secondsText(latency_p99))],
        ["Started", timeCell(start_time)],
        ["Took", escapeHtml(spanText(start_time, end_time))],
        ["Number in its dataset", `#${String(test_run_number)}`],
        ["Experiment", `<code>${escapeHtml(id)}</code>`],
    ];
}
function scoreTable({ feedback_stats }) {
    const rows = Object.entries(feedback_stats ?? {}).map(([key, statistics]) => {
        const counted = Object.entries(statistics.values).map(([value, times]) => `${nameText(value)} × ${String(times)}`);
        const more = counted.length > SHOWN_VALUES ? `, and ${String(counted.length - SHOWN_VALUES)} more` : "";
        const values = counted.slice(0, SHOWN_VALUES).join(", ") + more;
        return [nameHtml(key), meanCell(statistics), escapeHtml(values)];
    });
    if (rows.length === 0)
        return '<p class="soft">No scores.</p>';
    return table("Scores", ["Key", { number: "Mean (n)" }, { text: "Values" }], rows);
}

// EXTERNAL MODULE: ./src/text/bytes.js
var bytes = __webpack_require__(8597);
// EXTERNAL MODULE: ./src/contract/run.js
var contract_run = __webpack_require__(5870);
// EXTERNAL MODULE: ./src/contract/run-rules.js
var run_rules = __webpack_require__(8260);
;// CONCATENATED MODULE: ./src/local/runs/change.js






// These have columns, so they are not stored twice.
const COLUMNS = new Set([
    ...["id", "trace_id", "dotted_order", "parent_run_id", "session_id", "session_name"],
    ...contract_run/* PART_FIELDS */.ms,
]);
const OPENS = { inputs: "{", outputs: "{", events: "[" };
/** Checks a run; 422 if it is invalid. */
function runChange(sent) {
    const { made, parts = new Map() } = sent;
    const run = readRun(sent);
    const place = change_placeOf(run, sent);
    const named = { ...run, trace_id: place?.traceId, dotted_order: place?.dottedOrder, parent_run_id: place?.parentId };
    const [error] = (0,run_rules/* runFaults */.d)(named, { made });
    if (error !== undefined)
        throw new HttpError(422, `run ${run.id}: ${error.field} ${error.what}`);
    if (place === undefined)
        throw new HttpError(422, `run ${run.id}: dotted_order is missing`);
    const given = new Map([...membersOf(sent.main), ...parts].filter(([, text]) => text !== "null"));
    return {
        made,
        id: run.id.toLowerCase(),
        place,
        project: { id: run.session_id?.toLowerCase(), name: run.session_name ?? undefined },
        fields: new Map([...given].filter(([name]) => !COLUMNS.has(name))),
        parts: Object.fromEntries(contract_run/* PART_FIELDS */.ms.flatMap((name) => partOf(run.id, name, given.get(name)))),
    };
}
/** Parses JSON; 422 if it is invalid. `what` names the text in the error. */
function parseText(text, what) {
    try {
        return JSON.parse(text);
    }
    catch {
        throw new HttpError(422, `${what}: the content is not valid JSON`);
    }
}
// The range of a Date: ECMA-262 §21.4.1.1.
const MAX_MILLISECONDS = 8.64e15;
/** Microseconds since 1970. A number is milliseconds; undefined if it is not a valid time. */
function change_microsecondsOf(time) {
    if (typeof time === "number")
        return Math.abs(time) <= MAX_MILLISECONDS ? Math.round(time * 1000) : undefined;
    const instant = typeof time === "string" ? (0,contract_instant/* parseInstant */.nV)(time) : undefined;
    return instant === undefined ? undefined : Number(instant.microseconds);
}
function readRun({ main, id }) {
    const value = parseText(main, id === undefined ? "a run" : `run ${id}`);
    if (!isObject(value)) {
        throw new HttpError(422, `${id === undefined ? "a run" : `run ${id}`} is not a JSON object`);
    }
    const parsed = contract_run/* Run */.KF.safeParse("id" in value || id === undefined ? value : { ...value, id });
    if (!parsed.success) {
        const [first = "is not a run"] = (0,validation_error/* toValidationErrors */.Yt)(parsed.error).map(validation_error/* describeValidationError */.rm);
        throw new HttpError(422, `${id === undefined ? "a run" : `run ${id}`}: ${first}`);
    }
    if (id !== undefined && parsed.data.id.toLowerCase() !== id.toLowerCase()) {
        throw new HttpError(422, `run ${id}: its content has another id`);
    }
    return parsed.data;
}
function change_placeOf(run, { place }) {
    const { trace_id: trace, dotted_order: dottedOrder, parent_run_id: parent } = run;
    if (trace == null && dottedOrder == null)
        return place?.(run);
    // A place that is half given cannot be completed.
    if (trace == null || dottedOrder == null) {
        throw new HttpError(422, `run ${run.id}: ${trace == null ? "trace_id" : "dotted_order"} is missing`);
    }
    return { traceId: trace.toLowerCase(), dottedOrder, parentId: parent?.toLowerCase() ?? null };
}
function partOf(id, name, text) {
    if (text === undefined)
        return [];
    // The first character shows the type of a JSON text.
    if (text.trimStart().startsWith(OPENS[name]))
        return [[name, text]];
    throw new HttpError(422, `run ${id}: ${name} is not ${OPENS[name] === "{" ? "an object" : "a list"}`);
}

;// CONCATENATED MODULE: ./src/local/runs/view.js





const TIMES = new Set(["start_time", "end_time"]);
// Some clients send empty values, others leave them out.
const EMPTY = /^\s*(?:\{\s*\}|\[\s*\])\s*$/;
/** A project in a response. */
function viewProject(project, tenantId) {
    const { id, name, created_at, run_count, trace_count, last_start_ms } = project;
    return {
        id,
        name,
        tenant_id: tenantId,
        created_at,
        run_count,
        trace_count,
        last_run_start_time: last_start_ms === null ? undefined : timestamp(last_start_ms),
        app_path: projectPath(tenantId, id),
    };
}
/**
 * A run in a response: each field as it was sent, without null values and without empty inputs, outputs and events.
 * Times have one format; clients send several.
 */
function viewRun(run, tenantId, attachments = []) {
    const { id, trace_id, parent_id, dotted_order, session_id, session_name } = run;
    const raw = (text) => (text === null || EMPTY.test(text) ? undefined : new RawJson(text));
    const fields = [...membersOf(run.fields)].map(([name, text]) => [name, viewField(name, text)]);
    const files = attachments.map(({ name, type, bytes }) => [name, { type, bytes }]);
    return {
        id,
        trace_id,
        parent_run_id: parent_id ?? undefined,
        dotted_order,
        session_id,
        session_name,
        ...Object.fromEntries(fields),
        inputs: raw(run.inputs),
        outputs: raw(run.outputs),
        events: raw(run.events),
        // A run may have a field with this name.
        ...(files.length === 0 ? {} : { attachments: Object.fromEntries(files) }),
        app_path: tracePath(tenantId, session_id, trace_id),
    };
}
function viewField(name, text) {
    const time = TIMES.has(name) ? change_microsecondsOf(JSON.parse(text)) : undefined;
    return time === undefined ? new RawJson(text) : (0,contract_instant/* formatInstant */.r4)(BigInt(time));
}
/** A trace in a response. */
function viewTrace(trace, tenantId) {
    const { id, session_id, name, start_ms, end_ms, run_count, failed_count } = trace;
    return {
        id,
        session_id,
        name: name ?? undefined,
        start_time: timestamp(start_ms),
        end_time: end_ms === null ? undefined : timestamp(end_ms),
        status: view_statusOf(trace),
        run_count,
        failed_count,
        app_path: tracePath(tenantId, session_id, id),
    };
}
function view_statusOf({ failed, end_ms }) {
    if (failed)
        return "error";
    return end_ms === null ? "pending" : "success";
}

;// CONCATENATED MODULE: ./src/local/runs/cells.js







const SECOND_MS = 1000;
const CHIP_CHARACTERS = 40;
const Statuses = schemas/* array */.YOg(schemas/* looseObject */._H3({ status: schemas/* string */.YjP() }));
/** The name of a run; its id if it has none. */
function nameOfRun({ name, id }) {
    return name === null || name === "" ? id : name;
}
function statusCell(run) {
    const status = view_statusOf(run);
    if (status === "error")
        return badge("bad", "failed");
    return status === "pending" ? badge("busy", "running") : badge("good", "done");
}
/** The duration of a run, as text; empty while it runs. */
function cells_tookText({ start_ms, end_ms }) {
    return end_ms === null ? "" : (0,duration/* latencyText */.eN)(end_ms - start_ms);
}
/** A JSON value as text. A value whose name says bytes or a duration gets a unit. */
function valueText(name, json) {
    const number = /^-?\d/.test(json) ? Number(json) : Number.NaN;
    if (!(number >= 0 && Number.isFinite(number)))
        return stringOf(json) ?? json;
    if (/(?:^|_)bytes$/i.test(name))
        return number < 1000 ? (0,bytes/* bytesText */.pV)(number) : `${(0,bytes/* bytesText */.pV)(number)} (${json} bytes)`;
    if (/_ms$|milliseconds$/i.test(name))
        return (0,duration/* latencyText */.eN)(number);
    return /seconds$/i.test(name) ? (0,duration/* latencyText */.eN)(number * SECOND_MS) : json;
}
/** The sizes and statuses among the values of a run, as HTML. */
function chips(members) {
    const shown = [...members].flatMap(([name, json]) => {
        if (/^(?:status|outcome)$/i.test(name))
            return [valueText(name, json)];
        if (name === "statuses")
            return [statusesText(json)].filter((text) => text !== "");
        return /(?:^|_)bytes$/i.test(name) && /^\d/.test(json) ? [(0,bytes/* bytesText */.pV)(Number(json))] : [];
    });
    return shown.map((text) => `<span class="chip">${escapeHtml(nameText(text, CHIP_CHARACTERS))}</span>`).join("");
}
// The statuses of a revision, in a trace of a deploy.
function statusesText(json) {
    const parsed = Statuses.safeParse(JSON.parse(json));
    return parsed.success ? parsed.data.map(({ status }) => status).join(" → ") : "";
}

;// CONCATENATED MODULE: ./src/local/runs/read-routes.js





const Page = schemas/* object */.Ikc({ limit: pageLimit(100, 1000), offset: offsetParam });
const SessionsQuery = Page.extend({ name: schemas/* string */.YjP().optional() });
const TracesQuery = Page.extend({ session: schemas/* string */.YjP() });
const RunsQuery = Page.extend({ session: schemas/* string */.YjP().optional(), trace: schemas/* guid */.OsD("must be a UUID").optional() });
/** The endpoints of the local service only, for its page and the documents. */
const RUN_READ_BACK = [
    ["/sessions", "the projects, newest first, with their runs and traces counted; `name` finds one"],
    ["/traces?session={name}", "the traces of a project, newest first"],
    ["/runs?session={name}", "the runs of a project, in the order of dotted_order"],
    ["/runs?trace={trace_id}", "the runs of a trace, in the order of dotted_order"],
    ["/runs/{run_id}", "one run, each field as it was sent and none that is null"],
];
function runReadRoutes(runs, tenantId) {
    const get = (path, handle) => ({ method: "GET", path, handle });
    return [
        get("/sessions", (call) => listProjects(call, runs, tenantId)),
        get("/traces", (call) => {
            const page = readQuery(TracesQuery, call.query);
            const project = projectOf(runs, page.session);
            const traces = runs.reader.traces(project.seq, page).map((trace) => viewTrace(trace, tenantId));
            return read_routes_list(page.offset, traces, runs.projects.counted(project.id)?.trace_count);
        }),
        get("/runs", (call) => {
            const page = readQuery(RunsQuery, call.query);
            const { session, trace } = page;
            if ((session === undefined) === (trace === undefined))
                throw new HttpError(422, "name a session or a trace");
            const filter = trace === undefined ? { project: projectOf(runs, session ?? "").seq } : { traceId: trace.toLowerCase() };
            const views = runs.list(filter, page).map((run) => viewRun(run, tenantId));
            return read_routes_list(page.offset, views, runs.reader.count(filter));
        }),
        get("/runs/:run", (_call, params) => {
            const id = param(params, "run").toLowerCase();
            return read_routes_json(viewRun(runs.get(id), tenantId, runs.reader.attachments(id)));
        }),
    ];
}
function listProjects(call, runs, tenantId) {
    const { name, ...page } = readQuery(SessionsQuery, call.query);
    if (name === undefined) {
        const found = runs.projects.list(page).map((project) => viewProject(project, tenantId));
        return read_routes_list(page.offset, found, runs.projects.count());
    }
    const one = runs.projects.counted(runs.projects.byName(name)?.id ?? "");
    const found = one === undefined || page.offset > 0 ? [] : [viewProject(one, tenantId)];
    return read_routes_list(page.offset, found, one === undefined ? 0 : 1);
}
function projectOf(runs, name) {
    const project = runs.projects.byName(name);
    if (project === undefined)
        throw new HttpError(404, `session ${name} not found`);
    return project;
}
function read_routes_list(offset, resources, total) {
    return read_routes_json({ resources, offset: offset + resources.length, total });
}
function read_routes_json(value) {
    return { status: 200, jsonText: writeJson(value) };
}

;// CONCATENATED MODULE: ./src/local/runs/trace-page.js








// The most content on one page; the API returns all of it for each run.
const trace_page_SHOWN_CHARACTERS = 4_000_000;
/** A trace: its runs as a tree beside a time line, each with its inputs and outputs. */
function tracePage(trace, tenantId) {
    const { id, project, root, runs, line, shown } = trace;
    const path = tracePath(tenantId, project.id, id);
    const turner = shown.total > runs.length ? pager(path, "runs", { ...shown, limit: Math.max(1, runs.length) }) : "";
    const total = line.endMilliseconds - line.startMilliseconds;
    const body = [
        factList(trace_page_factsOf(trace)),
        '<h2 id="runs">Runs</h2>',
        turner,
        `<div class="axis"><span>0</span><span>${escapeHtml((0,duration/* latencyText */.eN)(total / 2))}</span><span>${escapeHtml((0,duration/* latencyText */.eN)(total))}</span></div>`,
        `<div class="runs">\n${itemsOf(runs, line).join("\n")}\n</div>`,
        turner,
    ];
    const title = root === undefined ? `Trace ${id}` : nameOfRun(root);
    const trail = [html_link(projectPath(tenantId, project.id), project.name)];
    return page(title, body.join("\n"), { section: "Projects", trail });
}
function trace_page_factsOf({ id, root, failedCount, openCount, line, shown, }) {
    const none = '<span class="soft">its root run has not arrived yet</span>';
    return [
        ["Status", root === undefined ? none : statusCell(root)],
        ["Took", root === undefined ? "" : escapeHtml(cells_tookText(root))],
        ["Runs", String(shown.total)],
        ["Failed runs", failedCount === 0 ? "" : `<b class="worse">${String(failedCount)}</b>`],
        ["Still running", openCount === 0 ? "" : String(openCount)],
        ["Started", timeCell(line.startMilliseconds)],
        ["Trace", `<code>${escapeHtml(id)}</code>`],
    ];
}
// All runs together may be more than a browser can show.
function itemsOf(runs, line) {
    let characters = 0;
    return runs.map((run) => {
        const item = runItem(run, line, characters < trace_page_SHOWN_CHARACTERS);
        characters += item.length;
        return item;
    });
}
// Deeper runs are not indented further, to leave room for their names.
const MOST_DEPTH = 12;
// The narrowest visible bar, in percent.
const LEAST_WIDTH = 0.4;
// Fields that the page shows elsewhere.
const trace_page_SHOWN_ELSEWHERE = new Set(["name", "run_type", "start_time", "end_time", "error", "extra"]);
// A line with its bar, which opens to show everything about the run.
function runItem(run, line, withContent) {
    const fields = membersOf(run.fields);
    const extra = membersIn(fields.get("extra"));
    const metadata = membersIn(extra.get("metadata"));
    const depth = run.dotted_order.split(".").length - 1;
    const type = run.run_type === null ? "" : `<span class="soft">${escapeHtml(nameText(run.run_type))}</span>`;
    const known = chips(new Map([...metadata, ...chipsIn(run.outputs)]));
    const name = `<span class="name${run.failed ? " worse" : ""}" style="--depth:${String(Math.min(depth, MOST_DEPTH))}">${escapeHtml(nameText(nameOfRun(run)))} ${type}${known}</span>`;
    const ending = run.failed || run.end_ms === null ? statusCell(run) : "";
    const took = `<span class="took">${ending} ${escapeHtml(cells_tookText(run))}</span>`;
    const content = withContent ? contentOf(run, fields, extra, metadata) : tooMuch(run);
    return `<details class="run" id="run-${escapeHtml(run.id)}"><summary>${name}${took}${bar(run, line)}</summary>
<dl>${content}</dl></details>`;
}
function bar({ start_ms, end_ms, failed }, { startMilliseconds, endMilliseconds }) {
    const span = endMilliseconds - startMilliseconds;
    const percent = (time) => span > 0 ? Math.min(100, Math.max(0, ((time - startMilliseconds) / span) * 100)) : 0;
    const to = span > 0 ? percent(end_ms ?? endMilliseconds) : 100;
    const left = Math.min(percent(start_ms), 100 - LEAST_WIDTH);
    const width = Math.max(LEAST_WIDTH, to - left);
    const kind = failed ? "failed" : end_ms === null ? "open" : "";
    const title = `from ${(0,duration/* latencyText */.eN)(start_ms - startMilliseconds)}`;
    return `<span class="track" title="${escapeHtml(title)}"><span class="bar ${kind}" style="left:${left.toFixed(2)}%;width:${width.toFixed(2)}%"></span></span>`;
}
function contentOf(run, fields, extra, metadata) {
    const error = fields.get("error");
    const lines = (members) => textCell([...members].map(([name, json]) => `${name}: ${valueText(name, json)}`).join("\n"));
    const times = [timeCell(run.start_ms), run.end_ms === null ? "" : timeCell(run.end_ms)];
    return [
        error === undefined ? "" : field("Error", `<div class="fault">${textCell(stringOf(error) ?? error)}</div>`),
        field("Inputs", objectCell(run.inputs ?? undefined)),
        field("Outputs", lines(membersIn(run.outputs))),
        field("Metadata", lines(metadata)),
        field("Events", textCell(run.events === "[]" ? undefined : (run.events ?? undefined))),
        field("Extra", objectCell(without(extra, new Set(metadata.size > 0 ? ["metadata"] : [])))),
        field("Other fields", objectCell(without(fields, trace_page_SHOWN_ELSEWHERE))),
        field("Time", times.filter((text) => text !== "").join(" to ")),
        field("Run", `<code>${escapeHtml(run.id)}</code>`),
    ].join("");
}
function tooMuch({ id }) {
    return field("Content", `<p class="soft">Too large for this page: <code>GET /runs/${escapeHtml(id)}</code></p>`);
}
// Large outputs are rarely what a reader looks for first.
function chipsIn(outputs) {
    return outputs !== null && outputs.length < 2000 ? membersIn(outputs) : new Map();
}

;// CONCATENATED MODULE: ./src/local/runs/pages.js











const SHOWN_PROJECTS = 100;
const SHOWN_TRACES = 50;
const SHOWN_RUNS = 500;
const runs_pages_ListQuery = schemas/* object */.Ikc({ offset: offsetParam });
const PROJECTS = "/o/:tenant/projects";
/** The projects, their traces, and a trace as a tree beside a time line. */
function runPageRoutes(runs, tenantId) {
    return [
        pageRoute(PROJECTS, (call) => {
            const range = { ...readQuery(runs_pages_ListQuery, call.query), limit: SHOWN_PROJECTS };
            const shown = { ...range, total: runs.projects.count() };
            return projectsPage(runs.projects.list(range), tenantId, shown);
        }),
        pageRoute(`${PROJECTS}/p/:project_id`, (call, params) => {
            const range = { ...readQuery(runs_pages_ListQuery, call.query), limit: SHOWN_TRACES };
            const id = param(params, "project_id");
            const project = runs.projects.counted(id);
            if (project === undefined)
                throw notFound("Project", id);
            const shown = { ...range, total: project.trace_count };
            return projectPage(project, runs.reader.traces(project.seq, range), tenantId, shown);
        }),
        // The trace determines the project; its id in the path is for readers.
        pageRoute(`${PROJECTS}/p/:project_id/r/:trace_id`, (call, params) => trace(call, runs, tenantId, param(params, "trace_id"))),
        // For clients that only know the trace.
        pageRoute("/o/:tenant/traces/:trace_id", (call, params) => trace(call, runs, tenantId, param(params, "trace_id"))),
    ];
}
function trace(call, runs, tenantId, id) {
    const range = { ...readQuery(runs_pages_ListQuery, call.query), limit: SHOWN_RUNS };
    const { reader, projects } = runs;
    const [first] = reader.list({ traceId: id }, { limit: 1, offset: 0 });
    const project = projects.get(first?.session_id ?? "");
    if (first === undefined || project === undefined)
        throw notFound("Trace", id);
    const span = reader.span(id);
    const startMilliseconds = span.start_ms ?? first.start_ms;
    const shownTrace = {
        id,
        project,
        root: first.id === id ? first : undefined,
        runs: runs.list({ traceId: id }, range),
        failedCount: reader.failedCount(id),
        openCount: span.open,
        line: { startMilliseconds, endMilliseconds: Math.max(startMilliseconds, span.end_ms ?? startMilliseconds) },
        shown: { ...range, total: reader.count({ traceId: id }) },
    };
    return tracePage(shownTrace, tenantId);
}
const TAKEN = [
    ["POST /runs", "creates a run"],
    ["PATCH /runs/{run_id}", "updates a run"],
    ["POST /runs/multipart", "creates and updates runs, as a form"],
    ["POST /runs/batch", "creates and updates runs, as JSON"],
    ["GET /info", "limits of a batch"],
];
const pages_COLUMNS = ["Trace", "Status", { number: "Took" }, { number: "Errors" }, { number: "Runs" }, "Started"];
function projectsPage(projects, tenantId, shown) {
    const rows = projects.map((project) => [
        html_link(projectPath(tenantId, project.id), project.name),
        String(project.trace_count),
        String(project.run_count),
        project.last_start_ms === null ? "" : timeCell(project.last_start_ms),
    ]);
    const body = [
        shown.total === 0
            ? "<p>No projects yet. Tracing a run creates one.</p>"
            : linkTable("Projects", ["Name", { number: "Traces" }, { number: "Runs" }, "Last started"], rows),
        shown.total > shown.limit ? pager(projectsPath(tenantId), "projects", shown) : "",
        "<h2>Over HTTP</h2>",
        endpointTable("Over HTTP", [...TAKEN, ...RUN_READ_BACK.map(([path, what]) => [`GET ${path}`, what])]),
        `<p class="soft">Each path also exists under <code>/api/v1</code>. Lists take <code>limit</code> and
<code>offset</code>, and return <code>resources</code>, the <code>offset</code> of the next page and the
<code>total</code>. A body may be compressed with gzip or zstd. One invalid run makes the whole request invalid.</p>`,
    ];
    return page("Projects", body.join("\n"), { section: "Projects" });
}
// The traces are newest first.
function projectPage(project, traces, tenantId, shown) {
    const rows = traces.map((trace) => [
        html_link(tracePath(tenantId, project.id, trace.id), nameOfRun(trace)),
        statusCell(trace),
        escapeHtml(cells_tookText(trace)),
        trace.failed_count > 0 ? `<b class="worse">${String(trace.failed_count)}</b>` : "0",
        String(trace.run_count),
        timeCell(trace.start_ms),
    ]);
    const path = projectPath(tenantId, project.id);
    const body = [
        shown.total === 0 ? "<p>No traces yet.</p>" : linkTable("Traces", pages_COLUMNS, rows),
        shown.total > shown.limit ? pager(path, "traces", shown) : "",
    ];
    return page(project.name, body.join("\n"), { section: "Projects" });
}

// EXTERNAL MODULE: external "node:buffer"
var external_node_buffer_ = __webpack_require__(4573);
;// CONCATENATED MODULE: ./src/local/runs/multipart-reader.js

// RFC 2046 §5.1.1.
const MOST_BOUNDARY_CHARACTERS = 70;
// A header has a name, a type and a length.
const multipart_reader_HEAD_LIMIT_BYTES = 16 * 1024;
const HEAD_END = Buffer.from("\r\n\r\n");
const CR = 0x0d;
const LF = 0x0a;
const DASH = 0x2d;
/** The boundary in a Content-Type; 422 if there is none. */
function boundaryOf(contentType) {
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
function readForm(body, boundary) {
    const delimiter = Buffer.from(`\r\n--${boundary}`);
    const parts = [];
    // No line break precedes the first boundary.
    let at = delimiter.length - 2;
    if (!startsWith(body, delimiter.subarray(2), 0))
        throw malformed("multipart: NextPart: EOF");
    while (!isEnd(body, at)) {
        const headEnd = endOfHead(body, at);
        const part = readHead(body.toString("utf8", at + 2, headEnd));
        const from = headEnd + HEAD_END.length;
        const to = from + part.length;
        if (to + delimiter.length > body.length)
            throw malformed("unexpected EOF");
        if (!startsWith(body, delimiter, to)) {
            throw new HttpError(422, `part ${part.name}: its content is not ${String(part.length)} bytes long, as its header says`);
        }
        parts.push({ name: part.name, type: part.type, from, to });
        at = to + delimiter.length;
    }
    return parts;
}
// After a boundary: two dashes at the end of the form, or else a line break.
function isEnd(body, at) {
    if (body[at] === DASH && body[at + 1] === DASH)
        return true;
    if (at + 2 > body.length)
        throw malformed("multipart: NextPart: EOF");
    if (body[at] !== CR || body[at + 1] !== LF)
        throw malformed("multipart: expecting a new Part");
    return false;
}
function endOfHead(body, at) {
    const limit = Math.min(body.length, at + multipart_reader_HEAD_LIMIT_BYTES);
    const end = body.subarray(at, limit).indexOf(HEAD_END);
    if (end !== -1)
        return at + end;
    throw malformed(limit === body.length ? "multipart: NextPart: EOF" : "multipart: message too large");
}
// `text` does not end with an empty line.
function readHead(text) {
    const fields = readFields(text);
    const name = nameOf(fields.get("content-disposition") ?? "");
    const type = fields.get("content-type");
    if (type === undefined || type === "")
        throw new HttpError(422, `part ${name}: Content-Type is missing`);
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
    if (!/^\d{1,15}$/.test(length))
        throw new HttpError(422, `part ${name}: its length is not a number of bytes`);
    const [plain = ""] = type.split(";", 1);
    return { name, type: plain.trim().toLowerCase(), length: Number(length) };
}
function readFields(text) {
    const fields = new Map();
    for (const line of text.split("\r\n")) {
        if (line === "")
            continue;
        const colon = line.indexOf(":");
        const name = line.slice(0, colon).toLowerCase();
        if (colon < 1 || fields.has(name))
            throw malformed(`malformed MIME header line: ${line.slice(0, 100)}`);
        fields.set(name, line.slice(colon + 1).trim());
    }
    return fields;
}
function nameOf(disposition) {
    // Clients send the name first; a file name may contain anything.
    const [, quoted, plain = quoted ?? ""] = /^form-data\s*;\s*name=(?:"([^"]*)"|([^\s;"]+))/i.exec(disposition) ?? [];
    if (plain === "")
        throw new HttpError(422, "a part has no name in its Content-Disposition");
    return plain;
}
function startsWith(body, bytes, at) {
    return at + bytes.length <= body.length && body.compare(bytes, 0, bytes.length, at, at + bytes.length) === 0;
}
// Worded as the public service does.
function malformed(reason) {
    return new HttpError(422, `error reading multipart data: ${reason}`);
}

;// CONCATENATED MODULE: ./src/local/runs/form.js




const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const RUN_PART = new RegExp(`^(post|patch)\\.(${UUID})(?:\\.(inputs|outputs|events|error|extra|serialized))?$`, "i");
const ATTACHMENT = new RegExp(`^attachment\\.(${UUID})\\.(.+)$`, "is");
const form_FEEDBACK = new RegExp(`^feedback\\.${UUID}$`, "i");
/** Reads a form with runs; 422 if a run or a part is invalid. */
function readRunForm(body, boundary) {
    const runs = [];
    const latest = new Map();
    const attachments = [];
    const text = textReader(body);
    for (const part of readForm(body, boundary)) {
        const [, event, id = "", field] = RUN_PART.exec(part.name) ?? [];
        if (event === undefined) {
            const attachment = otherPart(part);
            if (attachment !== undefined)
                attachments.push(attachment);
            continue;
        }
        if (part.type !== "application/json") {
            throw new HttpError(422, `part ${part.name}: Content-Type ${part.type} is not application/json`);
        }
        const key = `${event}.${id.toLowerCase()}`;
        let run = latest.get(key);
        // A second main part is another change of the run.
        if (run === undefined || (field === undefined ? run.main !== undefined : run.parts.has(field))) {
            run = { event: event === "post" ? "post" : "patch", id, main: undefined, parts: new Map() };
            latest.set(key, run);
            runs.push(run);
        }
        if (field === undefined)
            run.main = text(part);
        else
            run.parts.set(field, checkedText(text(part), part.name));
    }
    return { changes: runs.map(form_changeOf), attachments };
}
function form_changeOf({ event, id, main, parts }) {
    if (main === undefined)
        throw new HttpError(422, `part ${event}.${id} is missing`);
    return runChange({ made: event === "post", id, main, parts });
}
// Feedback is accepted and dropped.
function otherPart({ name, type, from, to }) {
    const [, runId, file] = ATTACHMENT.exec(name) ?? [];
    if (runId !== undefined && file !== undefined) {
        return { runId: runId.toLowerCase(), name: file, type, bytes: to - from };
    }
    if (form_FEEDBACK.test(name))
        return undefined;
    throw new HttpError(422, `part ${name}: a name is EVENT.RUN_ID or EVENT.RUN_ID.FIELD`);
}
function checkedText(text, name) {
    parseText(text, `part ${name}`);
    return text;
}
// Checking the whole body once is enough, unless it has binary attachments.
function textReader(body) {
    const allText = (0,external_node_buffer_.isUtf8)(body);
    return ({ name, from, to }) => {
        if (!allText && !(0,external_node_buffer_.isUtf8)(body.subarray(from, to)))
            throw new HttpError(422, `part ${name}: the content is not UTF-8`);
        return body.toString("utf8", from, to);
    };
}

;// CONCATENATED MODULE: ./src/local/runs/routes.js












// What GET /info reports, by its public description. Larger batches are accepted, too.
const BATCH_LIMITS = {
    use_multipart_endpoint: true,
    scale_up_qsize_trigger: 1000,
    scale_up_nthreads_limit: 16,
    scale_down_nempty_trigger: 4,
    size_limit: 100,
};
const DECODERS = new Map([
    ["gzip", (0,external_node_util_.promisify)(external_node_zlib_.gunzip)],
    ["zstd", (0,external_node_util_.promisify)(external_node_zlib_.zstdDecompress)],
]);
/** Run tracing, also under the prefix `/api/v1`. Errors have the form `{"error": TEXT}`. */
function routes_runRoutes(runs, tenantId) {
    const routes = [...takingRoutes(runs), ...runReadRoutes(runs, tenantId)];
    return ["", "/api/v1"].flatMap((prefix) => routes.map(({ method, path, handle }) => ({
        method,
        path: prefix + path,
        handle: async (call, params) => {
            try {
                return await handle(call, params);
            }
            catch (error) {
                await call.drain();
                if (!(error instanceof HttpError))
                    throw error;
                return routes_responseOfError(error);
            }
        },
    })));
}
function takingRoutes(runs) {
    return [
        { method: "GET", path: "/info", handle: () => routes_info(runs.limitBytes) },
        { method: "POST", path: "/runs", handle: (call) => createRun(call, runs) },
        { method: "PATCH", path: "/runs/:run", handle: (call, params) => updateRun(call, runs, param(params, "run")) },
        { method: "POST", path: "/runs/multipart", handle: (call) => takeForm(call, runs) },
        { method: "POST", path: "/runs/batch", handle: (call) => takeBatch(call, runs) },
    ];
}
function routes_info(limitBytes) {
    const json = {
        version: "local",
        batch_ingest_config: { ...BATCH_LIMITS, size_limit_bytes: limitBytes },
        instance_flags: { gzip_body_enabled: true, zstd_compression_enabled: true },
    };
    return { status: 200, json };
}
async function createRun(call, runs) {
    const main = await readText(call, runs);
    const change = runChange({ made: true, main, place: (run) => runs.newPlace(run) });
    return taken(runs.receive({ changes: [change], attachments: [] }));
}
async function updateRun(call, runs, id) {
    const main = await readText(call, runs);
    if (!(0,uuid/* isUuid */.O1)(id))
        throw new HttpError(422, `run ID ${id} is not a valid UUID`);
    const place = () => {
        const known = runs.knownPlace(id.toLowerCase());
        // An update with a place can be stored until the run is created; without one it cannot.
        if (known === undefined)
            throw new HttpError(404, `run ${id} not found`);
        return known;
    };
    return taken(runs.receive({ changes: [runChange({ made: false, id, main, place })], attachments: [] }));
}
async function takeForm(call, runs) {
    const boundary = boundaryOf(call.headers["content-type"] ?? "");
    return taken(runs.receive(readRunForm(await readRunBody(call, runs.limitBytes), boundary)));
}
async function takeBatch(call, runs) {
    const text = await readText(call, runs);
    const body = parseText(text, "the batch");
    if (!isObject(body)) {
        throw new HttpError(422, "the batch is not a JSON object");
    }
    const members = membersOf(text);
    const changesOf = (name) => {
        const list = members.get(name) ?? "null";
        if (list === "null")
            return [];
        if (!list.startsWith("["))
            throw new HttpError(422, `${name} is not a list of runs`);
        return elementsOf(list).map((main) => runChange({ made: name === "post", main }));
    };
    return taken(runs.receive({ changes: [...changesOf("post"), ...changesOf("patch")], attachments: [] }));
}
async function readText(call, runs) {
    call.checkJsonType();
    const body = await readRunBody(call, runs.limitBytes);
    if (!(0,external_node_buffer_.isUtf8)(body))
        throw new HttpError(422, "the body is not UTF-8");
    return body.toString("utf8");
}
function taken(isNew) {
    return isNew
        ? { status: 202, json: { message: "Runs ingested" } }
        : { status: 409, json: { error: "the runs already exist" } };
}
function routes_responseOfError({ status, headers, detail }) {
    const error = typeof detail === "string" ? detail : detail.map(validation_error/* describeValidationError */.rm).join("; ");
    return { status, headers, json: { error } };
}
// 413 if the body is above the limit, before or after decoding.
async function readRunBody(call, limitBytes) {
    const { "content-encoding": encoding = "identity", "content-length": length = "0" } = call.headers;
    const decode = DECODERS.get(encoding.toLowerCase());
    if (decode === undefined && encoding !== "identity") {
        throw new HttpError(415, `Content-Encoding ${encoding} is neither gzip nor zstd`);
    }
    if (Number(length) > limitBytes)
        throw tooLarge(limitBytes);
    const bytes = await collect(call, limitBytes);
    return decode === undefined ? bytes : await decoded(bytes, decode, encoding, limitBytes);
}
async function collect(call, limitBytes) {
    const chunks = [];
    for await (const chunk of call.body(limitBytes))
        chunks.push(chunk);
    const [first = Buffer.alloc(0)] = chunks;
    return chunks.length > 1 ? Buffer.concat(chunks) : first;
}
async function decoded(bytes, decode, encoding, limitBytes) {
    try {
        // A few bytes can decode to gigabytes.
        return await decode(bytes, { maxOutputLength: limitBytes });
    }
    catch (error) {
        const code = errorCode(error);
        if (code === "ERR_BUFFER_TOO_LARGE")
            throw tooLarge(limitBytes);
        if (code === "Z_BUF_ERROR")
            throw new HttpError(422, `error reading ${encoding} data: unexpected EOF`);
        throw new HttpError(400, `error reading ${encoding} data: the body is not in this encoding`);
    }
}

;// CONCATENATED MODULE: ./src/local/routes.js












// Self-hosted services listen under this prefix.
const PREFIX = "/api-host";
/** Handles all requests of the service. Checks access first; upload URLs carry their own signature. */
function serviceHandler(options) {
    const { access, deployments, experiments, logs, objects, runs, tenantId } = options;
    const routes = [
        ...deploymentRoutes(deployments),
        ...uploadRoutes(options),
        ...logRoutes(deployments, logs),
        ...deploymentPageRoutes(deployments, logs),
        ...experimentRoutes(experiments),
        ...experimentPageRoutes(experiments),
        ...routes_runRoutes(runs, tenantId),
        ...runPageRoutes(runs, tenantId),
    ];
    const handle = async (call) => {
        const path = call.path.startsWith(`${PREFIX}/`) ? call.path.slice(PREFIX.length) : call.path;
        if (isObjectPath(path))
            return await receiveObject(call, path, objects);
        checkAccess(call.headers, access, { page: isPagePath(path) });
        return await route(routes, call, path);
    };
    return async (call) => {
        try {
            return await handle(call);
        }
        catch (error) {
            if (!(error instanceof HttpError) || !comesFromBrowser(call))
                throw error;
            return pageOfError(call, error);
        }
    };
}
// Clients accept JSON, or anything.
function comesFromBrowser({ method, headers }) {
    return method === "GET" && /\btext\/html\b/.test(headers.accept ?? "");
}
function pageOfError({ path }, { status, headers, detail }) {
    const title = external_node_http_.STATUS_CODES[status] ?? "";
    const reasons = typeof detail === "string"
        ? [detail === title ? `No page at ${path}.` : detail]
        : detail.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`);
    return { status, headers, html: errorPage(`${String(status)} ${title}`, reasons) };
}

// EXTERNAL MODULE: ./src/contract/dotted-order.js
var dotted_order = __webpack_require__(6274);
;// CONCATENATED MODULE: ./src/local/runs/project-store.js




const Seq = schemas/* object */.Ikc({ seq: schemas/* number */.aig() });
const project_store_Row = schemas/* object */.Ikc({
    seq: schemas/* number */.aig(),
    id: schemas/* string */.YjP(),
    name: schemas/* string */.YjP(),
    created_at: schemas/* string */.YjP(),
});
const Counted = project_store_Row.extend({
    run_count: schemas/* number */.aig(),
    trace_count: schemas/* number */.aig(),
    last_start_ms: schemas/* number */.aig().nullable(),
});
// The project of runs that name none, as in public clients.
const DEFAULT_NAME = "default";
const project_store_SELECT = `SELECT sessions.*,
    (SELECT count(*) FROM runs WHERE session = sessions.seq) AS run_count,
    (SELECT count(*) FROM runs WHERE session = sessions.seq AND id = trace_id AND made = 1) AS trace_count,
    (SELECT max(start_ms) FROM runs WHERE session = sessions.seq AND id = trace_id AND made = 1) AS last_start_ms
  FROM sessions`;
/** The projects, which the wire calls sessions. The first run that names one creates it. Ids and names are unique. */
class ProjectStore {
    #database;
    #byName;
    #byId;
    #ofTrace;
    #insert;
    constructor(database) {
        this.#database = database;
        this.#byName = database.prepare("SELECT * FROM sessions WHERE name = ?");
        this.#byId = database.prepare("SELECT * FROM sessions WHERE id = ?");
        this.#ofTrace = database.prepare("SELECT session AS seq FROM runs WHERE trace_id = ? AND session NOTNULL LIMIT 1");
        this.#insert = database.prepare("INSERT INTO sessions (id, name, created_at) VALUES (?, ?, ?)");
    }
    /** The number of the project of a new run: the one it names, that of its trace, or the default. */
    seqFor({ id: runId, place, project }) {
        const { id, name } = project;
        if (id !== undefined) {
            const known = this.get(id);
            if (known !== undefined)
                return known.seq;
            if (name !== undefined && this.byName(name) !== undefined) {
                throw new HttpError(422, `run ${runId}: session_name is the name of a project with another id than session_id`);
            }
            return this.#create(id, name ?? id);
        }
        if (name === undefined) {
            const row = this.#ofTrace.get(place.traceId);
            if (row !== undefined)
                return Seq.parse(row).seq;
        }
        const wanted = name ?? DEFAULT_NAME;
        return this.byName(wanted)?.seq ?? this.#create((0,external_node_crypto_.randomUUID)(), wanted);
    }
    get(id) {
        return readRow(this.#byId.get(id));
    }
    byName(name) {
        return readRow(this.#byName.get(name));
    }
    /** Newest first. */
    list({ limit, offset }) {
        const rows = this.#database.prepare(`${project_store_SELECT} ORDER BY seq DESC LIMIT ? OFFSET ?`).all(limit, offset);
        return rows.map((row) => Counted.parse(row));
    }
    counted(id) {
        const row = this.#database.prepare(`${project_store_SELECT} WHERE id = ?`).get(id);
        return row === undefined ? undefined : Counted.parse(row);
    }
    count() {
        const row = this.#database.prepare("SELECT count(*) AS seq FROM sessions").get();
        return Seq.parse(row).seq;
    }
    #create(id, name) {
        return Number(this.#insert.run(id, name, timestamp()).lastInsertRowid);
    }
}
function readRow(row) {
    return row === undefined ? undefined : project_store_Row.parse(row);
}

;// CONCATENATED MODULE: ./src/local/runs/store.js






const store_text = schemas/* string */.YjP().nullable();
const runs_store_Row = schemas/* object */.Ikc({
    id: schemas/* string */.YjP(),
    trace_id: schemas/* string */.YjP(),
    parent_id: store_text,
    dotted_order: schemas/* string */.YjP(),
    session_id: schemas/* string */.YjP(),
    session_name: schemas/* string */.YjP(),
    name: store_text,
    run_type: store_text,
    /** Milliseconds since 1970, with a fraction. */
    start_ms: schemas/* number */.aig(),
    /** Null while it runs. */
    end_ms: schemas/* number */.aig().nullable(),
    failed: flag,
    /** A JSON object as text: the fields without a column. */
    fields: schemas/* string */.YjP(),
    inputs: store_text,
    outputs: store_text,
    events: store_text,
});
const Root = runs_store_Row.omit({ fields: true, inputs: true, outputs: true, events: true }).extend({
    run_count: schemas/* number */.aig(),
    failed_count: schemas/* number */.aig(),
});
const Attachment = schemas/* object */.Ikc({ runId: schemas/* string */.YjP(), name: schemas/* string */.YjP(), type: schemas/* string */.YjP(), bytes: schemas/* number */.aig() });
const Count = schemas/* object */.Ikc({ count: schemas/* number */.aig() });
const Span = schemas/* object */.Ikc({ start_ms: schemas/* number */.aig().nullable(), end_ms: schemas/* number */.aig().nullable(), open: schemas/* number */.aig() });
const store_HEAD = `runs.id, trace_id, parent_id, dotted_order, sessions.id AS session_id, sessions.name AS session_name,
  runs.name, run_type, start_ms, end_ms, failed`;
const WHOLE = `SELECT ${store_HEAD}, fields, ${contract_run/* PART_FIELDS */.ms.join(", ")}
  FROM runs JOIN sessions ON sessions.seq = runs.session`;
const COUNTS = `(SELECT count(*) FROM runs AS all_runs WHERE all_runs.trace_id = runs.trace_id AND made = 1) AS run_count,
  (SELECT count(*) FROM runs AS bad WHERE bad.trace_id = runs.trace_id AND failed = 1 AND made = 1) AS failed_count`;
const Stored = schemas/* object */.Ikc({
    made: flag,
    trace_id: schemas/* string */.YjP(),
    parent_id: schemas/* string */.YjP().nullable(),
    dotted_order: schemas/* string */.YjP(),
    fields: schemas/* string */.YjP(),
});
const store_COLUMNS = [
    ...["id", "made", "session", "trace_id", "parent_id", "dotted_order"],
    ...["name", "run_type", "start_ms", "end_ms", "failed", "fields", "inputs", "outputs", "events"],
];
/** Writes runs, within the caller's transaction. */
class RunStore {
    #projects;
    #stored;
    #insert;
    #complete;
    #add;
    #attach;
    constructor(database, projects) {
        this.#projects = projects;
        this.#stored = database.prepare("SELECT made, trace_id, parent_id, dotted_order, fields FROM runs WHERE id = ?");
        this.#insert = database.prepare(`INSERT INTO runs (${store_COLUMNS.join(", ")}) VALUES (${store_COLUMNS.map(() => "?").join(", ")})`);
        // An update that arrived before its run is still newer than the run.
        this.#complete = database.prepare(`UPDATE runs SET made = 1, session = ?, trace_id = ?, parent_id = ?, dotted_order = ?,
         name = ?, run_type = ?, start_ms = ?, end_ms = ?, failed = ?, fields = ?,
         inputs = coalesce(inputs, ?), outputs = coalesce(outputs, ?), events = coalesce(events, ?) WHERE id = ?`);
        this.#add = database.prepare(`UPDATE runs SET name = ?, run_type = ?, start_ms = ?, end_ms = ?, failed = ?, fields = ?,
         inputs = coalesce(?, inputs), outputs = coalesce(?, outputs), events = coalesce(?, events) WHERE id = ?`);
        this.#attach = database.prepare("INSERT OR REPLACE INTO run_attachments (run_id, name, type, bytes) VALUES (?, ?, ?, ?)");
    }
    stored(id) {
        const row = this.#stored.get(id);
        return row === undefined ? undefined : Stored.parse(row);
    }
    /** Creates a run, and merges updates that arrived before. False if it exists already; then it is unchanged. */
    make(change) {
        const { id, place, parts, fields } = change;
        const stored = this.stored(id);
        if (stored?.made === true)
            return false;
        const where = [this.#projects.seqFor(change), place.traceId, place.parentId, place.dottedOrder];
        const texts = [parts.inputs ?? null, parts.outputs ?? null, parts.events ?? null];
        if (stored === undefined) {
            this.#insert.run(id, 1, ...where, ...store_factsOf(fields, place.dottedOrder), ...texts);
            return true;
        }
        const merged = new Map([...fields, ...membersOf(stored.fields)]);
        this.#complete.run(...where, ...store_factsOf(merged, place.dottedOrder), ...texts, id);
        return true;
    }
    /** Updates a run, or stores the update until the run is created. */
    add(change) {
        const { id, place, parts } = change;
        const stored = this.stored(id);
        const texts = [parts.inputs ?? null, parts.outputs ?? null, parts.events ?? null];
        if (stored === undefined) {
            const facts = store_factsOf(change.fields, place.dottedOrder);
            this.#insert.run(id, 0, null, place.traceId, place.parentId, place.dottedOrder, ...facts, ...texts);
            return;
        }
        const fields = new Map([...membersOf(stored.fields), ...change.fields]);
        this.#add.run(...store_factsOf(fields, stored.dotted_order), ...texts, id);
    }
    attach({ runId, name, type, bytes }) {
        this.#attach.run(runId, name, type, bytes);
    }
}
/** Reads the runs that were created. */
class RunReader {
    #database;
    constructor(database) {
        this.#database = database;
    }
    get(id) {
        const row = this.#database.prepare(`${WHOLE} WHERE runs.id = ? AND made = 1`).get(id);
        return row === undefined ? undefined : runs_store_Row.parse(row);
    }
    /** In `dotted_order`: each run after its parent, siblings in the order of their starts. */
    *list(filter, { limit, offset }) {
        const { condition, value } = conditionOf(filter);
        const rows = this.#database
            .prepare(`${WHOLE} WHERE ${condition} AND made = 1 ORDER BY dotted_order LIMIT ? OFFSET ?`)
            .iterate(value, limit, offset);
        for (const row of rows)
            yield runs_store_Row.parse(row);
    }
    count(filter) {
        const { condition, value } = conditionOf(filter);
        const row = this.#database.prepare(`SELECT count(*) AS count FROM runs WHERE ${condition} AND made = 1`).get(value);
        return Count.parse(row).count;
    }
    /** The first start and the last end of a trace, and how many of its runs are open. */
    span(traceId) {
        const row = this.#database
            .prepare(`SELECT min(start_ms) AS start_ms, max(max(start_ms, coalesce(end_ms, start_ms))) AS end_ms,
           count(*) - count(end_ms) AS open FROM runs WHERE trace_id = ? AND made = 1`)
            .get(traceId);
        return Span.parse(row);
    }
    failedCount(traceId) {
        const row = this.#database
            .prepare("SELECT count(*) AS count FROM runs WHERE trace_id = ? AND failed = 1 AND made = 1")
            .get(traceId);
        return Count.parse(row).count;
    }
    /** The root runs of a project, newest first. */
    traces(project, { limit, offset }) {
        return this.#database
            .prepare(`SELECT ${store_HEAD}, ${COUNTS} FROM runs JOIN sessions ON sessions.seq = runs.session
         WHERE session = ? AND runs.id = trace_id AND made = 1 ORDER BY start_ms DESC, runs.seq DESC LIMIT ? OFFSET ?`)
            .all(project, limit, offset)
            .map((row) => Root.parse(row));
    }
    attachments(runId) {
        return this.#database
            .prepare("SELECT run_id AS runId, name, type, bytes FROM run_attachments WHERE run_id = ? ORDER BY name")
            .all(runId)
            .map((row) => Attachment.parse(row));
    }
}
function conditionOf(filter) {
    return "traceId" in filter
        ? { condition: "trace_id = ?", value: filter.traceId }
        : { condition: "session = ?", value: filter.project };
}
// The columns from `name` to `fields`.
function store_factsOf(fields, dottedOrder) {
    const value = (name) => {
        const text = fields.get(name);
        return text === undefined ? undefined : JSON.parse(text);
    };
    const text = (name) => {
        const given = value(name);
        return typeof given === "string" ? given : null;
    };
    const start = change_microsecondsOf(value("start_time")) ?? (0,dotted_order/* parseDottedOrder */.i)(dottedOrder)?.at(-1)?.startMicroseconds ?? 0;
    const end = change_microsecondsOf(value("end_time"));
    const error = value("error");
    const failed = error !== undefined && error !== "" ? 1 : 0;
    const json = `{${[...fields].map(([name, member]) => `${JSON.stringify(name)}:${member}`).join(",")}}`;
    return [text("name"), text("run_type"), start / 1000, end === undefined ? null : end / 1000, failed, json];
}

;// CONCATENATED MODULE: ./src/local/runs/runs.js






// A page of runs ends early if its texts are long.
const runs_PAGE_CHARACTERS = 32 * 1024 * 1024;
/** The last microsecond that `dotted_order` has digits for. */
const LAST_MICROSECOND = Date.UTC(9999, 11, 31, 23, 59, 59, 999) * 1000 + 999;
/** The traced runs and their projects. */
class Runs {
    /** The largest body of a request, before and after decoding. */
    limitBytes;
    projects;
    reader;
    #database;
    #store;
    constructor({ database, limitBytes }) {
        this.limitBytes = limitBytes;
        this.#database = database;
        this.projects = new ProjectStore(database);
        this.reader = new RunReader(database);
        this.#store = new RunStore(database, this.projects);
    }
    /**
     * Stores the changes of a request in one transaction. False if it creates runs that all exist already; its updates are
     * stored even then, since no client sends them again after a 409.
     */
    receive({ changes, attachments }) {
        return atomically(this.#database, () => {
            let [sent, created] = [0, 0];
            for (const change of changes) {
                if (!change.made) {
                    this.#store.add(change);
                    continue;
                }
                sent += 1;
                if (this.#store.make(change))
                    created += 1;
            }
            for (const attachment of attachments)
                this.#store.attach(attachment);
            return sent === 0 || created > 0;
        });
    }
    /** The place of a run without one: below its parent, which must be known (422), or the root of a new trace. */
    newPlace(run) {
        const id = run.id.toLowerCase();
        const parentId = run.parent_run_id?.toLowerCase() ?? null;
        const parent = parentId === null ? undefined : this.knownPlace(parentId);
        if (parentId !== null && parent === undefined) {
            throw new HttpError(422, `run ${run.id}: parent_run_id ${parentId} is not known; send trace_id and dotted_order`);
        }
        const above = (0,dotted_order/* parseDottedOrder */.i)(parent?.dottedOrder ?? "")?.at(-1)?.startMicroseconds ?? 0;
        // By another clock a child may start before its parent; then it gets the start of the parent.
        const start = Math.max(above, Math.min(change_microsecondsOf(run.start_time) ?? 0, LAST_MICROSECOND));
        const place = { startMicroseconds: start, id, parent: parent?.dottedOrder };
        return { traceId: parent?.traceId ?? id, dottedOrder: (0,dotted_order/* dottedOrder */.r)(place), parentId };
    }
    /** The place of a run; undefined if it is unknown. */
    knownPlace(id) {
        const stored = this.#store.stored(id);
        if (stored === undefined)
            return undefined;
        return { traceId: stored.trace_id, dottedOrder: stored.dotted_order, parentId: stored.parent_id };
    }
    /** 404 if it does not exist. */
    get(id) {
        const run = this.reader.get(id);
        if (run === undefined)
            throw new HttpError(404, `run ${id} not found`);
        return run;
    }
    /** A page of runs in `dotted_order`; fewer than `limit` if their texts are long. */
    list(filter, page) {
        const rows = [];
        let characters = 0;
        for (const row of this.reader.list(filter, page)) {
            for (const text of [row.fields, row.inputs, row.outputs, row.events])
                characters += text?.length ?? 0;
            if (rows.length > 0 && characters > runs_PAGE_CHARACTERS)
                break;
            rows.push(row);
        }
        return rows;
    }
}

;// CONCATENATED MODULE: ./src/local/state/deployment-store.js



const deployment_store_Row = schemas/* object */.Ikc({
    id: schemas/* string */.YjP(),
    name: schemas/* string */.YjP(),
    source: schemas/* enum */.k5n(SOURCES),
    source_config: jsonColumn(schemas/* record */.g1P(schemas/* string */.YjP(), schemas/* unknown */.L5J())),
    /** Values are never stored, so they cannot leak; SecretValues keeps them in memory for the agents. */
    secret_names: jsonColumn(schemas/* array */.YOg(schemas/* string */.YjP())),
    status: schemas/* enum */.k5n(["READY", "AWAITING_DELETE"]),
    active_revision_id: schemas/* string */.YjP().nullable(),
    agent_port: schemas/* number */.aig().nullable(),
    created_at: schemas/* string */.YjP(),
    updated_at: schemas/* string */.YjP(),
});
/** The deployments; names are unique. */
class DeploymentStore {
    #database;
    constructor(database) {
        this.#database = database;
    }
    insert(deployment) {
        const now = timestamp();
        this.#database
            .prepare(`INSERT INTO deployments (id, name, source, source_config, secret_names, status, created_at, updated_at)
         VALUES (?, ?, ?, ?, ?, 'READY', ?, ?)`)
            .run(deployment.id, deployment.name, deployment.source, JSON.stringify(deployment.sourceConfig), JSON.stringify(deployment.secretNames), now, now);
    }
    get(id) {
        return this.#one("SELECT * FROM deployments WHERE id = ?", id);
    }
    byName(name) {
        return this.#one("SELECT * FROM deployments WHERE name = ?", name);
    }
    /** Newest first. */
    list(filter) {
        const { limit, offset, name = null, nameContains = "", createdBefore = null } = filter;
        return this.#database
            .prepare(`SELECT * FROM deployments
         WHERE (:name IS NULL OR name = :name) AND instr(lower(name), lower(:nameContains)) > 0
           AND (:createdBefore IS NULL OR created_at <= :createdBefore)
         ORDER BY seq DESC LIMIT :limit OFFSET :offset`)
            .all({ name, nameContains, createdBefore, limit, offset })
            .map((row) => deployment_store_Row.parse(row));
    }
    all() {
        return this.list({ limit: -1, offset: 0 });
    }
    /** Everything that a partial update changes, except for the revision. */
    update(id, sourceConfig, secretNames) {
        this.#database
            .prepare("UPDATE deployments SET source_config = ?, secret_names = ?, updated_at = ? WHERE id = ?")
            .run(JSON.stringify(sourceConfig), JSON.stringify(secretNames), timestamp(), id);
    }
    activate(id, revisionId) {
        this.#database
            .prepare("UPDATE deployments SET active_revision_id = ?, updated_at = ? WHERE id = ?")
            .run(revisionId, timestamp(), id);
    }
    setAgentPort(id, port) {
        this.#database.prepare("UPDATE deployments SET agent_port = ? WHERE id = ?").run(port, id);
    }
    markForDelete(id) {
        this.#database.prepare("UPDATE deployments SET status = 'AWAITING_DELETE' WHERE id = ?").run(id);
    }
    /** Also removes its revisions, logs and objects. */
    remove(id) {
        this.#database.prepare("DELETE FROM deployments WHERE id = ?").run(id);
    }
    #one(sql, value) {
        const row = this.#database.prepare(sql).get(value);
        return row === undefined ? undefined : deployment_store_Row.parse(row);
    }
}

;// CONCATENATED MODULE: ./src/local/service.js





















/** The port is in use by another program. */
class PortTakenError extends graph_deploy_error/* GraphDeployError */.k {
    code = "LOCAL_PORT_TAKEN";
}
const DEFAULT_WALK_MS = 1000;
// A command may install the dependencies of the project first.
const DEFAULT_AGENT_START_MS = 120_000;
// An agent server may wait a minute for an open run.
const DEFAULT_AGENT_GRACE_MS = 5_000;
// The hosted service takes a few seconds.
const DEFAULT_EXPERIMENT_DELAY_MS = 3_000;
// The contract has no limit; a rehearsal is smaller.
const DEFAULT_EXPERIMENT_LIMIT_BYTES = 2 * 1024 * 1024 * 1024;
const DEFAULT_RUN_LIMIT_BYTES = 20 * 1024 * 1024;
const DEFAULT_TENANT = "00000000-0000-4000-8000-000000000000";
const ALL = { limit: -1, offset: 0 };
/**
 * Starts the service on 127.0.0.1. Rejects with PortTakenError, with DataDirectoryError, or with AgentCommandError for
 * an invalid command.
 */
async function startLocalService(options = {}) {
    const parts = assemble(options);
    try {
        return new RunningService(await parts.listen(), parts);
    }
    catch (error) {
        await parts.close();
        throw errorCode(error) === "EADDRINUSE"
            ? new PortTakenError(`Port ${String(options.port)} is in use by another program.`, {
                cause: error,
                advice: "Choose another port, or 0 for a free one.",
            })
            : error;
    }
}
class RunningService {
    url;
    datasetsUrl;
    projectsUrl;
    faults;
    requests;
    #parts;
    #closed;
    constructor(url, parts) {
        this.url = url;
        this.datasetsUrl = url + datasetsPath(parts.tenantId);
        this.projectsUrl = url + projectsPath(parts.tenantId);
        this.faults = parts.faults;
        this.requests = parts.records.list;
        this.#parts = parts;
    }
    deployments() {
        return this.#parts.deployments.list(ALL);
    }
    revisions(deploymentId) {
        return this.#parts.deployments
            .revisions(deploymentId, ALL)
            .map((view) => ({ ...view, history: this.#parts.revisions.get(view.id)?.history ?? [] }));
    }
    objectFile(objectPath) {
        return this.#parts.objects.file(objectPath);
    }
    addManagedDataset(name) {
        return this.#parts.experiments.addManagedDataset(name);
    }
    close() {
        return (this.#closed ??= this.#parts.close());
    }
    [Symbol.asyncDispose]() {
        return this.close();
    }
}
function agentSettings(options) {
    return {
        dataDirectory: options.dataDirectory,
        environment: options.agentEnvironment ?? {},
        startMilliseconds: options.agentStartMilliseconds ?? DEFAULT_AGENT_START_MS,
        graceMilliseconds: options.agentGraceMilliseconds ?? DEFAULT_AGENT_GRACE_MS,
    };
}
function storesOf(database, options) {
    const { tenantId = DEFAULT_TENANT, log = () => undefined } = options;
    return {
        deployments: new DeploymentStore(database),
        revisions: new RevisionStore(database),
        objects: new ObjectStore(database, options.dataDirectory),
        logs: new LogStore(database),
        experiments: new Experiments({
            database,
            tenantId,
            log,
            compat: options.compat ?? false,
            delayMilliseconds: options.experimentDelayMilliseconds ?? DEFAULT_EXPERIMENT_DELAY_MS,
            limitBytes: options.experimentLimitBytes ?? DEFAULT_EXPERIMENT_LIMIT_BYTES,
        }),
        runs: new Runs({ database, limitBytes: options.runLimitBytes ?? DEFAULT_RUN_LIMIT_BYTES }),
        faults: new Faults(),
        records: new RequestRecords(),
        tenantId,
        log,
    };
}
// Throws DataDirectoryError and AgentCommandError.
function assemble(options) {
    const { apiKey, tenantId, fieldNames = field_names/* FieldNames */.L.none } = options;
    const command = options.agentCommand === undefined ? undefined : AgentCommand.parse(options.agentCommand);
    const database = openDatabase(options.dataDirectory);
    const parts = storesOf(database, options);
    const agents = command === undefined ? undefined : new Agents({ ...parts, ...agentSettings(options), command });
    let listener;
    const url = () => listener?.url ?? "";
    const fleet = new AgentFleet({ ...parts, apiKey, agents, url });
    const { walkMilliseconds = DEFAULT_WALK_MS, compat = false, edition } = options;
    const steps = revisionSteps({ ...parts, fleet, agents });
    const walker = new RevisionWalker({ ...parts, fates: parts.faults.revisions, steps, walkMilliseconds });
    const rules = { compat, edition };
    const secrets = agents?.secrets;
    const deployments = new Deployments({ ...parts, database, walker, fleet, secrets, rules });
    const handle = serviceHandler({ ...parts, deployments, url, access: { apiKey, tenantId } });
    return {
        ...parts,
        deployments,
        async listen() {
            const wire = { fieldNames, acceptOwnNames: compat };
            listener = await HttpListener.open({ ...parts, ...wire, server: "service", port: options.port ?? 0, handle });
            await deployments.resume();
            return listener.url;
        },
        async close() {
            await listener?.close();
            deployments.close();
            await walker.close();
            await fleet.close();
            parts.objects.close();
            database.close();
        },
    };
}

;// CONCATENATED MODULE: ./src/local/index.js
/** The local service: a control plane with its agent servers, experiments and traces, on loopback. */







/***/ })

};
