import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Asking, type AskingParts } from "../../src/evaluation/asking.ts";
import type { EvaluationSummary } from "../../src/scoring/summary.ts";
import { EvaluationError, JournalError, RevisionMismatchError, type Stop } from "../../src/evaluation/errors.ts";
import { EvaluationResultsError, ResultsHeldError, ScorerError } from "../../src/scoring/errors.ts";
import { QUESTIONS_ADVICE } from "../../src/experiments/reading/case-questions.ts";
import { InputsError } from "../../front/options/inputs-error.ts";
import { GitHubError } from "../../action/github/errors.ts";
import type { GitHub } from "../../action/github/client.ts";
import { NotRemovedError } from "../../action/remove/errors.ts";
import { isPullRequestOpen } from "../../action/remove/previews.ts";
import { HostFileError } from "../../front/host-file-error.ts";
import { findAssistant } from "../../src/agent-server/assistant-names.ts";
import type { AgentServer } from "../../src/agent-server/client.ts";
import { endingOf } from "../../src/agent-server/run-ending.ts";
import type { RunCreate } from "../../src/contract/agent-server.ts";
import { RunFailedError } from "../../src/agent-server/errors.ts";
import { ArgumentsError } from "../../src/contract/call-arguments.ts";
import { FieldNames } from "../../src/contract/field-names.ts";
import type { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import {
  AmbiguousNameError,
  CreateUncertainError,
  ListMismatchError,
  NameTakenError,
  NoListError,
  InvalidRequestError,
} from "../../src/control-plane/errors.ts";
import { asStoreError } from "../../src/control-plane/upload.ts";
import { checkLive, supersededBy, timedOut, unreadable as unfollowed } from "../../src/deployment/ending.ts";
import {
  ApplyError,
  CancelledError,
  type DeployErrorOptions,
  NoRevisionError,
  PlanError,
  RollbackUnclearError,
  VerifyError,
} from "../../src/deployment/errors.ts";
import { Reached } from "../../src/deployment/run.ts";
import { checkDigest } from "../../src/deployment/plan.ts";
import { checkOnly } from "../../src/deployment/apply.ts";
import { lookAround } from "../../src/deployment/look.ts";
import { findTarget } from "../../src/deployment/target.ts";
import type { DeployRequest } from "../../src/deployment/request.ts";
import { asSeen } from "../../src/deployment/our-revision.ts";
import { planSmokeRun } from "../../src/deployment/smoke-plan.ts";
import { makeSmokeRun } from "../../src/deployment/smoke-run.ts";
import type { TimedDeps } from "../../src/deployment/deps.ts";
import { unseen } from "../../src/deployment/update.ts";
import { verify } from "../../src/deployment/verify.ts";
import { readDataset } from "../../src/scoring/dataset.ts";
import { UploadCancelledError } from "../../src/experiments/errors.ts";
import {
  AXIS_ADVICE,
  CROSSED_ADVICE,
  ResultFaults,
  ResultsError,
} from "../../src/experiments/reading/result-faults.ts";
import {
  ExperimentNameTakenError,
  ExperimentNotUploadedError,
  ExperimentTooLargeError,
  ExperimentStoredTwiceError,
  ExperimentUnansweredError,
} from "../../src/experiment-upload/errors.ts";
import { DataFileError } from "../../src/files/json/errors.ts";
import type { RunOfCases } from "../../src/judgement/cases/case-set.ts";
import { parsePath } from "../../src/files/json/path.ts";
import { storedSet } from "../../src/judgement/cases/joined.ts";
import { rangedSides } from "../../src/judgement/cases/ranges.ts";
import { readSnapshot } from "../../src/judgement/cases/snapshot-reader.ts";
import { Gates } from "../../src/judgement/gates/gates.ts";
import { checkComparable } from "../../src/judgement/judge-results.ts";
import { SpoolFile } from "../../src/files/spool.ts";
import { parseAddress } from "../../src/http/base-url.ts";
import { refusal } from "../../src/http/bad-response.ts";
import { Redactor } from "../../src/http/redactor.ts";
import { checkCredentials } from "../../src/http/endpoint.ts";
import { DeleteRefusedError } from "../../src/deployment/remove.ts";
import * as http from "../../src/http/errors.ts";
import { systemClock } from "../../src/http/clock.ts";
import { timeoutFailure, toFailure } from "../../src/http/failure.ts";
import { TimeLimit } from "../../src/http/time-limit.ts";
import { SourceTooLargeError, SourceTreeError } from "../../src/source/entry/errors.ts";
import { openEntry, unreadable } from "../../src/source/entry/open-entry.ts";
import { readSourceTree } from "../../src/source/tree/tree.ts";
import { RunsNotStoredError, TraceFaults, TracesCancelledError } from "../../src/trace-files/errors.ts";
import { ForeignText } from "../../src/text/foreign-text.ts";
import { RunIdError, RunsRefusedError, TracingClosedError } from "../../src/tracing/client/errors.ts";
import type { RunIngest } from "../../src/tracing/ingest/ingest.ts";
import { replay } from "../../src/tracing/ingest/replay.ts";
import { readSession } from "../../src/tracing/tracer/session.ts";
import { PROJECT, temporaryTree, type Nodes, temporaryFolder } from "../source/temporary-tree.ts";

const NO_INGEST = { post: () => undefined, patch: () => undefined } as unknown as RunIngest;

/** Makes an error: returns, throws or rejects with it. */
type Make = () => unknown;

const TARGET = "GET https://control.example/v2/deployments";
const DELETE = `DELETE ${TARGET.slice("GET ".length)}/d-1`;
const DEPLOYMENT = { id: "d-1", name: "support" };
const OURS = {
  name: "support",
  request: { pollCapMilliseconds: 1, timeoutMilliseconds: 1 },
  existing: undefined,
  deployment: DEPLOYMENT,
  ...asSeen({ id: "r-1", status: "DEPLOYED" }),
  timeLimit: new TimeLimit(systemClock, 1),
  graphs: undefined,
} as const;
const OLD_FILE = { file: "results.jsonl", line: 12 };

const notFound = () => new http.HttpStatusError(404, [], { target: TARGET });
const refused = (status: number) => () => new http.HttpStatusError(status, [], { target: TARGET });
const redirected = (location: string) => () =>
  refusal(
    { status: 302, headers: { location }, body: Buffer.alloc(0) },
    { target: TARGET, url: new URL(TARGET.slice("GET ".length)), redactor: new Redactor() },
  );
const STORE = { target: "PUT https://store.example/***" };
const stored = (status: number, reason: string) => () =>
  asStoreError(new http.HttpStatusError(status, [reason], STORE), STORE.target);
const network = (code: string) => () => toFailure(Object.assign(new Error("low"), { code }), TARGET).error;

function depsWith(more: object): TimedDeps {
  const signal = new AbortController().signal;
  const clock = { now: () => 0, date: () => new Date(0), sleep: () => Promise.resolve() };
  const timeLimit = new TimeLimit(systemClock, 60_000);
  return { signal, clock, timeLimit, emit: () => undefined, spoolDirectory: "/tmp", ...more } as unknown as TimedDeps;
}

function live(url: string | undefined): Parameters<typeof verify>[0] {
  const smokeRun = { graph: undefined, input: {}, expectations: [] };
  return { ...OURS, smokeRun, url };
}

/** Runs an agent that ends in this state. */
function smokeRunThatEndsIn(state: unknown): Promise<unknown> {
  const text = new ForeignText((line) => line);
  const server = {
    runAndWait: () => Promise.resolve(state),
    ending: (end: unknown, run: RunCreate) => endingOf(end, run, text),
    printable: (line: string, most: number) => text.line(line, most),
  } as unknown as AgentServer;
  const agent = {
    server,
    url: "https://agent.example",
    timeoutMilliseconds: 60_000,
    failed: (what: string, options: DeployErrorOptions) =>
      new VerifyError(`support: revision r-1 is DEPLOYED, but ${what}`, options),
  };
  // Its own clock: the heartbeat waits for the end of the run.
  const clock = {
    now: () => 0,
    sleep: (_: number, signal: AbortSignal) =>
      new Promise((_done, fail) => {
        signal.addEventListener("abort", fail);
      }),
  };
  return makeSmokeRun({ graph: "support", input: {}, expectations: [] }, agent, depsWith({ clock }));
}

const NEXT_RUN = "No cleanup needed; the next run updates deployment d-1.";

/** The error that a run makes of a request that met the end of its time. */
async function lookUpTimedOut(): Promise<never> {
  const overdue = new http.TimeoutError(10, { target: TARGET, mayHaveBeenProcessed: false, isLimit: true });
  const error = await lookUp({ deploymentId: "d-1" }, () => Promise.reject(overdue))().catch(
    (thrown: unknown) => thrown,
  );
  throw new Reached().timedOut(error) ?? new Error("Not the end of the time.");
}

const lookUp = (target: Parameters<typeof findTarget>[0], get: () => Promise<unknown>) => () =>
  findTarget(target, depsWith({ controlPlane: { get } }));

const NO_LIST = () => new NoListError("support", notFound().message, { kind: "missing", cause: notFound() });

/** A look before a deploy of an image, by the name. */
const deployTo = (
  change: Partial<DeployRequest>,
  findByName: () => Promise<undefined> = () => Promise.reject(NO_LIST()),
): Make => {
  const source = { source: "external_docker", imageUri: "agent:1" } as const;
  const patience = { ...OURS.request, wait: true, onSuperseded: "fail", smokeTest: false } as const;
  const request = { target: { name: "support" }, source, sourceConfig: {}, secrets: undefined, ...patience, ...change };
  return () => lookAround(request, depsWith({ controlPlane: { findByName } }));
};

/** Reads a project in a workspace, which is called W afterwards. */
function project(nodes: Nodes, { path = "", graphConfig = "graph.json" } = {}): Make {
  return async () => {
    const workspace = temporaryTree(nodes);
    const signal = new AbortController().signal;
    const directory = `${workspace}/${path}`;
    try {
      return await readSourceTree({ directory, workspace, graphConfig, include: [], exclude: [], signal });
    } catch (error) {
      if (error instanceof Error) error.message = error.message.replaceAll(workspace, "W");
      throw error;
    }
  };
}

const faulty = (faults: ResultFaults | TraceFaults, ...more: Parameters<ResultFaults["add"]>): Make => {
  return () => {
    faults.add(...more);
    faults.throwIfAny();
  };
};

const result = (message: string, ...advice: [Parameters<ResultFaults["add"]>[2]?]) =>
  faulty(new ResultFaults(), OLD_FILE, message, ...advice);

export const CALLS: readonly (readonly [title: string, make: Make])[] = [
  ["an address that is not one", () => parseAddress("ftp://control.example", { allowHttp: false })],
  ["an address without a scheme", () => parseAddress("control.example", { allowHttp: false })],
  ["http to another machine", () => parseAddress("http://control.example", { allowHttp: false })],
  [
    "a key with a line break",
    () => {
      checkCredentials({ apiKey: "a\nb" });
    },
  ],
  ["400", refused(400)],
  ["401", refused(401)],
  ["403", refused(403)],
  ["403 with a reason", () => new http.HttpStatusError(403, ["quota exceeded"], { target: TARGET })],
  ["413", refused(413)],
  ["429", refused(429)],
  ["503", refused(503)],
  ["connection refused", network("ECONNREFUSED")],
  ["a name that cannot be resolved", network("EAI_AGAIN")],
  ["a certificate of a private CA", network("UNABLE_TO_VERIFY_LEAF_SIGNATURE")],
  ["a certificate that has expired", network("CERT_HAS_EXPIRED")],
  ["a certificate of another host", network("ERR_TLS_CERT_ALTNAME_INVALID")],
  ["a certificate that is signed by itself", network("DEPTH_ZERO_SELF_SIGNED_CERT")],
  ["http at a port of TLS", network("ERR_SSL_WRONG_VERSION_NUMBER")],
  ["a file that is gone while it is sent", network("ENOENT")],
  ["a timeout", () => timeoutFailure(30_000, TARGET).error],
  ["a response that is not JSON", () => new http.InvalidResponseError("it is not JSON", { target: TARGET })],
  ["a redirect to a page", redirected("https://login.example/sign-in?from=api")],
  ["a redirect to where the API is now", redirected("https://new.example/v2/deployments")],
  ["a list without an end", () => new http.EndlessListError("The list of deployments", { pages: 2_000 })],
  ["a table of field names", () => FieldNames.parse("name")],
  ["arguments of the library", () => new ArgumentsError("deploy", ["`name` is missing"])],
];

export const DEPLOYS: readonly (readonly [title: string, make: Make])[] = [
  [
    "a request that breaks a rule",
    () => new InvalidRequestError("The new deployment", [{ loc: ["name"], msg: "is missing", type: "missing" }]),
  ],
  ["a name that something else uses", () => new NameTakenError("support", { canLookUp: true })],
  ["a name that is taken, at a service without a list", () => new NameTakenError("support", { canLookUp: false })],
  [
    "a name that is taken in another case",
    () => new NameTakenError("Support", { canLookUp: true, inAnotherCase: DEPLOYMENT }),
  ],
  ["several deployments of one name", () => new AmbiguousNameError("support", ["d-1", "d-2"], { isAll: true })],
  ["a service without a list", NO_LIST],
  ["a list that gives another deployment", () => new ListMismatchError("support", "d-1", "billing")],
  ["a list that gives a deployment that is gone", () => new ListMismatchError("support", "d-1", undefined)],
  ["a new deployment, at a service without a list", deployTo({})],
  ["a new preview, at a service without a list", deployTo({ isTemporary: true, target: { name: "support-pr-7" } })],
  [
    "a rollback by name, at a service without a list",
    deployTo({ source: { source: "revision", revision: "previous" } }),
  ],
  [
    "a name that no deployment has, where none may be created",
    deployTo({ create: "never" }, () => Promise.resolve(undefined)),
  ],
  [
    "a second deployment of the name",
    () =>
      checkOnly(
        DEPLOYMENT,
        "support",
        depsWith({ controlPlane: { allOfName: () => Promise.resolve([DEPLOYMENT, { id: "d-2" }]) } }),
      ),
  ],
  [
    "a delete that nobody answers",
    () =>
      new http.UnreachedError(
        new http.TimeoutError(55, {
          target: DELETE,
          mayHaveBeenProcessed: true,
          advice: network("ECONNREFUSED")().advice,
        }),
      ),
  ],
  [
    "a delete that the service refuses",
    () => new DeleteRefusedError("d-1", new http.HttpStatusError(409, ["locked"], { target: DELETE })),
  ],
  ["a create of which nothing is known", () => new CreateUncertainError("support", {})],
  [
    "a create of which nothing is known, at a service without a list",
    () => new CreateUncertainError("support", { cause: NO_LIST() }),
  ],
  ["an id that does not exist", lookUp({ deploymentId: "d-1" }, () => Promise.reject(notFound()))],
  ["an id of another name", lookUp({ deploymentId: "d-1", name: "other" }, () => Promise.resolve(DEPLOYMENT))],
  ["a lookup that is refused", lookUp({ deploymentId: "d-1" }, () => Promise.reject(refused(401)()))],
  [
    "a name that does not exist",
    () => new PlanError('No deployment named "support".', { reasons: ["NAME_NOT_FOUND"] }),
  ],
  [
    "a revision that does not exist",
    () =>
      new PlanError(
        "Deployment d-1 has no revision r-1. It was looked for over 1 min, since it may have just been made; the latest revision is r-2.",
        { reasons: ["REVISION_NOT_FOUND"] },
      ),
  ],
  [
    "a revision to go back to that was never live",
    () =>
      new PlanError("Revision r-1 of deployment d-1 is BUILD_FAILED, not DEPLOYED.", {
        reasons: ["ROLLBACK_REVISION"],
      }),
  ],
  [
    "a rollback to a previous revision that no record tells",
    () =>
      new RollbackUnclearError(
        "The previous source of deployment d-1 is not known, because no record has the digest of the files of revision r-1. The last that were DEPLOYED: r-2 (serves now); r-1.",
        {
          advice: "Nothing was written. Name the revision to go back to by its id.",
          choices: [
            { id: "r-2", madeAt: undefined, commit: undefined, serves: true },
            { id: "r-1", madeAt: undefined, commit: undefined, serves: false },
          ],
          reasons: ["ROLLBACK_UNCLEAR"],
        },
      ),
  ],
  [
    "a source that is not the expected one",
    () => {
      const source = { source: "external_docker", imageUri: `agent@sha256:${"a".repeat(64)}` } as const;
      checkDigest({ source, expectedDigest: `sha256:${"b".repeat(64)}` }, undefined);
    },
  ],
  [
    "an address without a control plane",
    () => new PlanError('"support" was not created.', { cause: notFound(), reasons: ["NO_CONTROL_PLANE"] }),
  ],
  [
    "a smoke run without a graph",
    () => {
      planSmokeRun({ input: {}, expect: [] }, graphs("a", "b"));
    },
  ],
  [
    "an update that failed",
    () => {
      const cause = refused(503)();
      return new ApplyError("The update of deployment d-1 failed.", { cause, advice: cause.advice });
    },
  ],
  [
    "an update that made no revision",
    () =>
      new NoRevisionError("Deployment d-1 accepted the update, but did not create a revision for this source.", {
        advice: "Look at the deployment in the service; run again to send the source once more.",
      }),
  ],
  ["a build that failed", () => failed("BUILD_FAILED")],
  ["a rollout that failed", () => failed("DEPLOY_FAILED")],
  ["a revision that was interrupted", () => failed("INTERRUPTED")],
  ["a revision that could not be prepared", () => failed("CREATE_FAILED")],
  ["a newer revision", () => supersededBy(OURS, { id: "r-2", created_at: undefined })],
  ["a timeout of the wait", () => timedOut(OURS, "BUILDING", 60_000)],
  [
    "a revision that can no longer be read",
    () => unfollowed({ ...OURS, ...asSeen({ id: "r-1", status: "BUILDING" }) }, refused(503)()),
  ],
  ["a live revision whose deployment cannot be read", () => unfollowed(OURS, refused(503)())],
  [
    "a revision that cannot be read once the update is accepted",
    () => unseen({ name: "support", deploymentId: "d-1", revisionId: "r-1", nextRun: NEXT_RUN }, refused(403)()),
  ],
  [
    "a revision that the response to the update does not name",
    () => unseen({ name: "support", deploymentId: "d-1", revisionId: undefined, nextRun: NEXT_RUN }, refused(403)()),
  ],
  ["a look-up that takes as long as the timeout", () => lookUpTimedOut()],
  [
    "an agent at an address that is refused",
    () =>
      verify(
        live("http://agent.example"),
        "full",
        depsWith({ agentServer: () => parseAddress("http://agent.example", { allowHttp: false }) }),
      ),
  ],
  ["an agent without an address", () => verify(live(undefined), "full", depsWith({}))],
  [
    "an agent that refuses",
    () =>
      verify(
        live("https://agent.example"),
        "full",
        depsWith({ random: () => 0, agentServer: () => ({ ok: () => Promise.reject(refused(401)()) }) }),
      ),
  ],
  [
    "a smoke run that failed",
    () =>
      new VerifyError("support: revision r-1 is DEPLOYED, but the smoke run failed.", {
        advice: "Look at the agent's log in the service.",
      }),
  ],
  ["a smoke run without an answer", () => smokeRunThatEndsIn({})],
  ["a smoke run that asks a human", () => smokeRunThatEndsIn({ __interrupt__: [{ value: "Shall I send it?" }] })],
  ["an agent that failed in a run", () => new RunFailedError("support", "ValueError", "no input")],
  [
    "a graph that the agent does not have",
    () => findAssistant("b", () => noAssistants(), new ForeignText((text) => text)),
  ],
  ["a cancelled run", () => new CancelledError("The run was cancelled; nothing was written.")],
  [
    "an agent at an address of this machine",
    () => new http.AddressError("10.0.0.1 is an address of this machine.", { reasons: ["ADDRESS_NEAR"] }),
  ],
  ["an upload address that has expired", stored(403, "AccessDenied: Request has expired")],
  ["an upload address that a store refuses", stored(403, "SignatureDoesNotMatch: The signatures differ.")],
  ["a file that is too large for a store", stored(400, "EntityTooLarge: Your upload exceeds the maximum")],
  [
    "a store that is elsewhere",
    () => asStoreError(new http.RedirectError(307, "eu.store.example", STORE), STORE.target),
  ],
  [
    "files that cannot be read",
    () =>
      new SourceTreeError([
        {
          message: "a cannot be read by this user",
          advice: "Make it readable, or exclude it.",
          reason: "FILE_UNREADABLE",
        },
        { message: "b was removed while the source was read", advice: "Exclude it.", reason: "FILE_GONE" },
      ]),
  ],
  [
    "a password in a packed file",
    project({ ...PROJECT, "requirements.txt": "agent==1\n--index-url https://robot:hunter2@pypi.internal/simple\n" }),
  ],
  [
    "an empty submodule",
    project(
      { "lib/agent/.keep": "", ".git/HEAD": "", ".gitmodules": "[submodule]\n\tpath = agent\n", agent: null },
      { path: "agent" },
    ),
  ],
  ["a directory that does not exist", project(PROJECT, { path: "gone" })],
  ["a directory outside of the workspace", project(PROJECT, { path: ".." })],
  ["an empty workspace", project({})],
  ["a configuration file elsewhere", project({ "agents/support/graph.json": PROJECT["graph.json"] })],
  ["a configuration file that does not exist", project({ "agent.py": "" })],
  ["a configuration file that is a directory", project({ "graph.json": null })],
  ["a configuration file with errors", project({ "graph.json": '{"graphs": {"a": "agent.py"}}' })],
  ["a link that leaves the source", project({ ...PROJECT, link: { link: "/etc/passwd" } })],
  ["a graph that a rule leaves out", project({ ...PROJECT, ".gitignore": "agent.py\n" })],
  ["a file that went away", () => openEntry("/nowhere", ENTRY)],
  ["a file that may not be read", () => unreadable(["data.txt"], "cannot be read by this user", undefined)],
  [
    "an archive that is too large",
    () =>
      new SourceTooLargeError("The compressed archive is larger than 200MiB.", {
        maxBytes: 1,
        advice: "Exclude what the agent does not need.",
      }),
  ],
  ["a temporary directory that does not exist", () => new SpoolFile("/nowhere", "source.tar.gz")],
];

const ENTRY = { path: "data.txt" } as Parameters<typeof openEntry>[1];

function graphs(...ids: readonly string[]): Parameters<typeof planSmokeRun>[1] {
  return ids.map((id) => ({ id, file: `./${id}.py` })) as unknown as Parameters<typeof planSmokeRun>[1];
}

function failed(status: string): Promise<unknown> {
  const deps = depsWith({ controlPlane: { logs: () => Promise.resolve([]) } });
  const value = asSeen({ id: "r-1", status });
  const standing = { deployment: OURS.deployment, isLatest: true, successor: undefined };
  return checkLive({ ...OURS, ...value }, { done: true, value, elapsedMilliseconds: 60_000 }, standing, deps);
}

async function* noAssistants(): AsyncGenerator<never> {}

const SENT = { experimentName: "nightly", bytes: 90_000_000 };

export const UPLOADS: readonly (readonly [title: string, make: Make])[] = [
  ["results with an error", result("the score is a text, not a number")],
  ["a file that cannot be read", () => new DataFileError(OLD_FILE, "trailing comma")],
  ["a file of two formats", result("the file may be csv or jsonl", { reasons: ["FORMAT_AMBIGUOUS"] })],
  [
    "a file of no known format",
    result("could not detect the format: the file is text", { advice: "Write the rows.", reasons: ["FORMAT_UNKNOWN"] }),
  ],
  ["too few files", result("expected 3 result files, found 2", { reasons: ["FILE_COUNT"] })],
  ["too few rows", result("expected 20 rows, found 3", { reasons: ["ROW_COUNT"] })],
  ["no dataset", result("neither the request nor the files name a dataset", { reasons: ["DATASET_MISSING"] })],
  ["two datasets", result("the files name more than one dataset", { reasons: ["DATASET_UNCLEAR"] })],
  ["a summary score with an error", result('the summary score "a" is a text', { reasons: ["REQUEST_INVALID"] })],
  [
    "times outside of the experiment",
    result("end_time is outside", { advice: "Correct the times in the files.", reasons: ["TIMES_OUTSIDE"] }),
  ],
  [
    "other questions under one id",
    result("the row has the same id as data.jsonl, line 2 but other inputs, and no `repetition`", {
      advice: QUESTIONS_ADVICE,
      reasons: ["QUESTIONS_DIFFER"],
    }),
  ],
  [
    "rows of several systems",
    () =>
      new ResultsError("data.jsonl: `model` has the same 2 values in nearly every case: `a` and `b`.", [], 1, {
        advice: AXIS_ADVICE,
        reasons: ["CASES_OF_SEVERAL"],
        axis: { column: "model", values: ["a", "b"], where: [], isCrossed: false },
      }),
  ],
  [
    "rows of several systems by two columns",
    result("`model` has the same 2 values in nearly every case: `a` and `b`; so has `prompt`", {
      advice: CROSSED_ADVICE,
      reasons: ["CASES_CROSSED"],
    }),
  ],
  [
    "a column that no row has",
    result("no row has a column `modle`", { advice: "Choose one of them.", reasons: ["COLUMN_MISSING"] }),
  ],
  ["no scores", result("no row has a score", { advice: "Check how the columns were read.", reasons: ["NO_SCORES"] })],
  ["a name that is taken", () => new ExperimentNameTakenError("nightly")],
  [
    "an experiment of many rows that is too large",
    () => new ExperimentTooLargeError("The experiment is too large.", { ...SENT, rows: 5_000 }),
  ],
  ["a row that is too large", () => new ExperimentTooLargeError("The experiment is too large.", { ...SENT, rows: 1 })],
  ["a service without experiments", () => new ExperimentNotUploadedError("nightly", notFound())],
  ["a service that fails", () => new ExperimentNotUploadedError("nightly", refused(503)())],
  [
    "no response",
    () =>
      new ExperimentUnansweredError(
        "nightly",
        network("ECONNRESET")(),
        "https://example.test/api/v1/sessions?name=nightly",
      ),
  ],
  ["two of one experiment", () => new ExperimentStoredTwiceError("nightly", ["id-1", "id-2"])],
  ["a cancelled upload", () => new UploadCancelledError("The run was cancelled before anything was sent.")],
];

const trace = (message: string, ...advice: [Parameters<TraceFaults["add"]>[2]?]) =>
  faulty(new TraceFaults(), { file: "runs.jsonl", line: 3 }, message, ...advice);

export const TRACES: readonly (readonly [title: string, make: Make])[] = [
  ["traces with an error", trace("`start_time` is missing")],
  ["an address without a tracing service", notFound],
  ["a file without traces", trace("could not detect the format: it is not JSON", { reasons: ["NOT_TRACES"] })],
  [
    "a file of an unknown format",
    trace("could not detect the format: JSON with no keys", { reasons: ["NOT_TRACES", "FORMAT_UNKNOWN"] }),
  ],
  [
    "runs without a project",
    trace("the run has neither `session_name` nor `session_id`", { reasons: ["PROJECT_MISSING"] }),
  ],
  [
    "runs that the service refused",
    () => new RunsNotStoredError("90 of 100 runs are stored.", [], 10, { advice: "Correct what the service names." }),
  ],
  ["a cancelled upload", () => new TracesCancelledError("The upload was cancelled.")],
  ["a run after the end", () => new TracingClosedError("Run r was handed over after the ingest was closed.")],
  ["a run with an invalid id", () => new RunIdError('Invalid run id "x": must be a UUID.')],
  ["a tracer without a project", () => readSession({})],
  ["a file of unsent runs that cannot be read", () => replay("/nowhere/a.jsonl", NO_INGEST)],
  ["a service that refuses every run", () => new RunsRefusedError({ count: 100, hasStored: false }, refused(422)())],
];

/** Results with a value outside of the range that is given. */
function outsideOfRange(): unknown {
  const run = { dataset: { name: "qa" }, created: "2026-05-04T10:00:00Z", isComplete: true };
  const values = Float64Array.of(6);
  const trial = { values, hasError: false, place: { file: "a.jsonl", line: 3 } };
  const one = {
    key: "00000000-0000-4000-8000-000000000000",
    name: "c-3",
    digest: "0".repeat(32),
    metadata: undefined,
    trials: [trial],
  };
  const metrics = new Map([["stars", { kind: "unbounded", direction: "higher" } as const]]);
  const results = storedSet({ run, metrics, cases: [one] });
  return rangedSides({ results, baseline: undefined }, new Map([["stars", { low: 1, high: 5 }]]));
}

/** Compares a run with a baseline of which this is different. */
function checkedAgainst(run: Partial<RunOfCases>): unknown {
  const ours = { dataset: { name: "qa" }, evaluator: "judge-1", created: "2026-05-04T10:00:00Z", isComplete: true };
  const set = (of: RunOfCases) => storedSet({ run: of, metrics: new Map(), cases: [] });
  const other = set({ ...ours, ...run });
  const request = { onEvaluatorChange: "fail", baselineMaxAge: undefined } as const;
  return checkComparable(set(ours), { ...other, runs: [other], sources: [] }, request, {
    clock: { date: () => new Date(0) },
  });
}

export const JUDGEMENTS: readonly (readonly [title: string, make: Make])[] = [
  [
    "a snapshot that does not exist",
    () => readSnapshot({ path: "/nowhere/main.snapshot.jsonl", name: "main.snapshot.jsonl" }),
  ],
  ["rules that cannot be read", () => Gates.parse("accuracy nt regressed\ntone not worse")],
  ["files of two evaluators", result("its evaluator is not that of a.jsonl", { reasons: ["EVALUATOR_UNCLEAR"] })],
  ["too few shards", result("expected 3 files, found 2", { reasons: ["FILE_COUNT"] })],
  ["a metric of two scales", result("`tone` is 0 to 90 here", { reasons: ["METRIC_UNCLEAR"] })],
  ["a value outside of its range", outsideOfRange],
  ["a row that two files have", result("the row is also in a.jsonl", { reasons: ["FILE_CONTENT", "ROW_DIFFERS"] })],
  ["files of two datasets", result("its dataset is not that of a.jsonl", { reasons: ["DATASET_UNCLEAR"] })],
  ["a baseline of another dataset", () => checkedAgainst({ dataset: { name: "support" } })],
  ["a baseline of another evaluator", () => checkedAgainst({ evaluator: "judge-2" })],
];

/** The error of a dataset with these rows in JSON, of which only those in `lang` are chosen. */
async function dataset(rows: string, lang?: string): Promise<unknown> {
  const path = join(temporaryFolder(), "cases.json");
  writeFileSync(path, rows);
  const langPath = parsePath("$.metadata.lang") ?? { text: "$", steps: [] };
  const filter = lang === undefined ? [] : [{ path: langPath, value: lang }];
  const all = { name: "support", input: ["$.question"], limit: undefined, shard: undefined };
  return readDataset({ file: { path, name: "cases.json" }, filter, ...all });
}

const FULL_DISK = { code: "ENOSPC", syscall: "write" };

/** How an evaluation ends that has so many of 20 trials without a measurement, and was stopped or not. */
function evaluationEnd(unmeasured: number, ...stop: [] | [Stop["status"], string, Stop["reasons"]?]): unknown {
  const deps = { clock: systemClock, signal: new AbortController().signal };
  // How it ended is all that is looked at.
  const asking = new Asking({ request: { maxErrors: 2 }, deps, halt: new AbortController() } as unknown as AskingParts);
  const [status, why, reasons] = stop;
  if (status !== undefined && why !== undefined) asking.stop(status, why, reasons);
  const scores = [{ key: "helpful", broken: 4, reason: "the command ended with code 1" }];
  const end = asking.endOf({ trials: 20, unmeasured, scores } as unknown as EvaluationSummary);
  return end && new EvaluationError(end);
}

export const EVALUATIONS: readonly (readonly [title: string, make: Make])[] = [
  [
    "a schema that is not there",
    () => new ScorerError("shape", new Error('"answer.schema.json" cannot be read (ENOENT)')),
  ],
  ["cases that cannot be asked", () => dataset('[{"id":"a","question":1},\n{"id":"a"}]')],
  ["a choice that leaves no case", () => dataset('[{"id":"a","question":1}]', "fr")],
  ["another revision serves", () => new RevisionMismatchError("r-7", "r-8")],
  [
    "the journal cannot be written",
    () => new JournalError("/work/results.jsonl.journal", Object.assign(new Error("low"), FULL_DISK)),
  ],
  [
    "another evaluation writes the results",
    () =>
      new ResultsHeldError("/work/results.jsonl", "/work/results.jsonl.journal.lock", { pid: 4711, host: "runner-3" }),
  ],
  [
    "the results cannot be written",
    () => new EvaluationResultsError("/work/results.jsonl", Object.assign(new Error("low"), FULL_DISK)),
  ],
  ["trials without a measurement", () => evaluationEnd(3)],
  ["a scorer that failed", () => evaluationEnd(0)],
  [
    "runs that the server rejects",
    () =>
      evaluationEnd(
        3,
        "incomplete",
        "The server took no trial: The server rejects what the run was sent: POST https://agent.example/runs/stream returned 422",
        ["INPUT_REJECTED"],
      ),
  ],
  ["a budget that is spent", () => evaluationEnd(3, "over-budget", "The evaluation used 1,200 of 1,000 (tokens)")],
  ["a deadline that has passed", () => evaluationEnd(3, "overdue", "The evaluation took longer than 30 min")],
  ["an evaluation that was cancelled", () => evaluationEnd(3, "cancelled", "The evaluation was cancelled")],
  ["an agent that no trial reached", () => evaluationEnd(3, "failed", "No trial reached the agent: ECONNREFUSED")],
];

export const PREVIEWS: readonly (readonly [title: string, make: Make])[] = [
  [
    "a pull request whose state cannot be read",
    () => {
      const refusal = new GitHubError("GitHub returned 403", { missing: "pull-requests: read" });
      return isPullRequestOpen({ pullRequest: 7 }, { request: () => Promise.reject(refusal) } as unknown as GitHub);
    },
  ],
  [
    "previews that could not be removed",
    () =>
      new NotRemovedError("Not removed: support-pr-7.", {
        advice: "The log has the reasons. Run again: a preview that no longer exists is not an error.",
      }),
  ],
  ["several deployments of one name", () => new AmbiguousNameError("support-pr-7", ["d-1", "d-2"], { isAll: true })],
];

export const STEPS: readonly (readonly [title: string, make: Make])[] = [
  ["an invalid input", () => new InputsError([{ input: "timeout", message: '"soon" is not a valid duration' }])],
  [
    "a directory of the runner",
    () => new HostFileError("RUNNER_TEMP", "/gone", Object.assign(new Error("x"), { code: "ENOENT" })),
  ],
];

/** The error that a sample makes. */
export async function madeBy(make: Make): Promise<GraphDeployError> {
  try {
    return (await make()) as GraphDeployError;
  } catch (error) {
    return error as GraphDeployError;
  }
}
