import { dirname, resolve } from "node:path";
import { readActionFile, type ActionFile } from "./action-file.ts";
import { SecretMasker } from "./secret-masker.ts";
import { Stage, type StageResult } from "./stage.ts";
import { leftIn, makeRunnerTemp, removeRunnerTemp, writeEvent } from "./step-files.ts";

/** What `github.token` is, where a step is given no other. */
export const JOB_TOKEN = "ghs_jobTokenOfTheRunner0123456789";

/** A step as a workflow would have it. */
export interface ActionOptions {
  /** The path of the action.yml. */
  readonly actionYml: string;
  /** A script to run in place of the main and post scripts that action.yml names. */
  readonly dist?: string;
  /** The step's `with:`. Every other declared input gets its default. */
  readonly inputs?: Readonly<Record<string, string>>;
  /** More of the environment: the step's `env:`, or other values for GITHUB_… and RUNNER_…; undefined takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** GITHUB_WORKSPACE and the working directory. */
  readonly workspace: string;
  /** RUNNER_TEMP, when the steps of a job share it; without it each step has its own, which is removed. */
  readonly temp?: string;
  /** What the event's file holds. */
  readonly event?: unknown;
  /** Values that nobody may be able to read. They are not masked until the action does it. */
  readonly secrets?: readonly string[];
  /** Cancels the main stage as the runner does. */
  readonly signal?: AbortSignal;
  /** A stage that takes longer is killed, and the result rejects. */
  readonly timeoutMs?: number;
}

/** The main stage's result, and what post did after it. */
export interface ActionResult extends StageResult {
  /** Undefined where action.yml has no post. */
  readonly post: StageResult | undefined;
  /** What is left in RUNNER_TEMP after post, relative paths. */
  readonly leftInTemp: readonly string[];
}

/** A step whose main stage runs. */
export interface RunningAction {
  /** Main and post have ended. */
  readonly result: Promise<ActionResult>;
  /** The first line of the main stage's log that matches; rejects when there was none. */
  readonly line: (pattern: RegExp) => Promise<string>;
  readonly signal: (signal: NodeJS.Signals) => void;
  /** SIGINT, after 7.5 s SIGTERM, after another 2.5 s the end. */
  readonly cancel: () => Promise<void>;
}

/** Runs a step to its end: main, and then post with the state that main saved, however main ended. */
export async function runAction(options: ActionOptions): Promise<ActionResult> {
  return (await startAction(options)).result;
}

/** Starts a step. Its process is a real one, with the environment that a runner gives and nothing else. */
export async function startAction(options: ActionOptions): Promise<RunningAction> {
  const action = await readActionFile(options.actionYml, options.dist);
  const temp = options.temp ?? (await makeRunnerTemp());
  const env = await environment(options, action, temp);
  const shared = {
    cwd: options.workspace,
    temp,
    secrets: [...(options.secrets ?? []), JOB_TOKEN],
    // The masks of a job stay for all of its steps, and so for post.
    masker: new SecretMasker(),
    declaredOutputs: action.outputs,
    timeoutMs: options.timeoutMs ?? 150_000,
  };
  const main = await Stage.start({ ...shared, script: action.main, env });
  const cancel = () => void main.cancel();
  options.signal?.addEventListener("abort", cancel, { once: true });
  if (options.signal?.aborted === true) cancel();

  const finish = async (): Promise<ActionResult> => {
    try {
      const result = await main.result;
      const post = action.post === undefined ? undefined : await runPost(shared, action.post, env, result);
      return { ...result, post, leftInTemp: await leftIn(temp) };
    } finally {
      options.signal?.removeEventListener("abort", cancel);
      if (options.temp === undefined) await removeRunnerTemp(temp);
    }
  };
  return {
    result: finish(),
    line: (pattern) => main.line(pattern),
    signal: (signal) => main.signal(signal),
    cancel: () => main.cancel(),
  };
}

type Shared = Omit<Parameters<typeof Stage.start>[0], "script" | "env">;

async function runPost(shared: Shared, script: string, env: Record<string, string>, main: StageResult) {
  const state = Object.fromEntries([...main.state].map(([name, value]) => [`STATE_${name}`, value]));
  const stage = await Stage.start({ ...shared, script, env: { ...env, ...state } });
  return stage.result;
}

async function environment(options: ActionOptions, action: ActionFile, temp: string): Promise<Record<string, string>> {
  const inputs = new Map([...action.defaults, ...Object.entries(options.inputs ?? {})]);
  const env: Record<string, string | undefined> = {
    ...machine(),
    ...github(options.workspace),
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_EVENT_PATH: await writeEvent(temp, options.event ?? {}),
    RUNNER_TEMP: temp,
    RUNNER_TOOL_CACHE: resolve(temp, "..", "tool-cache"),
    ...options.env,
  };
  for (const [name, given] of inputs) {
    const value = given === "${{ github.token }}" ? JOB_TOKEN : given;
    if (value.includes("${{")) throw new Error(`the default of ${name} is an expression: give the input a value`);
    // ActionRunner and Handler.cs: spaces become underscores, hyphens stay.
    env[`INPUT_${name.replaceAll(" ", "_").toUpperCase()}`] = value;
  }
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

/** What a process cannot do without on this machine, and where Node keeps what it compiled for hundreds of starts. */
function machine(): Record<string, string | undefined> {
  const names = [
    "NODE_COMPILE_CACHE",
    "PATH",
    "HOME",
    "TMPDIR",
    "LANG",
    "SystemRoot",
    "TEMP",
    "TMP",
    "USERPROFILE",
    "APPDATA",
    "LOCALAPPDATA",
    "PATHEXT",
    "ComSpec",
  ];
  return Object.fromEntries(names.map((name) => [name, process.env[name]]));
}

function github(workspace: string): Record<string, string> {
  return {
    GITHUB_ACTION: "__self",
    GITHUB_ACTOR: "octocat",
    GITHUB_API_URL: "https://api.github.com",
    GITHUB_BASE_REF: "",
    GITHUB_EVENT_NAME: "push",
    GITHUB_GRAPHQL_URL: "https://api.github.com/graphql",
    GITHUB_HEAD_REF: "",
    GITHUB_JOB: "deploy",
    GITHUB_REF: "refs/heads/main",
    GITHUB_REF_NAME: "main",
    GITHUB_REF_TYPE: "branch",
    GITHUB_REPOSITORY: "octo-org/octo-repo",
    GITHUB_REPOSITORY_OWNER: "octo-org",
    GITHUB_RUN_ATTEMPT: "1",
    GITHUB_RUN_ID: "1658821493",
    GITHUB_RUN_NUMBER: "3",
    GITHUB_SERVER_URL: "https://github.com",
    GITHUB_SHA: "ffac537e6cbbf934b08745a378932722df287a53",
    GITHUB_TRIGGERING_ACTOR: "octocat",
    GITHUB_WORKFLOW: "Deploy",
    GITHUB_WORKSPACE: workspace,
    RUNNER_ARCH: process.arch === "arm64" ? "ARM64" : "X64",
    RUNNER_ENVIRONMENT: "github-hosted",
    RUNNER_NAME: "Hosted Agent",
    RUNNER_OS: { linux: "Linux", darwin: "macOS", win32: "Windows" }[process.platform as string] ?? "Linux",
    RUNNER_WORKSPACE: dirname(workspace),
  };
}
