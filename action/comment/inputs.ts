import { findFiles } from "../../src/files/find-files.ts";
import { quoted } from "../../src/text/quoted.ts";
import { readGitHub, secretsOfGitHub, type GitHubInputs } from "../github/github-inputs.ts";
import { readCaCertificate } from "../../front/options/certificate.ts";
import { reportPatterns } from "../../front/options/found-files.ts";
import { givenVariable, InputReader, type Environment } from "../../front/options/input-reader.ts";
import { InputsError } from "../../front/options/inputs-error.ts";
import { readRunEvent } from "../github/run-event.ts";
import { readRunner, type RunnerFacts } from "../runner.ts";
import { distinctSecrets, proxyPasswords } from "../../front/options/secrets.ts";
import { readWorkflowRun, type WorkflowRun } from "../github/workflow-run.ts";
import { readWorkspaceFile } from "../../front/options/workspace-file.ts";
import { readWorkspace } from "../../front/options/workspace.ts";
import type { LinkPolicy } from "./foreign-markdown.ts";

/** Every input of the step with its default, as its action.yml declares them. The reader accepts no other name. */
export const COMMENT_INPUTS = {
  "body-path": "",
  key: "",
  "pull-request": "",
  "github-token": "${{ github.token }}",
  "job-summary": "true",
  "ca-certificate": "",
} as const;

type CommentInputName = keyof typeof COMMENT_INPUTS;
type Reader = InputReader<CommentInputName>;

const MOST_FILES = 100;

/** What the step posts, and where. */
export interface CommentInputs {
  /** The texts of the files. They are foreign. */
  readonly texts: readonly string[];
  readonly key: string;
  /** The run that the section is about: after a `workflow_run` the one that it followed. */
  readonly run: WorkflowRun;
  /** Undefined where nothing may be written, which a notice or a warning says. */
  readonly github: GitHubInputs | undefined;
  readonly links: LinkPolicy;
  readonly jobSummary: boolean;
  readonly runner: RunnerFacts;
  readonly warnings: readonly string[];
  readonly notices: readonly string[];
}

/**
 * Reads the inputs of the step from its environment, and the files that they name.
 *
 * @throws InputsError with all errors.
 */
export async function readInputs(env: Environment): Promise<CommentInputs> {
  const reader = new InputReader(env, { defaults: COMMENT_INPUTS, neverEmpty: {} }, secretsIn(env));
  const runner = readRunner(env);
  const texts = await readTexts(reader, runner);
  const key = reader.line("key");
  if (key === undefined) reader.fault("key", "is missing; write a name for the section");
  const caCertificate = await readCaCertificate(reader, runner);
  const github = await readGitHub(reader, env, { asking: ["body-path"], caCertificate, allowHttp: false });
  const jobSummary = reader.boolean("job-summary");
  const run = await runOf(env);
  if (reader.faults.length > 0 || key === undefined) {
    throw new InputsError(reader.faults);
  }
  const links = {
    server: givenVariable(env, "GITHUB_SERVER_URL") ?? "https://github.com",
    repository: givenVariable(env, "GITHUB_REPOSITORY") ?? "",
  };
  const { warnings, notices } = reader;
  return { texts, key, run, github, links, jobSummary, runner, warnings, notices };
}

async function readTexts(reader: Reader, runner: RunnerFacts): Promise<readonly string[]> {
  const patterns = reader.lines("body-path").map((line) => line.trim());
  if (patterns.length === 0) reader.fault("body-path", "is missing; write paths or globs of files, one per line");
  const workspace = await readWorkspace(reader, "body-path", runner);
  if (workspace === undefined || patterns.length === 0) return [];
  const { files, ...wrong } = await findFiles(patterns, workspace);
  reportPatterns(reader, "body-path", wrong, "error");
  if (files.length > MOST_FILES) reader.fault("body-path", `matches more than ${String(MOST_FILES)} files`);
  const texts: string[] = [];
  for (const { name } of files.slice(0, MOST_FILES)) {
    const file = (await readWorkspaceFile(name, workspace)) ?? { text: undefined, fault: "cannot be read" };
    if (file.text === undefined) reader.fault("body-path", `${quoted(name)} ${file.fault}`);
    else texts.push(file.text);
  }
  return texts;
}

/** A section of an earlier run stays older, even if the run that posts it comes last. */
async function runOf(env: Environment): Promise<WorkflowRun> {
  const [run, { workflowRun, workflowRunCommit }] = [await readWorkflowRun(env), await readRunEvent(env)];
  if (workflowRun === undefined) return run;
  const { id, attempt } = workflowRun;
  const commit = workflowRunCommit === undefined ? {} : { commit: workflowRunCommit };
  return { ...run, ...commit, id: String(id), attempt };
}

/** Every value that must not be printed, also of invalid inputs. It never throws. */
export function secretsIn(env: Environment): readonly string[] {
  return distinctSecrets([...secretsOfGitHub(env), ...proxyPasswords(env)]);
}
