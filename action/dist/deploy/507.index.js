export const id = 507;
export const ids = [507];
export const modules = {

/***/ 3507:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  asPreview: () => (/* binding */ asPreview)
});

// EXTERNAL MODULE: ./src/contract/graph-deploy-error.js
var graph_deploy_error = __webpack_require__(5884);
// EXTERNAL MODULE: ./src/deployment/deploy.js + 1 modules
var deploy = __webpack_require__(9752);
// EXTERNAL MODULE: ./src/deployment/errors.js
var errors = __webpack_require__(3515);
// EXTERNAL MODULE: ./src/deployment/preview-name.js
var preview_name = __webpack_require__(3780);
// EXTERNAL MODULE: ./src/deployment/remove.js
var remove = __webpack_require__(9680);
// EXTERNAL MODULE: ./src/text/reasons.js
var reasons = __webpack_require__(3271);
// EXTERNAL MODULE: ./action/github/best-effort.js
var best_effort = __webpack_require__(2905);
// EXTERNAL MODULE: ./action/github/client.js + 1 modules
var client = __webpack_require__(67);
// EXTERNAL MODULE: ./action/github/errors.js
var github_errors = __webpack_require__(8887);
// EXTERNAL MODULE: ../node_modules/zod/v4/classic/schemas.js + 11 modules
var schemas = __webpack_require__(9987);
;// CONCATENATED MODULE: ./action/github/pull-request-state.js


const Shape = schemas/* object */.Ikc({
    number: schemas/* int */.Whr(),
    state: schemas/* enum */.k5n(["open", "closed"]),
    head: schemas/* object */.Ikc({ sha: schemas/* string */.YjP() }).optional().catch(undefined),
});
/**
 * Whether a pull request is open now. What is deleted depends on it, so that whatever does not say it clearly is a
 * GitHubError: a response of another form, and a 404 to a token that cannot read any pull request.
 */
async function readPullRequestState(github, number) {
    try {
        const { data } = await github.request("GET /repos/{owner}/{repo}/pulls/{pull_number}", { pull_number: number });
        const shaped = Shape.safeParse(data);
        if (shaped.success && shaped.data.number === number) {
            const { state, head } = shaped.data;
            return { state, headCommit: head?.sha };
        }
        throw new github_errors/* GitHubError */.y_(`GitHub did not say whether pull request #${String(number)} is open`);
    }
    catch (error) {
        if (!(0,github_errors/* isStatus */.zM)(error, 404))
            throw error;
    }
    const { data } = await github.request("GET /repos/{owner}/{repo}/pulls", { state: "all", per_page: 1 });
    if (Array.isArray(data))
        return { state: "missing" };
    throw new github_errors/* GitHubError */.y_("GitHub did not list the pull requests");
}

// EXTERNAL MODULE: ./action/github/pull-request.js
var pull_request = __webpack_require__(9187);
;// CONCATENATED MODULE: ./action/deploy/preview-work.js
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











// A deployment that another run deletes is deployed again so often.
const MOST_DEPLOYS = 3;
const LONGEST_DELETE_MILLISECONDS = 600_000;
/**
 * Finds the pull request of the run, and does the work for its preview. A run without a pull request that may have one
 * ends as `skipped`, before anything is written.
 */
async function asPreview(inputs, { redactor, signal, emit }, work) {
    const env_1 = { stack: [], error: void 0, hasError: false };
    try {
        const begin = performance.now();
        const { names, github: settings } = inputs.preview;
        const onRetry = (notice) => {
            emit({ type: "retry", notice });
        };
        const github = __addDisposableResource(env_1, await (0,client/* connectGitHub */.U)(settings, { redactor, signal, onRetry }), true);
        const pull = await findTheirs(github, settings);
        const reason = whyNone(pull);
        if (pull === undefined || reason !== undefined) {
            emit({ type: "not-kept", reason: reason ?? "" });
            emit({ type: "ended", outcome: "skipped", milliseconds: performance.now() - begin, error: undefined });
            return;
        }
        const name = (0,preview_name/* previewName */.gz)(names, pull.number);
        emit({ type: "preview-named", name, pullRequest: pull.number });
        const request = { ...inputs.request, target: { name }, isTemporary: true };
        const { attempt } = inputs.runner;
        const deployAs = (asked, deps) => new PreviewDeploy({ name, pull, attempt, github }, deps).run(asked);
        await work({ ...inputs, request }, deployAs);
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
async function findTheirs(github, inputs) {
    try {
        return await (0,pull_request/* findPullRequest */._)(github, inputs);
    }
    catch (error) {
        if (!(error instanceof github_errors/* GitHubError */.y_))
            throw error;
        const { missing, message } = error;
        throw new errors/* PlanError */.W6(`The pull request of this run could not be found: ${(0,reasons/* withoutFullStop */.Qu)(message)}.`, {
            cause: error,
            advice: missing === undefined ? undefined : `Add \`${missing}\` to the \`permissions\` of the job.`,
        });
    }
}
function whyNone(pull) {
    if (pull === undefined)
        return "this run is about no pull request";
    const which = `pull request #${String(pull.number)}`;
    if (pull.isFromFork)
        return `${which} comes from a fork`;
    if (pull.isFromDependabot)
        return `${which} is by Dependabot`;
    return pull.isOpen ? undefined : `${which} is closed`;
}
/** There is to be no preview of this run; no revision was made. */
class NoPreviewError extends Error {
    name = "NoPreviewError";
}
/** One deploy of a preview: it begins and ends with a look at its pull request. */
class PreviewDeploy {
    #facts;
    #deps;
    #bestEffort;
    #which;
    constructor(facts, deps) {
        this.#facts = facts;
        this.#deps = deps;
        this.#which = `pull request #${String(facts.pull.number)}`;
        this.#bestEffort = new best_effort/* BestEffort */.l((message) => {
            deps.emit({ type: "warning", message });
        });
    }
    async run(request) {
        for (let deploys = 1;; deploys += 1) {
            const tried = await this.#try(request);
            const { ended, error, hasWritten } = tried;
            const isLooked = !this.#deps.signal.aborted && (hasWritten || error === undefined);
            if (isLooked && (await this.#stateNow())?.isOpen === false) {
                if (await this.#takeAway(tried, request)) {
                    this.#end(ended, "removed", `${this.#which} was closed in the meantime`);
                    return;
                }
            }
            else if (isLooked && deploys < MOST_DEPLOYS && (await this.#isDeleted(tried)))
                continue;
            if (error instanceof NoPreviewError) {
                this.#end(ended, "skipped", error.message);
                return;
            }
            if (ended !== undefined)
                this.#deps.emit(ended);
            if (error !== undefined)
                throw error;
            return;
        }
    }
    async #try(request) {
        let [ended, hasWritten] = [undefined, false];
        let seen;
        const emit = (event) => {
            if (event.type === "deployment-found" || event.type === "deployment-created") {
                seen = { id: event.deployment.id, latest: event.deployment.latest_revision_id };
            }
            // How a preview ends is known after one more look at its pull request.
            if (event.type === "ended")
                ended = event;
            else
                this.#deps.emit(event);
        };
        const beforeFirstWrite = async () => {
            const now = await this.#stateNow();
            if (now?.isOpen === false)
                throw new NoPreviewError(`${this.#which} is closed`);
            await this.#stepBack(now, seen);
            await this.#deps.beforeFirstWrite?.();
            hasWritten = true;
        };
        // One that is closed by now is taken away at the end.
        const afterUpload = async () => this.#stepBack(await this.#stateNow(), seen);
        const error = await (0,deploy/* deploy */.g)(request, { ...this.#deps, emit, beforeFirstWrite, afterUpload }).then(() => undefined, (reason) => (reason instanceof Error ? reason : new Error(String(reason))));
        return { ended, error, deploymentId: seen?.id, hasWritten };
    }
    /** Throws NoPreviewError for a run that is older than what is deployed. */
    async #stepBack(now, seen) {
        const { pull, attempt } = this.#facts;
        if (now?.headCommit === undefined || pull.headCommit === undefined || now.headCommit === pull.headCommit)
            return;
        const newer = `${this.#which} has a newer commit, ${now.headCommit.slice(0, 7)}`;
        if (attempt > 1)
            throw new NoPreviewError(`${newer}, and this run is an old one that runs again`);
        if (seen === undefined)
            return;
        const deployment = await (0,remove/* findDeployment */.HZ)(this.#deps.controlPlane, seen.id);
        if (deployment !== undefined && deployment.latest_revision_id !== seen.latest) {
            throw new NoPreviewError(`${newer}, which is deployed already`);
        }
    }
    /** The pull request as it is now; undefined if GitHub does not say, which a warning tells. */
    async #stateNow() {
        const { github, pull } = this.#facts;
        const read = () => readPullRequestState(github, pull.number);
        const now = await this.#bestEffort.attempt(`Reading the state of ${this.#which}`, read);
        return now === undefined ? undefined : { isOpen: now.state === "open", headCommit: now.headCommit };
    }
    /** True once the preview is gone, or about to be. */
    async #takeAway({ deploymentId }, { timeoutMilliseconds }) {
        const { name } = this.#facts;
        const { controlPlane, clock, random, signal } = this.#deps;
        const warn = (what) => {
            this.#deps.emit({
                type: "warning",
                message: `The preview ${name} is left, although ${this.#which} is closed: ${what}.`,
            });
        };
        const emit = (event) => {
            if (event.type !== "delete-waiting")
                return;
            this.#deps.emit({ type: "delete-waiting", name, elapsedMilliseconds: event.elapsedMilliseconds });
        };
        try {
            const id = deploymentId ?? (await controlPlane.findByName(name))?.id;
            if (id === undefined)
                return true;
            const patience = Math.min(timeoutMilliseconds, LONGEST_DELETE_MILLISECONDS);
            const request = { deploymentId: id, deleteTracingProject: true, timeoutMilliseconds: patience };
            const { outcome } = await (0,remove/* removeDeployment */.qR)(request, { controlPlane, clock, random, signal, emit });
            if (outcome === "unsupported")
                warn("this service cannot delete deployments");
            return outcome !== "unsupported";
        }
        catch (error) {
            if (!(error instanceof graph_deploy_error/* GraphDeployError */.k))
                throw error;
            warn((0,reasons/* withoutFullStop */.Qu)(error.message));
            return false;
        }
    }
    /** True if another run has deleted the deployment, as after a close that was taken back. */
    async #isDeleted({ deploymentId }) {
        if (deploymentId === undefined)
            return false;
        try {
            const deployment = await (0,remove/* findDeployment */.HZ)(this.#deps.controlPlane, deploymentId);
            return deployment === undefined || (0,remove/* isBeingDeleted */.vx)(deployment);
        }
        catch (error) {
            if (!(error instanceof graph_deploy_error/* GraphDeployError */.k))
                throw error;
            return false;
        }
    }
    #end(ended, outcome, reason) {
        this.#deps.emit({ type: "not-kept", reason });
        this.#deps.emit({ type: "ended", outcome, milliseconds: ended?.milliseconds ?? 0, error: undefined });
    }
}


/***/ })

};
