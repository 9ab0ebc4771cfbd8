import type { AdviceTable } from "../../src/contract/advice.ts";
import type { GraphDeployError } from "../../src/contract/graph-deploy-error.ts";
import { FORMAT_NAMES } from "../../src/experiments/format-names.ts";
import { GraphConfigError } from "../../src/source/entry/errors.ts";
import { hasStatus } from "../../src/http/errors.ts";
import { TRACE_FORMATS } from "../../src/trace-files/request.ts";

const EVERY_STEP: AdviceTable = {
  CERTIFICATE_UNTRUSTED: "Give it as `ca-certificate`.",
  SPOOL: "RUNNER_TEMP names the directory.",
};

const UPLOAD_STEP: AdviceTable = { ...EVERY_STEP, UNAUTHORIZED: "`api-key` sets it." };

const CONTROL_PLANE_KEY = "`api-key` or `bearer-token` sets it.";
const ADDRESS = "Check that `control-plane-url` has the path prefix of the service,";
const EXCLUDE = "List files to leave out in `exclude`.";
const SMOKE_TEST = "`smoke-test: false` skips the check.";
// A response without any value is compared as JSON.
const NOTHING = "`/^(null|\\{\\})$/`";
const SMOKE_GRAPH = "Choose one with `smoke-graph`.";

/** Which input of the step that deploys helps, by the reason or the code of an error or a warning. */
export const DEPLOY_ADVICE: AdviceTable = {
  ...EVERY_STEP,
  ADDRESS_NEAR: SMOKE_TEST,
  AGENT_ADDRESS: `Set \`allow-http: true\` if the address is right and http is meant. ${SMOKE_TEST}`,
  AGENT_ADDRESS_UNKNOWN: "Or remove `smoke-input` to skip the smoke run.",
  AGENT_UNHEALTHY: `If the agent cannot be called from here (custom authentication, a private network): ${SMOKE_TEST}`,
  AMBIGUOUS_NAME: "Choose one with `deployment-id`, or delete the others.",
  BODY_TOO_LARGE: EXCLUDE,
  CONFIG_MISSING: configAdvice,
  CONFIG_UNUSABLE: "Set `graph-config` to the configuration file, as a path relative to `path`.",
  CREATE_NEVER: "`name` sets it; without `create: never` it is created.",
  CREDENTIALS_FOUND: "List files that may contain such values in `allow-secrets-in-source`.",
  DIGEST_DIFFERS: "`expected-digest: any` deploys without this check.",
  DEPLOYMENT_NOT_FOUND: "Correct `deployment-id`, or leave it out to find or create the deployment by its name.",
  EXISTENCE_UNKNOWN:
    "Give it as `deployment-id`, or restore the `deploy-record` of an earlier run. " +
    "If there is none, start the workflow by hand (`workflow_dispatch`) with `create: once`. " +
    `${ADDRESS} if it has a list.`,
  FILE_GONE: EXCLUDE,
  FILE_LEFT_OUT: "List files to pack despite the rules in `include`.",
  FILE_UNREADABLE: EXCLUDE,
  FOUND_BY_ID_ONLY:
    "Set it as `deployment-id` in the workflow: without it, the next run is an error and deploys nothing.",
  GRAPH_UNCLEAR: SMOKE_GRAPH,
  HUMAN_ASKED: "If that is right for this input, expect it: `smoke-expect: '$.__interrupt__: /./'`.",
  INVALID_REQUEST: "Inputs such as `source-config` and `repo-ref` set them.",
  LFS_POINTERS: "`lfs: true` of `actions/checkout` brings the files.",
  LINK_OUTSIDE: EXCLUDE,
  LIST_UNSUPPORTED: "Give its id as `deployment-id`.",
  NAME_MISMATCH: "Correct `name` or `deployment-id`; with an id, `name` may be left out.",
  NAME_NOT_FOUND: "Correct `name`, or leave `revision-id` and `rollback-to` out to deploy.",
  NAME_TWICE:
    "Give the id of the one you keep as `deployment-id`, and let only one run deploy at a time (`concurrency`).",
  NO_CONTROL_PLANE: "`control-plane-url` sets the address.",
  NOTHING_ANSWERED: `If that is right for this input, say so in \`smoke-expect\`, which then decides alone, such as ${NOTHING}.`,
  OUTSIDE_WORKSPACE: "Set `path` to a directory in the workspace.",
  PREVIEW_UNLISTED: `${ADDRESS} if it has a list.`,
  REVISION_NOT_FOUND: "Correct `revision-id`, or leave it out to deploy.",
  ROLLBACK_REVISION:
    "Set `rollback-to` to the id of a revision that was DEPLOYED; the page of the deployment lists them.",
  ROLLBACK_UNCLEAR:
    "A `deploy-record` that each deploy and each rollback keeps, or `environment` in each, lets `previous` tell.",
  SOURCE_CHANGED: EXCLUDE,
  SOURCE_FOLDER:
    "Set `path` to the directory of the agent project, and check that an earlier step has checked out the repository.",
  SOURCE_TOO_LARGE: `${EXCLUDE} \`max-size\` raises the limit if the service accepts more.`,
  SOURCE_UNREADABLE: EXCLUDE,
  SUBMODULES_EMPTY: "Set `submodules: true` or `submodules: recursive` at `actions/checkout`.",
  SUPERSEDED:
    "If that is expected in your workflow, set `on-superseded: succeed`; " +
    "to let only one run deploy at a time, use `concurrency`.",
  TRACKED_LEFT_OUT: "`include` packs them.",
  TIMED_OUT: "`timeout` sets how long all requests may take together.",
  UNAUTHORIZED: CONTROL_PLANE_KEY,
  WAIT_TIMEOUT: "`timeout` sets how long to wait.",
  WORKSPACE_EMPTY: "Check out the repository in an earlier step, for example with `actions/checkout`.",
};

export const REMOVE_ADVICE: AdviceTable = {
  ...EVERY_STEP,
  AMBIGUOUS_NAME: "Delete them in the service.",
  UNAUTHORIZED: CONTROL_PLANE_KEY,
};

const RESULT_FORMAT = `Or set \`format\` if a tool wrote the file: \`docs/results.md\` of graph-deploy lists ${String(FORMAT_NAMES.length)} formats.`;

export const EXPERIMENT_ADVICE: AdviceTable = {
  ...UPLOAD_STEP,
  CASES_OF_SEVERAL: "Set `split-by` to the column.",
  CASES_CROSSED: "`split-by` takes one column.",
  COLUMN_MISSING: "Correct `split-by`, or the files.",
  DATASET_MISSING: "Set `dataset-name` or `dataset-id`.",
  DATASET_UNCLEAR: "Choose one with `dataset-name`.",
  EXPERIMENT_NAME_TAKEN: "Choose another `experiment-name`, or let `on-name-conflict: suffix` add a number to it.",
  EXPERIMENT_UNANSWERED:
    "If this service takes a name only once, `on-unclear: retry` sends the results again, and never stores them twice.",
  FILE_CONTENT: "If they are read in the wrong way, set `format` or `mapping`.",
  FILE_COUNT: "Correct `expected-shards`, or what `results` matches.",
  FORMAT_AMBIGUOUS: "Choose one with `format`.",
  FORMAT_UNKNOWN: RESULT_FORMAT,
  MANY_ROWS: "`max-rows-per-experiment` sets how many rows one may have.",
  NO_EXPERIMENTS_SERVED: "`base-url` sets the address.",
  NO_SCORES: "The log shows it. If the results have no scores, set `allow-no-scores: true`.",
  REQUEST_INVALID: "Correct the inputs of the step, or the files.",
  ROW_COUNT: "Correct `expected-rows`, or the files.",
  TIMES_OUTSIDE: "Or set `time-policy` to expand or clamp.",
};

export const EVALUATE_ADVICE: AdviceTable = {
  ...EVERY_STEP,
  EVALUATION_CANCELLED: "Run it again: the answers that there are stay where `resume` is true.",
  EVALUATION_HELD: "`results` sets their path; give each job of a matrix its own.",
  EVALUATION_JOURNAL: "`results` sets the path that it stands beside.",
  EVALUATION_RESULTS: "`results` sets their path.",
  FILE_CONTENT: "`input` says what a run is sent of a case; `filter`, `limit` and `shard` choose cases.",
  GRAPH_UNCLEAR: "Choose one with `graph`.",
  HTTP_STATUS: (error) =>
    hasStatus(error, 404, 405)
      ? "Check that `agent-url` is the address of an agent server, such as the output `url` of a deploy."
      : "",
  INPUT_REJECTED: "Correct `input` and `run`, which say what each run is sent, or the cases.",
  EVALUATION_UNREACHABLE: "Check `agent-url` and `api-key`, and whether the agent server is up.",
  SCORER: "`scorers` defines it.",
  EVALUATION_INCOMPLETE:
    "`max-errors` sets how many trials may end without a measurement, and `retry-errors` asks them again.",
  EVALUATION_OVERDUE:
    "`deadline` sets how long all runs may take together. The next run continues where this one ended.",
  EVALUATION_OVER_BUDGET: "`max-tokens` and `max-cost` set the budget.",
  SCORER_BROKEN: "Correct the scorer; `rescore` scores the answers of the results again without asking the agent.",
  EVALUATION_REVISION: "`revision-id` sets the revision that must serve.",
  UNKNOWN_ASSISTANT: "`graph` sets it.",
  UNAUTHORIZED: "`api-key` sets the key of the agent server.",
};

export const TRACES_ADVICE: AdviceTable = {
  ...UPLOAD_STEP,
  FILE_CONTENT: "If they are read in the wrong way, set `format`.",
  FORMAT_UNKNOWN: `Set \`format\` to ${TRACE_FORMATS.join(" or ")}.`,
  HTTP_STATUS: (error) =>
    hasStatus(error, 404, 405)
      ? "Check that `base-url` is the address of a service that accepts runs, with its path prefix if it has one."
      : "",
  NOT_TRACES: "Name only trace files in `traces`.",
  PROJECT_MISSING: "Set `session-name`, or give the root of each trace a `session_name`.",
};

export const JUDGE_ADVICE: AdviceTable = {
  ...EVERY_STEP,
  CASES_OF_SEVERAL: "Choose the rows of one value with `where`.",
  CASES_CROSSED: "Choose the rows of one value of each with `where`.",
  COLUMN_MISSING: "Correct `where`, or the files.",
  DATASET_DIFFERS:
    "Correct `baseline`, `anchor` or `dataset-name`, or start a new baseline with one run with `baseline: reset`.",
  DATASET_UNCLEAR: "Choose one with `dataset-name`.",
  EVALUATOR_UNCLEAR:
    "Give the files of one evaluation, or set `on-evaluator-change: warn` to judge them together anyway.",
  EVALUATOR_DIFFERS:
    "Evaluate the baseline again with the current evaluator, start a new baseline with one run with `baseline: reset`, or set `on-evaluator-change: warn` to compare anyway.",
  FILE_CONTENT: "If they are read in the wrong way, set `format` or `mapping`.",
  FILE_COUNT: "Correct `expected-shards`, or what `results` matches.",
  FORMAT_AMBIGUOUS: "Choose one with `format`.",
  FORMAT_UNKNOWN: RESULT_FORMAT,
  GATES: "Correct `gates`: `docs/judge.md` of graph-deploy lists what a rule can be.",
  METRIC_UNCLEAR: "Write the metric in the same way in all files, or set `directions` or `ranges`.",
  ROW_DIFFERS: "If each file is one trial of the cases, set `files: trials`.",
};

function configAdvice(error: GraphDeployError): string {
  const found = error instanceof GraphConfigError ? error.found : [];
  if (found.length === 0) return "Set `graph-config` to the configuration file, as a path relative to `path`.";
  const settings = found.map(({ name, directory, file }) => {
    const path = directory === undefined ? [] : [`\`path\` to ${JSON.stringify(directory)}`];
    const config = file === undefined ? [] : [`\`graph-config\` to ${JSON.stringify(file)}`];
    return { name, setting: [...path, ...config].join(" and ") };
  });
  if (settings.length === 1) return `Set ${settings[0]?.setting ?? ""}.`;
  return settings.map(({ name, setting }) => `For ${name}, set ${setting}.`).join(" ");
}
