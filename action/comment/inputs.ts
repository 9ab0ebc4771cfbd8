import { setFields } from "../../src/contract/set-fields.ts";
import { findFiles } from "../../src/files/find-files.ts";
import { quoted } from "../../src/text/quoted.ts";
import { readGitHub, type GitHubInputs, COMMENT_OPTIONS } from "../github/github-inputs.ts";
import { readCaCertificate } from "../../front/options/certificate.ts";
import { reportPatterns, readWorkspace, readWorkspaceFile } from "../../front/options/workspace.ts";
import { givenVariable } from "../../front/environment.ts";
import type { Host, Place, Run } from "../../front/host.ts";
import type { InputReader } from "../../front/options/input-reader.ts";
import { inputsOf, type InputNames } from "../../front/options/never-empty.ts";
import { entries, flag, line } from "../../src/contract/option-kinds.ts";
import { option } from "../../src/contract/options.ts";
import { CONNECTION_OPTIONS } from "../../src/control-plane/options.ts";
import { readRunEvent } from "../github/run-event.ts";
import type { LinkPolicy } from "./foreign-markdown.ts";

const OPTIONS = {
  bodyPath: option(entries, {
    required: true,
    about:
      "Files with markdown, as paths, directories and globs relative to the workspace, one per line: the `commentPath` of another action of graph-deploy, or any other. Together they are one section. They are not trusted: HTML, images, mentions and the like become text.",
  }),
  key: option(line, { about: "Name of the section in the comment. A later run with the same name overwrites it." }),
  pullRequest: {
    ...COMMENT_OPTIONS.pullRequest,
    about:
      "Number of the pull request. Default: that of the event, also after a `workflow_run`. Never take it from an artifact.",
  },
  githubToken: {
    ...COMMENT_OPTIONS.githubToken,
    about: "Token for GitHub's API. Needs `pull-requests: write`.",
  },
  jobSummary: option(flag, { about: "Add the section to the job summary.", default: "true" }),
  caCertificate: CONNECTION_OPTIONS.caCertificate,
};

export const COMMENT_INPUTS = inputsOf(OPTIONS, {});

export type CommentInputName = InputNames<typeof OPTIONS, object>;
type Reader = InputReader<CommentInputName>;

const MOST_FILES = 100;

/** What the step posts, and where. */
export interface CommentInputs {
  /** The texts of the files. They are foreign. */
  readonly texts: readonly string[];
  readonly key: string;
  /** The run that the section is about: after a `workflow_run` the one that it followed. */
  readonly run: Run;
  /** Undefined where nothing may be written, which a notice or a warning says. */
  readonly github: GitHubInputs | undefined;
  readonly links: LinkPolicy;
}

export async function readOptions(reader: Reader, host: Host): Promise<CommentInputs | undefined> {
  const texts = await readTexts(reader, host.place);
  const key = reader.read(OPTIONS, "key");
  if (key === undefined) reader.fault("key", "is missing; write a name for the section");
  const caCertificate = await readCaCertificate(reader, host.place);
  const github = await readGitHub(reader, host, { asking: ["body-path"], caCertificate, allowHttp: false });
  const [run, { workflowRun, workflowRunCommit }] = [await host.run(), await readRunEvent(host.env)];
  // A section of an earlier run stays older, even if the run that posts it comes last.
  const followed = workflowRun && {
    ...setFields({ commit: workflowRunCommit }),
    id: String(workflowRun.id),
    attempt: workflowRun.attempt,
  };
  const links = {
    server: givenVariable(host.env, "GITHUB_SERVER_URL") ?? "https://github.com",
    repository: givenVariable(host.env, "GITHUB_REPOSITORY") ?? "",
  };
  return key === undefined ? undefined : { texts, key, run: { ...run, ...followed }, github, links };
}

async function readTexts(reader: Reader, place: Place): Promise<readonly string[]> {
  const patterns = reader.read(OPTIONS, "bodyPath") ?? [];
  if (patterns.length === 0) reader.fault("body-path", "is missing; write paths or globs of files, one per line");
  const workspace = await readWorkspace(reader, "body-path", place);
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
