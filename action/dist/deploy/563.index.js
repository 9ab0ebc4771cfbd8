export const id = 563;
export const ids = [563];
export const modules = {

/***/ 9563:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  onGitHub: () => (/* binding */ onGitHub)
});

// EXTERNAL MODULE: ./node_modules/@actions/core/lib/core.js + 4 modules
var core = __webpack_require__(2181);
// EXTERNAL MODULE: ./src/connection.js + 8 modules
var src_connection = __webpack_require__(9178);
// EXTERNAL MODULE: ./src/contract/uuid.js
var uuid = __webpack_require__(8560);
// EXTERNAL MODULE: ./src/deployment/look.js + 16 modules
var look = __webpack_require__(2625);
// EXTERNAL MODULE: ./src/http/clock.js
var clock = __webpack_require__(611);
// EXTERNAL MODULE: ./src/text/duration.js
var duration = __webpack_require__(9144);
// EXTERNAL MODULE: ./action/github/best-effort.js
var best_effort = __webpack_require__(2905);
// EXTERNAL MODULE: ./action/github/client.js + 1 modules
var client = __webpack_require__(67);
// EXTERNAL MODULE: ./action/github/errors.js
var errors = __webpack_require__(8887);
// EXTERNAL MODULE: ./action/github/pull-request.js
var pull_request = __webpack_require__(9187);
// EXTERNAL MODULE: external "node:crypto"
var external_node_crypto_ = __webpack_require__(7598);
// EXTERNAL MODULE: ../node_modules/zod/v4/classic/schemas.js + 11 modules
var schemas = __webpack_require__(9987);
// EXTERNAL MODULE: ../node_modules/zod/v4/classic/iso.js
var iso = __webpack_require__(9435);
// EXTERNAL MODULE: ./src/text/foreign-text.js
var foreign_text = __webpack_require__(4252);
;// CONCATENATED MODULE: ./action/github/records/record.js




/** The states that a record has here. */
const RECORD_STATES = (/* unused pure expression or super */ null && (["error", "failure", "in_progress", "inactive", "success"]));
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
    return (0,external_node_crypto_.hash)("sha256", JSON.stringify([address, tenantId ?? null])).slice(0, 16);
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
        if (!(error instanceof errors/* GitHubError */.y_) || !error.mayHaveBeenProcessed)
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
    throw new errors/* GitHubError */.y_(`GitHub answered ${String(status)}, and made no deployment record`);
}
async function findOwn(github, { sha, runId, attempt, ...place }) {
    let left = MOST_OF_COMMIT;
    for await (const record of record_listRecords(github, place, { sha, mostPages: 2 })) {
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
async function* record_listRecords(github, { environment, task, service }, { sha, mostPages }) {
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
async function record_setState(github, id, state, facts = {}) {
    const send = async (body) => {
        const route = "POST /repos/{owner}/{repo}/deployments/{deployment_id}/statuses";
        await github.request(route, { deployment_id: id, ...body });
    };
    const body = statusBody(state, facts);
    try {
        await send(body);
    }
    catch (error) {
        if (!(0,errors/* isStatus */.zM)(error, 422) || (body.log_url ?? body.environment_url) === undefined)
            throw error;
        await send(statusBody(state, { description: facts.description }));
    }
}
/** What is sent to give a record a state: only addresses of the web, and no more of the description than GitHub takes. */
function statusBody(state, { description = "", logUrl, environmentUrl }) {
    return {
        state,
        description: (0,foreign_text/* cut */.J)(description, LONGEST_DESCRIPTION),
        // GitHub would retire what other deployments have in this environment.
        auto_inactive: false,
        ...(isWebAddress(logUrl) ? { log_url: logUrl } : {}),
        ...(isWebAddress(environmentUrl) ? { environment_url: environmentUrl } : {}),
    };
}
/** The newest state of a record; undefined before its first. */
async function record_stateOf(github, id) {
    const route = "GET /repos/{owner}/{repo}/deployments/{deployment_id}/statuses";
    const { data } = await github.request(route, { deployment_id: id, per_page: 1 });
    const statuses = Statuses.safeParse(data);
    if (!statuses.success)
        throw new errors/* GitHubError */.y_(`${route} did not return the states of a deployment record`);
    return statuses.data[0]?.state;
}
/** True for a record of a deploy that has not ended. */
function isOpen(state) {
    return state === undefined || ["in_progress", "pending", "queued", "waiting"].includes(state);
}
function isWebAddress(text) {
    return text !== undefined && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

;// CONCATENATED MODULE: ./action/github/records/retirement.js


// Failed deploys may lie between this one and the one that was live: so many are looked at.
const MOST_LOOKS = 10;
const MOST_PAGES = 10;
// An attempt before this one is not far below, unless the run is repeated after weeks.
const MOST_RECORDS = 100;
const REPLACED = { description: "Replaced by a newer deployment" };
/**
 * Leaves one record of a place as live, once that of a run says so. GitHub does so itself only for environments that are
 * neither transient nor production, and there for other deployments too. A newer record may be live as well: two runs
 * ended at the same time, or the older one began its revision last. Then `isServing` decides, which asks the service
 * whether the revision of the run serves.
 */
async function retireOthers(github, { place, id, isServing }) {
    let [looks, hasRetired] = [0, false];
    for await (const record of record_listRecords(github, place, { mostPages: MOST_PAGES })) {
        if (record.id === id)
            continue;
        const state = await record_stateOf(github, record.id);
        if (state === "success") {
            if (record.id > id && !(await isServing())) {
                await record_setState(github, id, "inactive", REPLACED);
                return;
            }
            await record_setState(github, record.id, "inactive", REPLACED);
            hasRetired = true;
        }
        looks += 1;
        // What lies below was retired before.
        if (looks === MOST_LOOKS || (hasRetired && state === "inactive"))
            return;
    }
}
/** Retires what earlier attempts of the same workflow run have left open. */
async function retireAttempts(github, { runId, attempt, ...place }) {
    if (runId === undefined || attempt === undefined || attempt === 1)
        return;
    let [records, looks] = [0, 0];
    for await (const record of record_listRecords(github, place, { mostPages: MOST_PAGES })) {
        records += 1;
        if (records > MOST_RECORDS)
            return;
        if (record.runId !== runId || record.attempt === undefined || record.attempt >= attempt)
            continue;
        if (isOpen(await record_stateOf(github, record.id))) {
            await record_setState(github, record.id, "inactive", { description: "Replaced by a newer attempt" });
        }
        looks += 1;
        if (looks === MOST_LOOKS)
            return;
    }
}
/** The ids of all records of a place. */
async function recordsOf(github, place) {
    const ids = [];
    for await (const { id } of listRecords(github, place, { mostPages: MOST_PAGES }))
        ids.push(id);
    return ids;
}
/** Retires and deletes these records. */
async function deleteRecords(github, ids) {
    for (const id of ids) {
        try {
            // GitHub deletes none that is active.
            if ((await stateOf(github, id)) !== "inactive")
                await setState(github, id, "inactive");
            await github.request("DELETE /repos/{owner}/{repo}/deployments/{deployment_id}", { deployment_id: id });
        }
        catch (error) {
            // Another run was faster.
            if (!isStatus(error, 404))
                throw error;
        }
    }
}

;// CONCATENATED MODULE: ./action/github/records/recorder.js



const WHAT = "The deployment record on GitHub";
/** Keeps the record of one deploy; what GitHub refuses is a warning, and then nothing more is sent. */
class Recorder {
    #deps;
    #record;
    #begun;
    /** `record` is asked when the deploy begins to write. */
    constructor(record, deps) {
        this.#record = record;
        this.#deps = deps;
    }
    /** The deploy is about to write, or takes up what an earlier run has written. */
    async begin() {
        const { github, effort, logUrl } = this.#deps;
        this.#begun ??= this.#create(async (id, record) => {
            await record_setState(github, id, "in_progress", { logUrl });
            await effort.attempt(WHAT, () => retireAttempts(github, record));
        });
        await this.#begun;
    }
    /** The deploy has ended; with `state` undefined it is still running in the service. */
    async end(state, facts) {
        // A source that was live already gets a record too: a branch rule may ask for one.
        if (state === "success" || state === "failure")
            this.#begun ??= this.#create(() => Promise.resolve());
        if (state === undefined) {
            if ((await this.#begun) !== undefined)
                this.#deps.save("");
            return;
        }
        const isGone = (await this.#end(state, facts)) === "gone";
        if (!isGone || state !== "success")
            return;
        // A removal deleted the record with its preview, which was deployed again.
        this.#begun = this.#create(() => Promise.resolve());
        await this.#end(state, facts);
    }
    async #end(state, facts) {
        const { github, effort, logUrl, save, isServing } = this.#deps;
        const begun = await this.#begun;
        if (begun === undefined)
            return undefined;
        const { id, record } = begun;
        const status = { logUrl, ...facts };
        // The post script tries once more.
        this.#save({ id, state, ...status });
        const set = await effort.attempt(WHAT, () => setLastState(github, id, state, status));
        if (set === undefined)
            return undefined;
        if (set === "set" && state === "success") {
            await effort.attempt(WHAT, () => retireOthers(github, { place: record, id, isServing }));
        }
        save("");
        return set === "gone" ? set : undefined;
    }
    /** The new record, undefined if it could not be made. */
    async #create(then) {
        const { effort, clock, github } = this.#deps;
        return await effort.attempt(WHAT, async () => {
            const record = await this.#record();
            const id = await createRecord(github, record, clock);
            this.#save({ id, state: "error", description: "The run ended before the deploy did" });
            await effort.attempt(WHAT, () => then(id, record));
            return { id, record };
        });
    }
    #save(left) {
        const { owner, repo } = this.#deps.github;
        this.#deps.save(JSON.stringify({ owner, repo, ...left }));
    }
}
/** `gone` if the record was deleted, as the removal of a preview does. */
async function setLastState(github, id, state, facts) {
    try {
        await record_setState(github, id, state, facts);
        return "set";
    }
    catch (error) {
        if (!(0,errors/* isStatus */.zM)(error, 404))
            throw error;
        return "gone";
    }
}
/** What a record says of a deploy that ended so; undefined for one that is still running in the service. */
function stateAfter(outcome, error) {
    switch (outcome) {
        case "deployed":
        case "unchanged":
            return "success";
        case "removed":
        case "skipped":
        case "superseded":
            return "inactive";
        case "build-failed":
        case "deploy-failed":
            return "failure";
        case "failed":
            // The agent is live, but fails its checks.
            return error !== undefined && "code" in error && error.code === "VERIFY" ? "failure" : "error";
        case "cancelled":
        case "interrupted":
        case "timed-out":
            return "error";
        case "dry-run":
        case "started":
            return undefined;
    }
}

// EXTERNAL MODULE: ./action/deploy/report/facts.js
var report_facts = __webpack_require__(9554);
;// CONCATENATED MODULE: ./action/deploy/github-work.js
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













// A runner that cancels waits for 7.5 s.
const CANCELLED_PATIENCE_MILLISECONDS = 2_000;
/** Runs the work and shows it on GitHub. What GitHub refuses is a warning, never an error. */
async function onGitHub({ request, connection }, inputs, { redactor, signal, emit, endpoint }, work) {
    const effort = new best_effort/* BestEffort */.l((message) => {
        // What was cut by a cancel is closed by the post script.
        if (!signal.aborted)
            emit({ type: "warning", message });
    });
    // Its own signal: how a deploy that was cancelled ended is shown too.
    const end = endAfter(signal);
    const github = await effort.attempt("The connection to GitHub", () => (0,client/* connectGitHub */.U)(inputs, {
        redactor,
        signal: end,
        onRetry: (notice) => {
            emit({ type: "retry", notice });
        },
    }));
    if (github === undefined) {
        await work(emit);
        return;
    }
    try {
        const service = serviceOf(endpoint.url, connection.tenantId);
        /** Whether the service serves what the run has deployed; with the signal of what is shown after a cancel, too. */
        const isServing = async ({ deploymentId, revisionId }) => {
            const env_1 = { stack: [], error: void 0, hasError: false };
            try {
                const reached = __addDisposableResource(env_1, (0,src_connection/* connectTo */.m6)(endpoint, { ...connection, redactor, signal: end }), true);
                const { active_revision_id: active, latest_revision_id: latest } = await reached.controlPlane.get(deploymentId ?? "");
                return (0,uuid/* isSameId */.WB)(active ?? latest, revisionId);
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
        };
        const what = { name: (0,look/* nameOf */.Vb)(request.target, undefined), service, isServing };
        await recorded(inputs, what, { github, effort, redactor, emit }, work);
    }
    finally {
        await github[Symbol.asyncDispose]();
    }
}
async function recorded({ environment, ...inputs }, { name, service, isServing }, { github, effort, redactor, emit }, work) {
    if (environment === undefined) {
        await work(emit);
        return;
    }
    const { id: runId, attempt, url: logUrl } = inputs.run;
    const record = async () => {
        const sha = await commitOf(github, inputs);
        return { sha, environment, task: taskOf(name), service, name, runId, attempt };
    };
    const save = (state) => {
        try {
            // Under this name post.ts finds it.
            core/* saveState */.LZ("github-record", state);
        }
        catch (error) {
            effort.report("Saving the deployment record for the post script", error);
        }
    };
    let facts = report_facts/* NO_FACTS */.Kj;
    const shared = { github, effort, clock: clock/* systemClock */.m, logUrl, save };
    const recorder = new Recorder(record, { ...shared, isServing: () => isServing(facts) });
    let taken;
    try {
        await work((event) => {
            facts = { ...facts, ...(0,report_facts/* learn */.nB)(event, facts) };
            // Nothing is written, but an earlier run's revision is waited for.
            if (event.type === "recalled" && event.verdict === "resume")
                taken = recorder.begin();
            emit(event);
        }, () => recorder.begin());
    }
    finally {
        await taken;
        const { ended, url } = facts;
        const environmentUrl = url === undefined ? undefined : redactor.text(url);
        if (ended !== undefined) {
            const description = redactor.text(descriptionOf(facts, ended));
            const state = stateAfter(ended.outcome, ended.error);
            await recorder.end(state, { description, environmentUrl });
        }
    }
}
/** The commit that a pull request has as its newest, or that the run is of. */
async function commitOf(github, inputs) {
    const { event, pullRequest, run } = inputs;
    const isNamed = pullRequest !== undefined || event.commentedPullRequest !== undefined;
    const found = isNamed ? await (0,pull_request/* findPullRequest */._)(github, inputs) : event.pullRequest;
    const commit = found?.headCommit ?? event.workflowRunCommit ?? run.commit;
    if (commit === undefined)
        throw new errors/* GitHubError */.y_("the commit of this run is unknown");
    return commit;
}
function descriptionOf({ revisionId, rollback }, { outcome, milliseconds }) {
    const what = outcome === "deployed" || outcome === "unchanged" ? [] : [outcome.replaceAll("-", " ")];
    const which = revisionId === undefined ? [] : [`revision ${revisionId.slice(0, 8)}`];
    // The commit of the record is that of the run, and not of what runs now.
    const back = rollback === undefined ? [] : [`rollback to ${rollback.to.slice(0, 8)}`];
    return [...what, ...which, ...back, (0,duration/* durationText */.S5)(milliseconds)].join(", ");
}
function endAfter(signal) {
    const end = new AbortController();
    const hurry = () => {
        setTimeout(() => {
            end.abort(new Error("The run was cancelled."));
        }, CANCELLED_PATIENCE_MILLISECONDS).unref();
    };
    if (signal.aborted)
        hurry();
    else
        signal.addEventListener("abort", hurry, { once: true });
    return end.signal;
}


/***/ })

};
