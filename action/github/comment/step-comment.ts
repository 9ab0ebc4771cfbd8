import type { Redact } from "../../../src/text/foreign-text.ts";
import type { PageOptions } from "../../../front/account/account.ts";
import type { RunKind, RunFacts } from "../../../front/account/part.ts";
import type { RunBrief, SectionKind } from "../../../front/account/brief.ts";
import { givenVariable } from "../../../front/environment.ts";
import type { Host } from "../../../front/host.ts";
import { givenText, type InputReader } from "../../../front/options/input-reader.ts";
import { withOptions } from "../../../front/options/never-empty.ts";
import { readWrittenPath } from "../../../front/options/written-path.ts";
import type { ReportSurroundings, Step } from "../../../front/steps/run-step.ts";
import { checkedOutCommit } from "../checkout.ts";
import { readGitHub, type GitHubInputName, type GitHubInputs, COMMENT_OPTIONS } from "../github-inputs.ts";
import { isPullRequestRun } from "../run-event.ts";
import type { StepComment } from "./comment.ts";

export type CommentInputName = "comment" | "comment-key" | "comment-path";

/** What a step has of a service: GitHub is reached in the same way. */
interface Reached {
  readonly caCertificate?: string | undefined;
  readonly allowHttp: boolean;
}

interface OnGitHubReading {
  readonly connection: Reached | undefined;
  /** The other inputs that ask for GitHub; none when not given. */
  readonly asking?: readonly string[];
  /** The texts that name what the step is about. */
  readonly defaults: readonly string[];
  /** What the step works on, relative to the workspace; null for nothing that is checked out. */
  readonly directory?: string | null | undefined;
}

/** What the inputs say about GitHub, and about the comment there: undefined where nothing asks for it. */
export async function readOnGitHub(
  reader: InputReader<CommentInputName | GitHubInputName>,
  host: Host,
  { connection, asking = [], defaults, directory = "." }: OnGitHubReading,
): Promise<{ readonly github: GitHubInputs | undefined; readonly comment: StepComment | undefined }> {
  const { env, place } = host;
  const isAsked = reader.boolean("comment");
  const path = await readWrittenPath(reader, "comment-path", place);
  const named = defaults.map((text) => text.replaceAll(/\s+/g, " ").trim()).filter((text) => text !== "");
  const key = reader.line("comment-key") ?? named.join(", ");
  if (!isAsked && path === undefined && reader.isChanged("comment-key")) {
    reader.warn("`comment-key` has no effect without `comment` or `comment-path`.");
  }
  const run = await host.run();
  const { workspace } = place;
  const isOfCheckout = workspace !== undefined && directory !== null;
  const repository = givenVariable(env, "GITHUB_REPOSITORY");
  const commit = isOfCheckout ? checkedOutCommit(directory, workspace, repository) : undefined;
  const merge = isPullRequestRun(env) ? givenVariable(env, "GITHUB_SHA") : undefined;
  const checkout = commit === undefined ? undefined : { commit, merge };
  const { caCertificate, allowHttp = false } = connection ?? {};
  const all = [...asking, ...(isAsked ? ["comment"] : [])];
  const github = await readGitHub(reader, host, { asking: all, caCertificate, allowHttp });
  const asked = isAsked ? github : undefined;
  const comment = !asked && path === undefined ? undefined : { key, path, run, checkout, github: asked };
  return { github, comment };
}

/** How a step describes its run for the comment. */
interface Commenting<Facts> {
  readonly kind: SectionKind;
  readonly describe: (facts: Facts, options: PageOptions) => RunBrief;
  /** True for a run that changed nothing: its section goes into the file alone. */
  readonly isQuiet?: (facts: Facts) => boolean;
}

/** Writes the section of a run, where its inputs ask for it. What does that is loaded only then. */
export function commenting<Options extends { readonly comment?: StepComment | undefined }, Facts>(
  { kind, describe, isQuiet }: Commenting<Facts>,
  kindOf: (options: Options) => RunKind,
): (options: Options, facts: Facts, surroundings: ReportSurroundings) => Promise<void> {
  return async (options, facts, surroundings) => {
    const { comment } = options;
    if (!comment) return;
    const redact: Redact = (text) => surroundings.redactor.text(text);
    const brief = describe(facts, { redact, ...kindOf(options) });
    const { writeComment } = await import("./comment-work.ts");
    const asked = isQuiet?.(facts) === true ? { ...comment, github: undefined } : comment;
    await writeComment(asked, { kind, brief }, surroundings);
  };
}

/**
 * The step, which also writes a section of the comment. `named` are the options, by their neutral names, whose texts name
 * what the step is about where `comment-key` does not.
 */
export function withComment<
  Name extends string,
  Options extends { readonly connection: Reached | undefined },
  Event extends { readonly type: string },
  Facts extends RunFacts,
>(
  step: Step<Name, Options, Event, Facts>,
  { named, ...how }: Commenting<Facts> & { readonly named: readonly string[] },
): Step<
  CommentInputName | GitHubInputName | Name,
  Options & { readonly comment: StepComment | undefined },
  Event,
  Facts
> {
  const { spelling = (name) => name } = step.declared;
  const commentKey = {
    ...COMMENT_OPTIONS.commentKey,
    about: `Name of the section in the comment. Two steps with the same name overwrite each other's section. Default: ${named.map((name) => `\`${name}\``).join(" and ")}.`,
  };
  return {
    ...step,
    declared: withOptions(step.declared, { ...COMMENT_OPTIONS, commentKey }, "jobSummary"),
    readOptions: async (reader: InputReader<CommentInputName | GitHubInputName | Name>, host) => {
      const options = await step.readOptions(reader, host);
      const defaults = named.map((name) => givenText(host, spelling(name)));
      const { comment } = await readOnGitHub(reader, host, { connection: options?.connection, defaults });
      return options && { ...options, comment };
    },
    after: commenting<Options & { readonly comment: StepComment | undefined }, Facts>(how, step.reporting.kind),
  };
}
