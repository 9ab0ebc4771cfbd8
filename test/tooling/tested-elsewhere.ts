/** A group of sources without tests of their names. */
interface Group {
  /** The tests that find their faults. */
  readonly by: readonly string[];
  /** Why the faults are found there and not beside the source. */
  readonly why: string;
  readonly sources: readonly string[];
}

/** The sources that decide something and have no test of their name: each group with the tests that find its faults. */
export const TESTED_ELSEWHERE: readonly Group[] = [
  {
    by: ["test/tooling/odd-arguments.contract.test.ts"],
    why: "The shape of the options of a call shows in the calls of every client with odd ones.",
    sources: ["src/http/call-shapes.ts"],
  },
  {
    by: ["test/files/json/skim.unit.test.ts"],
    why: "Which plan a key has shows in what is parsed of its value.",
    sources: ["src/files/json/skim-plan.ts"],
  },
  {
    by: ["test/judgement/judge-rows.not-baseline.unit.test.ts"],
    why: "That a run is no baseline shows in the judgement of the next one, in whole loops of runs.",
    sources: ["src/judgement/comparing/not-baseline.ts"],
  },

  {
    by: ["test/judgement/judge-rows.unit.test.ts", "test/judgement/judge-rows.kinds.unit.test.ts"],
    why: "Which names may be given shows in what a whole judgement refuses.",
    sources: ["src/judgement/given-names.ts"],
  },
  {
    by: ["test/judgement/comparing/both-readings.unit.test.ts"],
    why: "The trials with other values show in what a rule finds with them.",
    sources: ["src/judgement/cases/trial-list.ts"],
  },
  {
    by: ["test/judgement/cases/baseline.pool.unit.test.ts"],
    why: "How a format was read shows in the pool, which a run of another reading is not part of.",
    sources: ["src/experiments/reading-versions.ts"],
  },
  {
    by: ["test/judgement/cases/one-run.contract.test.ts", "test/judgement/cases/baseline.unit.test.ts"],
    why: "How parts are joined and compared shows in the run that they become, and in what keeps them apart.",
    sources: [
      "src/judgement/cases/evaluator.ts",
      "src/judgement/cases/joined.ts",
      "src/judgement/cases/run-difference.ts",
    ],
  },
  {
    by: ["test/action/remove/work.contract.test.ts", "test/action/remove/report.what-users-see.unit.test.ts"],
    why: "What decides about a delete shows in what is left after a whole run, at a service and at a GitHub.",
    sources: [
      "action/github/records/ownership.ts",
      "action/github/records/place.ts",
      "action/github/records/states.ts",
      "action/github/repository-id.ts",
      "action/github/preview-stem.ts",
      "action/remove/step.ts",
    ],
  },
  {
    by: ["test/action/comment/work.contract.test.ts", "test/action/comment/report.what-users-see.unit.test.ts"],
    why: "What becomes of files shows in the comment, the outputs and the log of a whole run.",
    sources: ["action/comment/inputs.ts"],
  },
  {
    by: ["test/source/tree/checkout-check.unit.test.ts", "test/action/github/checkout.unit.test.ts"],
    why: "What git has stored shows in what a walk says about it, and in the commit that is checked out.",
    sources: ["src/source/tree/git-index.ts"],
  },
  {
    by: ["test/action/github/comment/body.unit.test.ts"],
    why: "A section is read and written as a part of its comment.",
    sources: ["action/github/comment/section.ts"],
  },
  {
    by: ["test/action/github/comment/comment.contract.test.ts"],
    why: "Which comments are read and written shows on a GitHub.",
    sources: ["action/github/comment/pull-request-comments.ts"],
  },
  {
    by: ["test/action/github/comment/comment-work.contract.test.ts"],
    why: "What the inputs ask for shows in what is written, to a GitHub and to a file.",
    sources: ["action/github/comment/step-comment.ts", "front/options/whole-file.ts"],
  },
  {
    by: [
      "test/pulumi-provider/deployment-provider.moves.unit.test.ts",
      "test/pulumi-provider/plugin/service.process.test.ts",
    ],
    why: "What both kinds of the provider run in shows in the operations of each.",
    sources: ["pulumi-provider/host.ts"],
  },
  {
    by: ["test/front/options/control-plane-connection.unit.test.ts"],
    why: "The same certificates are read from an input and from a setting of the provider.",
    sources: ["src/http/certificates.ts"],
  },
  {
    by: ["test/errors/errors.unit.test.ts"],
    why: "Errors and advice are sentences: one snapshot holds all of them, by code and by reason.",
    sources: [
      "front/options/inputs-error.ts",
      "front/account/advice.ts",
      "pulumi-provider/core/advice.ts",
      "src/deployment/errors.ts",
      "src/experiments/reading/result-faults.ts",
      "src/trace-files/errors.ts",
    ],
  },
  {
    by: [
      "test/action/deploy/main.built.test.ts",
      "test/action/judge/main.built.test.ts",
      "test/action/upload-experiment/main.built.test.ts",
      "test/action/upload-traces/main.built.test.ts",
    ],
    why: "They speak with the runner, over files and signals: the steps run as processes.",
    sources: [
      "front/host-file-error.ts",
      "front/steps/rehearsal.ts",
      "front/steps/run-step.ts",
      "front/steps/deploy/step.ts",
      "front/steps/judge/step.ts",
      "front/steps/upload-experiment/work.ts",
      "front/steps/upload-traces/work.ts",
    ],
  },
  {
    by: [
      "test/front/options/service-connection.unit.test.ts",
      "test/front/options/result-files.unit.test.ts",
      "test/front/options/control-plane-connection.unit.test.ts",
      "test/front/steps/judge/inputs.unit.test.ts",
    ],
    why: "The faults of inputs show in what a whole step says of them.",
    sources: [
      "front/environment.ts",
      "front/options/certificate.ts",
      "front/options/endpoint.ts",
      "front/options/found-files.ts",
      "front/options/yaml-input.ts",
      "src/experiments/options.ts",
      "front/options/workspace-file.ts",
    ],
  },
  {
    by: [
      "test/front/steps/deploy/report/log.what-users-see.unit.test.ts",
      "test/front/steps/judge/report/log.what-users-see.unit.test.ts",
      "test/front/steps/upload-experiment/report/log.what-users-see.unit.test.ts",
      "test/front/steps/upload-traces/report/log.what-users-see.unit.test.ts",
    ],
    why: "One snapshot a step holds every line, every summary and every section of a comment.",
    sources: [
      "front/account/account.ts",
      "front/account/part.ts",
      "front/account/results-failure.ts",
      "front/account/results-lines.ts",
      "front/account/results-words.ts",
      "front/account/summary.ts",
      "front/steps/upload-experiment/report/failure.ts",
      "front/steps/upload-traces/report/account.ts",
      "front/steps/upload-traces/report/words.ts",
      "src/judgement/words/cases.ts",
      "src/judgement/words/metrics.ts",
      "src/judgement/words/outcomes.ts",
    ],
  },
  {
    by: [
      "test/pulumi-provider/core/operations/journal.unit.test.ts",
      "test/pulumi-provider/core/state/holder-marks.unit.test.ts",
    ],
    why: "What is kept in files shows whether they are written as a whole, and whose directory they are in.",
    sources: ["pulumi-provider/core/state/user-files.ts"],
  },
  {
    by: ["test/pulumi/table.test.ts", "test/dist/pulumi-package.test.ts", "test/dist/pulumi-host.test.ts"],
    why: "Only the engine and its host can say whether a resource works: it is serialised, and runs in a process of its own.",
    sources: ["pulumi-provider/index.ts", "pulumi-provider/main.ts"],
  },
  {
    by: [
      "test/pulumi-provider/core/operations/update.unit.test.ts",
      "test/pulumi-provider/core/check/check.unit.test.ts",
      "test/pulumi-provider/deployment-provider.moves.unit.test.ts",
    ],
    why: "Parts of one operation: a create, a check, a read or a move runs through all of them, against the local service.",
    sources: [
      "pulumi-provider/core/check/secrets.ts",
      "pulumi-provider/core/inputs/fields.ts",
      "pulumi-provider/core/operations/request.ts",
      "pulumi-provider/core/service/lookup.ts",
      "pulumi-provider/core/service/service.ts",
    ],
  },
  {
    by: ["test/deployment/deploy.contract.test.ts", "test/deployment/deploy.stale-reads.contract.test.ts"],
    why: "The steps of one deploy: their order, and what a failure leaves behind, show in the requests of a whole one.",
    sources: ["src/deployment/request.ts"],
  },
  {
    by: ["test/control-plane/client.requests.contract.test.ts", "test/control-plane/resources.contract.test.ts"],
    why: "What goes over the wire, and what may come back, shows at a server.",
    sources: ["src/http/http-client.ts"],
  },
  {
    by: [
      "test/experiments/formats/table/column-roles.unit.test.ts",
      "test/experiments/formats/table/columns.unit.test.ts",
    ],
    why: "What a column is depends on the others: a test shows whole tables, cell by cell.",
    sources: [
      "src/experiments/formats/table/column-names.ts",
      "src/experiments/formats/table/csv-table.ts",
      "src/experiments/formats/table/reader.ts",
      "src/experiments/formats/table/row-draft.ts",
    ],
  },
  {
    by: [
      "test/experiments/reading/formats.fixtures.unit.test.ts",
      "test/experiments/reading/evaluation.hostile.fault.test.ts",
      "test/experiments/formats/table/container.unit.test.ts",
    ],
    why: "Every format reads through them: files of all tools have the rows that were worked out by hand, and broken ones are refused.",
    sources: [
      "src/experiments/formats/promptfoo/headings.ts",
      "src/experiments/formats/shared/listed-values.ts",
      "src/experiments/formats/table/container-records.ts",
      "src/experiments/formats/table/tool-record.ts",
    ],
  },
  {
    by: ["test/experiments/upload.contract.test.ts", "test/experiments/reading/row-collector.unit.test.ts"],
    why: "What is sent of a row shows in the body of a whole upload.",
    sources: [
      "src/experiments/rows/result-row.ts",
      "src/experiments/sending/prepared-upload.ts",
      "src/experiments/sending/sender.ts",
    ],
  },
  {
    by: ["test/trace-files/upload.contract.test.ts", "test/trace-files/reading/read-traces.unit.test.ts"],
    why: "Tables of numbers without a meaning of their own: which run is sent, and what is summed up, shows in whole traces.",
    sources: ["src/trace-files/sending/runs-file.ts", "src/trace-files/sending/trace-sending.ts"],
  },
  {
    by: ["test/source/tree/tree.unit.test.ts", "test/source/archive/archive.failures.unit.test.ts"],
    why: "They work on directories that others change: trees on the disk, compared with git and with tar.",
    sources: [
      "src/source/archive/tar-stream.ts",
      "src/source/entry/open-entry.ts",
      "src/source/ignore/ignore-rules.ts",
    ],
  },
  {
    by: [
      "test/local/service.contract.test.ts",
      "test/local/deployments/deployments.contract.test.ts",
      "test/local/experiments/experiments.contract.test.ts",
      "test/local/deployments/pages.contract.test.ts",
    ],
    why: "The local service is what it answers: stores, routes and frames show over HTTP, and after a restart.",
    sources: [
      "src/local/agents/fleet.ts",
      "src/local/experiments/routes.ts",
      "src/local/http/client-list.ts",
      "src/local/http/response.ts",
      "src/local/pages/frame.ts",
      "src/local/state/deployment-store.ts",
      "src/local/state/log-store.ts",
      "src/local/state/name-filter.ts",
      "src/local/state/revision-store.ts",
    ],
  },
  {
    by: ["test/local/command.process.test.ts", "test/dist/old-node.test.ts"],
    why: "They begin a process: one runs as the command, the other under an older Node.",
    sources: ["src/local-command.ts", "src/node-version.ts"],
  },
  {
    by: ["test/statistics/comparison.unit.test.ts", "test/statistics/comparison.values.unit.test.ts"],
    why: "Parts of one comparison: each is held to what a package for statistics computes.",
    sources: ["src/statistics/interval.ts", "src/statistics/level.ts"],
  },
  {
    by: ["test/statistics/family.values.unit.test.ts", "test/judgement/judge-rows.ranges.unit.test.ts"],
    why: "How much a case can lose is held to values of the reference, and shows in what a whole judgement can prove.",
    sources: ["src/judgement/cases/ranges.ts", "src/judgement/comparing/not-worse.ts", "src/statistics/known-range.ts"],
  },
  {
    by: ["test/judgement/comparing/scale.unit.test.ts", "test/judgement/cases/one-run.contract.test.ts"],
    why: "Scales are compared between two runs, and between the files of one.",
    sources: ["src/judgement/cases/score-scale.ts"],
  },
  {
    by: ["test/judgement/judge.unit.test.ts", "test/judgement/gates/gates.unit.test.ts"],
    why: "Parts of one judgement: what a part finds is a rule that holds or does not, in the numbers and lists of the whole.",
    sources: [
      "src/judgement/comparing/case-lists.ts",
      "src/judgement/comparing/metric.ts",
      "src/judgement/comparing/pairing.ts",
      "src/judgement/comparing/rules.ts",
      "src/judgement/comparing/shown-cases.ts",
      "src/judgement/gates/errors.ts",
      "src/judgement/gates/rule.ts",
      "src/judgement/gates/suggestion.ts",
    ],
  },
  {
    by: ["test/judgement/cases/snapshot-reader.unit.test.ts", "test/judgement/cases/reading.contract.test.ts"],
    why: "What is written is read again, as the same bytes.",
    sources: [
      "src/experiments/reading/results-read.ts",
      "src/judgement/cases/snapshot-writer.ts",
      "src/judgement/cases/stored-case.ts",
    ],
  },
];
