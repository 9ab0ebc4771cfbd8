import type { ForeignText, Redact } from "../../../src/text/foreign-text.ts";
import { checkedOutCommit } from "../checkout.ts";
import { givenVariable, type Environment, type InputReader } from "../../../front/options/input-reader.ts";
import { isPullRequestRun } from "../run-event.ts";
import type { RunnerFacts } from "../../runner.ts";
import { readWorkflowRun } from "../workflow-run.ts";
import { readWrittenPath } from "../../../front/options/written-path.ts";
import type { CommentSurroundings } from "../../../front/steps/run-step.ts";
import { readGitHub, type GitHubInputName, type GitHubInputs } from "../github-inputs.ts";
import type { SectionKind, RunBrief } from "./section.ts";
import type { StepComment } from "./comment.ts";

/** The inputs of a step that can write a section of the comment. */
export type CommentInputName = "comment" | "comment-key" | "comment-path";

/** What the step has read already. */
interface CommentReading {
  readonly runner: RunnerFacts;
  /** The texts that name what the step is about. */
  readonly defaults: readonly string[];
  /** What the step works on, relative to the workspace; null for nothing that is checked out. */
  readonly directory?: string | null | undefined;
}

/** What the inputs say about the comment, apart from GitHub. */
export async function readComment(
  reader: InputReader<CommentInputName>,
  env: Environment,
  { runner, defaults, directory = "." }: CommentReading,
): Promise<{
  readonly isAsked: boolean;
  readonly with: (github: GitHubInputs | undefined) => StepComment | undefined;
}> {
  const isAsked = reader.boolean("comment");
  const path = await readWrittenPath(reader, "comment-path", runner);
  const named = defaults.map((text) => text.replaceAll(/\s+/g, " ").trim()).filter((text) => text !== "");
  const key = reader.line("comment-key") ?? named.join(", ");
  if (!isAsked && path === undefined && reader.isChanged("comment-key")) {
    reader.warn("`comment-key` has no effect without `comment` or `comment-path`.");
  }
  const run = await readWorkflowRun(env);
  const { workspace } = runner;
  const isOfCheckout = workspace !== undefined && directory !== null;
  const repository = givenVariable(env, "GITHUB_REPOSITORY");
  const commit = isOfCheckout ? checkedOutCommit(directory, workspace, repository) : undefined;
  const merge = isPullRequestRun(env) ? givenVariable(env, "GITHUB_SHA") : undefined;
  const checkout = commit === undefined ? undefined : { commit, merge };
  return {
    isAsked,
    with: (github) => {
      const asked = isAsked ? github : undefined;
      return asked === undefined && path === undefined ? undefined : { key, path, run, checkout, github: asked };
    },
  };
}

/** What the inputs of a step say that writes nothing else to GitHub. */
export async function readStepComment(
  reader: InputReader<CommentInputName | GitHubInputName>,
  env: Environment,
  known: {
    readonly runner: RunnerFacts;
    readonly defaults: readonly string[];
    readonly connection: { readonly caCertificate?: string | undefined; readonly allowHttp?: boolean } | undefined;
  },
): Promise<StepComment | undefined> {
  const comment = await readComment(reader, env, known);
  const { caCertificate, allowHttp = false } = known.connection ?? {};
  const asking = comment.isAsked ? ["comment"] : [];
  return comment.with(await readGitHub(reader, env, { asking, caCertificate, allowHttp }));
}

/** How a step describes its run for the comment. */
interface Commenting<Inputs, Facts> {
  readonly kind: SectionKind;
  readonly describe: (facts: Facts, options: { readonly redact: Redact; readonly rehearsal: boolean }) => RunBrief;
  readonly isRehearsal: (inputs: Inputs) => boolean;
  /** True for a run that changed nothing: its section goes into the file alone. */
  readonly isQuiet?: (facts: Facts) => boolean;
}

/** Writes the section of a run, where its inputs ask for it. What does that is loaded only then. */
export function commenting<Inputs extends { readonly comment?: StepComment | undefined }, Facts>({
  kind,
  describe,
  isRehearsal,
  isQuiet,
}: Commenting<Inputs, Facts>): (inputs: Inputs, facts: Facts, surroundings: CommentSurroundings) => Promise<void> {
  return async (inputs, facts, surroundings) => {
    const { comment } = inputs;
    if (comment === undefined) return;
    const redact: Redact = (text) => surroundings.redactor.text(text);
    const brief = describe(facts, { redact, rehearsal: isRehearsal(inputs) });
    const { writeComment } = await import("./comment-work.ts");
    const asked = isQuiet?.(facts) === true ? { ...comment, github: undefined } : comment;
    await writeComment(asked, { kind, brief }, surroundings);
  };
}

/** Makes the brief of a run. The parts are markdown, and may be empty; the other texts are foreign. */
export function runBrief(
  { name, sign, state, page, parts }: Omit<RunBrief, "text"> & { readonly parts: readonly string[] },
  { text, rehearsal }: { readonly text: ForeignText; readonly rehearsal: boolean },
): RunBrief {
  return {
    name: text.line(name),
    sign,
    state: `${state}${rehearsal ? " (rehearsal)" : ""}`,
    page: page === undefined ? undefined : text.line(page),
    text: parts.filter((part) => part !== "").join("\n\n"),
  };
}
