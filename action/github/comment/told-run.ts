import { ForeignText, type Redact } from "../../../src/text/foreign-text.ts";
import type { WorkflowRun } from "../../inputs/workflow-run.ts";
import { MarkdownPen } from "../../report/markdown-pen.ts";
import type { GitHub } from "../client.ts";
import type { GitHubInputs } from "../github-inputs.ts";
import { commentsOf } from "./own-comments.ts";
import { postSection, type Posted, type PostSurroundings } from "./post.ts";
import { makeSection, type Section, type SectionKind, type ToldRun } from "./section.ts";

/** Where a step tells of its run. */
export interface StepComment {
  readonly key: string;
  /** The section is written to this file too; undefined for none. */
  readonly path: string | undefined;
  readonly run: WorkflowRun;
  /** Undefined where nothing is written to GitHub. */
  readonly github: GitHubInputs | undefined;
}

/** Whose section it is, and which run writes it. */
export interface SectionOwner {
  readonly kind: SectionKind;
  /** With the kind, what distinguishes the section from the others of the comment. */
  readonly key: string;
  readonly run: Pick<WorkflowRun, "attempt" | "commit" | "id" | "url">;
  readonly at: Date;
  readonly redact?: Redact | undefined;
}

/** The section of a run, with its commit, its time and its log at the end. */
export function sectionOf(told: ToldRun, { kind, key, run, at, redact }: SectionOwner): Section {
  const pen = new MarkdownPen(new ForeignText(redact));
  const footer = [
    ...(run.commit === undefined ? [] : [`commit ${pen.code(run.commit.slice(0, 7))}`]),
    `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`,
    ...(run.url === undefined ? [] : [`workflow run ${pen.link(run.url)}`]),
  ].join(" · ");
  const { text, ...facts } = told;
  const { id = "0", attempt = 1, commit } = run;
  return makeSection(
    { ...facts, kind, key: redact?.(key) ?? key, run: id, attempt, at, commit },
    `${text}\n\n${footer}`,
  );
}

/** Writes a section into the comment of a pull request. */
export async function tellPullRequest(
  github: GitHub,
  number: number,
  section: Section,
  surroundings: PostSurroundings,
): Promise<Posted> {
  return await postSection(commentsOf(github, number), section, surroundings);
}

/**
 * Says in the section of a deployment that the deployment is gone, and why: `text` is a sentence, maybe with foreign
 * words. A pull request without such a section gets none.
 */
export async function tellRemoved(
  github: GitHub,
  number: number,
  { name, text, ...owner }: Omit<SectionOwner, "at" | "kind"> & { readonly name: string; readonly text: string },
  { clock, random, signal }: PostSurroundings,
): Promise<Posted> {
  const foreign = new ForeignText(owner.redact);
  const pen = new MarkdownPen(foreign);
  const told: ToldRun = {
    name: foreign.line(name),
    sign: "gone",
    state: "removed",
    text: `### 🗑️ ${pen.text(name)} is removed\n\n${pen.sentence(text)}`,
  };
  const section = sectionOf(told, { ...owner, kind: "deployment", at: clock.date() });
  return await tellPullRequest(github, number, section, { clock, random, signal, isOnlyUpdate: true });
}
