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
// EXTERNAL MODULE: ./src/deployment/look.js + 15 modules
var look = __webpack_require__(1616);
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
const Payload = schemas/* object */.Ikc({ run_id: schemas/* string */.YjP().optional(), run_attempt: schemas/* int */.Whr().optional() });
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
async function create(github, { sha, environment, task, name, runId, attempt }) {
    const { status, data } = await github.request("POST /repos/{owner}/{repo}/deployments", {
        ref: sha,
        environment,
        task,
        payload: { name, run_id: runId, run_attempt: attempt },
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
/** The records of a place, newest first. EndlessListError if there are more than so many pages of a hundred. */
async function* record_listRecords(github, { environment, task }, { sha, mostPages }) {
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
/**
 * Retires the records of a place that were live before this one. GitHub does so itself only for environments that are
 * neither transient nor production, and there for other deployments too.
 */
async function retireOlder(github, place, id) {
    let [looks, hasRetired] = [0, false];
    for await (const record of record_listRecords(github, place, { mostPages: MOST_PAGES })) {
        if (record.id >= id)
            continue;
        const state = await record_stateOf(github, record.id);
        if (state === "success") {
            await record_setState(github, record.id, "inactive", { description: "Replaced by a newer deployment" });
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
        const { github, effort, logUrl, save } = this.#deps;
        // A source that was live already gets a record too: a branch rule may ask for one.
        if (state === "success" || state === "failure")
            this.#begun ??= this.#create(() => Promise.resolve());
        const begun = await this.#begun;
        if (begun === undefined)
            return;
        if (state !== undefined) {
            const { id, record } = begun;
            const status = { logUrl, ...facts };
            // The post script tries once more.
            this.#save({ id, state, ...status });
            if ((await effort.attempt(WHAT, () => setLastState(github, id, state, status))) === undefined)
                return;
            if (state === "success")
                await effort.attempt(WHAT, () => retireOlder(github, record, id));
        }
        save("");
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
async function setLastState(github, id, state, facts) {
    try {
        await record_setState(github, id, state, facts);
    }
    catch (error) {
        // Its preview was removed, and its records with it.
        if (!(0,errors/* isStatus */.zM)(error, 404))
            throw error;
    }
    return true;
}
/** What a record says of a deploy that ended so; undefined for one that is still running in the service. */
function stateAfter(outcome, error) {
    switch (outcome) {
        case "deployed":
        case "unchanged":
            return "success";
        case "removed":
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
        case "skipped":
        case "started":
            return undefined;
    }
}

// EXTERNAL MODULE: ./action/deploy/report/facts.js
var report_facts = __webpack_require__(9554);
;// CONCATENATED MODULE: ./action/deploy/github-work.js











// A runner that cancels waits for 7.5 s.
const CANCELLED_PATIENCE_MILLISECONDS = 2_000;
/** Runs the work and shows it on GitHub. What GitHub refuses is a warning, never an error. */
async function onGitHub({ request }, inputs, { redactor, signal, emit }, work) {
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
        await recorded(inputs, (0,look/* nameOf */.Vb)(request.target, undefined), { github, effort, redactor, emit }, work);
    }
    finally {
        await github[Symbol.asyncDispose]();
    }
}
async function recorded({ environment, ...inputs }, name, { github, effort, redactor, emit }, work) {
    if (environment === undefined) {
        await work(emit);
        return;
    }
    const { id: runId, attempt, url: logUrl } = inputs.run;
    const record = async () => {
        const sha = await commitOf(github, inputs);
        return { sha, environment, task: taskOf(name), name, runId, attempt };
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
    const recorder = new Recorder(record, { github, effort, clock: clock/* systemClock */.m, logUrl, save });
    let facts = report_facts/* NO_FACTS */.Kj;
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
            await recorder.end(stateAfter(ended.outcome, ended.error), { description, environmentUrl });
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
