import { someText } from "../contract/call-arguments.ts";
import { DEFAULT_GRAPH_CONFIG, readGraphConfigPath } from "../contract/graph-config.ts";
import {
  choice,
  duration,
  entries,
  flag,
  line,
  lines,
  mapping,
  path,
  size,
  text,
  textsByName,
  TIMEOUT_BOUNDS,
  uuid,
  uuidOr,
  word,
} from "../contract/option-kinds.ts";
import { option, type Kind } from "../contract/options.ts";
import { quoted } from "../text/quoted.ts";

/** The sources that a step or a program can choose; an image that another tool pushes is deployed by that tool. */
export const SOURCES = ["internal_source", "github", "external_docker"] as const;

/** Stands for the newest revision that was live before the one that serves now, and was made from something else. */
export const PREVIOUS = "previous";

/**
 * When a deployment that is named may be created. `auto`: only where a list shows that there is none. `once`: also where
 * no list shows whether there is one; only for a caller who knows that there is none. `never`: not at all.
 */
export const CREATES = ["auto", "once", "never"] as const;

// What a step has no use for that only waits for a revision, and what one has none for that deploys an earlier source.
const OF_DEPLOY = { notWith: ["revisionId"] } as const;
const OF_SOURCE = { notWith: ["revisionId", "rollbackTo"] } as const;
const OF_DIRECTORY = { ...OF_SOURCE, of: ["internal_source"] } as const;
const OF_CODE = { ...OF_SOURCE, of: ["internal_source", "github"] } as const;

const configFile: Kind<string> = {
  type: "string",
  shape: () =>
    someText
      .superRefine((value, context) => {
        const { fault } = { fault: undefined, ...readGraphConfigPath(value) };
        if (fault !== undefined) context.addIssue({ code: "custom", message: fault });
      })
      .transform((value) => ({ path: value, ...readGraphConfigPath(value) }).path),
  parse: (value) => {
    const read = readGraphConfigPath(value);
    return read.fault === undefined ? { value: read.path } : { value, fault: `${quoted(value)} ${read.fault}` };
  },
};

/** What of a directory is packed: the options of a source that is uploaded, besides its path. */
export const DIRECTORY_OPTIONS = {
  graphConfig: option(configFile, {
    about: "Configuration file, relative to `path` (with `github`, to the repository), with forward slashes.",
    default: DEFAULT_GRAPH_CONFIG,
    ...OF_CODE,
  }),
  include: option(lines, {
    about: "Lines in gitignore syntax; matching files are packed even if an ignore rule excludes them.",
    default: "",
    ...OF_DIRECTORY,
  }),
  exclude: option(lines, {
    about: "Lines in gitignore syntax; matching files are left out.",
    default: "",
    ...OF_DIRECTORY,
  }),
  allowSecretsInSource: option(entries, {
    about: "Files that are packed although they contain credentials, one path per line, as the error names them.",
    inPrograms: "Files that are packed although they contain credentials, as the error names them.",
    ...OF_DIRECTORY,
  }),
  maxBytes: option(size, { about: "Largest compressed archive, {form}.", default: "200MiB", ...OF_DIRECTORY }),
};

/** How long a revision is waited for, and what is checked of it. */
export const PATIENCE_OPTIONS = {
  timeoutMilliseconds: option(duration(TIMEOUT_BOUNDS), {
    about:
      "How long the requests up to the update may take together, and then how long to wait, {form}. A revision that was begun continues.",
    default: "30m",
  }),
  pollCapMilliseconds: option(duration({ ...TIMEOUT_BOUNDS, most: 3_600_000 }), {
    about: "Longest pause between two requests for the status of the revision; the first pauses are shorter.",
    inPrograms:
      "Longest pause between two requests for the status of the revision, {form}; the first ones are shorter.",
    default: "10s",
  }),
  onSuperseded: option(choice(["fail", "succeed"]), {
    about: "How the step ends if a newer revision superseded its own, `fail` or `succeed`.",
    inPrograms: "How the call ends if a newer revision superseded its own.",
    default: "fail",
  }),
  smokeTest: option(flag, {
    about: "Check the health and the graphs of the agent once the revision is live.",
    default: "true",
  }),
};

/** One run of the live agent, which is part of the smoke test. */
export const SMOKE_OPTIONS = {
  smokeInput: option(mapping, {
    about:
      "Also run the agent once with this input, a mapping in YAML or JSON. The step fails if the run fails or answers nothing.",
  }),
  smokeGraph: option(line, {
    about: "Graph, or id of an assistant, that `smokeInput` is for. Default: the only graph.",
    with: "smokeInput",
  }),
  smokeExpect: option(entries, {
    about:
      "What the response to `smokeInput` must contain, one per line: text, `/regular expression/`, or either of them after a path as in `$.messages[-1]: text`. Default: anything that the input does not have.",
    default: "",
    with: "smokeInput",
  }),
};

/** The deploy itself as a trace. */
export const TRACE_OPTIONS = {
  traceSession: option(line, {
    about:
      "Name of the project to trace the deploy itself to, with a run for each part of it. Default: no trace. If the trace cannot be sent, the step still succeeds.",
    ...OF_DEPLOY,
  }),
  traceUrl: option(text, {
    about:
      "Address of the tracing service, with or without `/api/v1`. Default: the variable GRAPH_DEPLOY_BASE_URL, and in a rehearsal the local service.",
    ...OF_DEPLOY,
  }),
  traceApiKey: option(text, {
    about: "API key for `traceUrl`. The key of the control plane is never sent there.",
    secret: true,
    ...OF_DEPLOY,
  }),
};

/** What may be asked of a deploy, besides where the service is. */
export const DEPLOY_OPTIONS = {
  name: option(line, {
    about:
      "Name of the deployment. A deployment with exactly this name is updated, or else created. Required unless `deploymentId` is set.",
  }),
  deploymentId: option(uuid, {
    about: "Id of an existing deployment, which is never created. With `name`, the deployment must have that name.",
    word: "none",
  }),
  create: option(choice(CREATES), {
    about:
      "When a deployment of this name is created. `auto`: only if a list of the service shows that there is none. `once`: also if the service has no list, in the first attempt of a run that is started by hand (`workflow_dispatch`) or outside of GitHub; in any other run it is `auto`. `never`: not at all.",
    inPrograms:
      "When a deployment of this name is created. `auto`: only if a list of the service shows that there is none. `once`: also if the service has no list; only give it where you know that there is none. `never`: not at all.",
    default: "auto",
    mayBeEmpty: false,
    ...OF_SOURCE,
  }),
  revisionId: option(uuid, {
    about:
      "Id of an existing revision of `name` or `deploymentId`. The step then deploys nothing and only waits for that revision.",
    word: "none",
    excludes: "which only waits for an existing revision",
  }),
  rollbackTo: option(uuidOr(PREVIOUS), {
    about:
      "Goes back to the source of an earlier revision: `previous`, or the id of a revision that was DEPLOYED. The step then takes no source and no secrets. Not possible for a revision of a branch: the service would build the branch's head.",
    inPrograms:
      "Goes back to the source of an earlier revision: `previous`, or the id of a revision that was DEPLOYED. The deploy then takes no source and no secrets. Not possible for a revision of a branch: the service would build the branch's head.",
    word: "none",
    excludes: "which takes everything from an earlier revision",
    ...OF_DEPLOY,
  }),
  source: option(text, {
    about:
      "`internal_source` uploads a directory, `github` lets the service clone a repository, `external_docker` deploys an image. `auto` means `external_docker` with `imageUri`, `github` with `repoRef`, else `internal_source`.",
    word: "auto",
    ...OF_SOURCE,
  }),
  path: option(path, {
    about: "Directory of the agent project, relative to the workspace and inside it.",
    inPrograms: "Directory of the agent project, relative to the working directory.",
    default: ".",
    mayBeEmpty: false,
    ...OF_DIRECTORY,
  }),
  ...DIRECTORY_OPTIONS,
  imageUri: option(word, { about: "Image to deploy.", word: "none", ...OF_SOURCE, of: ["external_docker"] }),
  repoRef: option(line, {
    about: "Branch as its bare name, or tag as `refs/tags/NAME`; a branch named `none` is `refs/heads/none`.",
    inPrograms: "Branch as its bare name, or tag as `refs/tags/NAME`.",
    word: "none",
    ...OF_SOURCE,
    of: ["github"],
  }),
  sourceConfig: option(mapping, {
    about: "Further settings of the source as a YAML mapping. A tag as `repoRef` needs `build_on_push: false`.",
    inPrograms:
      "Further settings of the source, in the names of the service, such as `install_command`. A tag as `repoRef` needs `build_on_push: false`.",
    ...OF_SOURCE,
  }),
  installCommand: option(text, {
    about: "Sets `install_command` of the source settings. Not for `external_docker`.",
    ...OF_CODE,
  }),
  buildCommand: option(text, {
    about: "Sets `build_command` of the source settings. Not for `external_docker`.",
    ...OF_CODE,
  }),
  secrets: option(textsByName, {
    about:
      "Environment of the agent: lines `NAME=value`, or `NAME` for the value in the step's environment. They replace all secrets of the deployment; empty keeps those. Values shorter than 4 characters, and `true`, `false`, `null` and `none`, cannot be masked: a log may show them.",
    inPrograms: "Environment of the agent, by name. It replaces all secrets of the deployment; without it, they stay.",
    ...OF_SOURCE,
  }),
  reservedNames: option(text, {
    about:
      "Names that `secrets` may not set, separated by commas or lines. They replace the built-in list; `none` reserves nothing.",
    ...OF_SOURCE,
  }),
  expectedDigest: option(text, {
    about:
      "Digest that the source must have: the output `source-digest` of an earlier deploy, or for an image the digest in its reference. Any other source is rejected before anything is written.",
    inPrograms:
      "Digest that the source must have, `sha256:` and 64 hex digits: that of an earlier deploy, or for an image the digest in its reference. Any other source is rejected before anything is written.",
    word: "any",
    ...OF_SOURCE,
  }),
  wait: option(flag, {
    about: "Wait until the revision is live. With `false` the step ends as `started`.",
    inPrograms: "Wait until the revision is live. With `false` the deploy ends as `started`.",
    default: "true",
    ...OF_DEPLOY,
  }),
  ...PATIENCE_OPTIONS,
  ...SMOKE_OPTIONS,
  ...TRACE_OPTIONS,
  dryRun: option(flag, {
    about: "Print what would be uploaded and changed, without writing anything.",
    default: "false",
    mayBeEmpty: false,
    ...OF_DEPLOY,
  }),
  record: option(path, {
    about:
      "File, relative to the workspace, in which the step records what it deployed, for the next run; keep it in a cache. A source that is already live is not deployed again. If its revision is still in progress, the step only waits for it. With `rollbackTo`, it tells which revisions were made from the same files.",
    inPrograms:
      "File in which the deploy records what it did, for the next one. A source that is already live is not deployed again. If its revision is still in progress, the deploy only waits for it. With `rollbackTo`, it tells which revisions were made from the same files.",
    ...OF_DEPLOY,
    of: ["internal_source"],
  }),
};
