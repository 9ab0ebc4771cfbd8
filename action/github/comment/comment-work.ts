import type { Clock } from "../../../src/http/clock.ts";
import type { ReportSurroundings } from "../../../front/steps/run-step.ts";
import { writeWhole } from "../../../front/options/written-path.ts";
import { BestEffort } from "../best-effort.ts";
import { connectGitHub } from "../client.ts";
import { MOST_STALLED_MILLISECONDS } from "../gate.ts";
import type { GitHubInputs, RateLimits } from "../github-inputs.ts";
import { GitHubError } from "../errors.ts";
import { findPullRequest, readPullRequestNow, type KnownPullRequest } from "../pull-request.ts";
import { nameCommit, type NamedCommit } from "./named-commit.ts";
import { postedText, type PostedOn } from "./pull-request-comments.ts";
import type { Section } from "./section.ts";
import type { SectionKind, RunBrief } from "../../../front/account/brief.ts";
import { sectionOf, commentOn, type StepComment } from "./comment.ts";

// Of the time for a GitHub that does not respond so much is left for the comment.
const LEAST_MILLISECONDS = 5_000;
// A runner that cancels waits for 7.5 s.
const CANCELLED_PATIENCE_MILLISECONDS = 2_500;

/** Writes the section of a run into its file and into the comment of its pull request. What fails is a warning. */
export async function writeComment(
  { key, service, path, run, checkout, github }: StepComment,
  { kind, brief }: { readonly kind: SectionKind; readonly brief: RunBrief },
  surroundings: ReportSurroundings,
): Promise<void> {
  const { redactor, warn, line, clock } = surroundings;
  const bestEffort = new BestEffort(warn);
  const redact = (text: string) => redactor.text(text);
  const at = clock.date();
  const name = (pull: KnownPullRequest | undefined) => {
    // The merge commit of a run is of its own pull request, not of another that the input names.
    const isOfRun = !pull || pull.number === (run.pullRequest ?? pull.number);
    const merge = isOfRun ? checkout?.merge : undefined;
    return nameCommit(checkout && { ...checkout, merge }, { ofRun: run.commit, pull });
  };
  const compose = ({ commit, note, warning }: NamedCommit, say: (message: string) => void): Section => {
    if (warning !== undefined) say(warning);
    const named = commit === undefined ? run : { ...run, commit };
    return sectionOf(brief, { kind, key, service, run: named, note, at, redact });
  };
  if (path !== undefined) {
    await bestEffort.attempt("Writing the section of the comment", () => {
      const { text } = compose(name(undefined), github ? () => undefined : warn);
      writeWhole(path, `${text}\n`, "comment-path");
    });
  }
  if (!github) return;
  const posted = await bestEffort.attempt("The comment on the pull request", () =>
    postTo(
      github,
      async (pull, now) => {
        const named = name(pull);
        // The event may be older than the merge commit.
        return compose(named.warning === undefined ? named : name((await now()) ?? pull), warn);
      },
      surroundings,
    ),
  );
  if (posted) line("Comment", postedText(posted));
}

type PostingSurroundings = Pick<ReportSurroundings, "clock" | "random" | "redactor" | "signal">;

/** Writes a section into the comment of the pull request that the run is about; `now` reads that again. */
export async function postTo(
  inputs: GitHubInputs,
  compose: (pull: KnownPullRequest, now: () => Promise<KnownPullRequest | undefined>) => Promise<Section> | Section,
  { redactor, signal, clock, random = Math.random }: PostingSurroundings,
): Promise<PostedOn> {
  using patience = patienceOf(signal, clock, inputs.limits);
  const within = patience.signal;
  await using github = connectGitHub(inputs, { redactor, signal: within, clock, random });
  const pull = await findPullRequest(github, inputs);
  if (!pull) return { number: undefined, posted: undefined };
  const surroundings = { clock, random, signal: within };
  const section = await compose(pull, () => readPullRequestNow(github, pull.number));
  return { number: pull.number, posted: await commentOn(github, pull.number, section, surroundings) };
}

/**
 * How long a post may take, with what the step has waited for GitHub before: a minute, besides the waits that GitHub asks
 * for. A run that is cancelled says so, in a short time.
 */
function patienceOf(
  signal: AbortSignal,
  clock: Clock,
  limits: RateLimits,
): Disposable & { readonly signal: AbortSignal } {
  const over = new AbortController();
  let granted = limits.askedMilliseconds ?? 0;
  let hush = (): void => undefined;
  const wait = (milliseconds: number): void => {
    hush = clock.alarm(milliseconds, () => {
      const asked = (limits.askedMilliseconds ?? 0) - granted;
      if (asked === 0) over.abort(new GitHubError("GitHub took too long"));
      granted += asked;
      if (asked > 0) wait(asked);
    });
  };
  const left = MOST_STALLED_MILLISECONDS - (limits.stalls?.milliseconds ?? 0);
  wait(signal.aborted ? CANCELLED_PATIENCE_MILLISECONDS : Math.max(LEAST_MILLISECONDS, left));
  const dispose = (): void => {
    hush();
  };
  return {
    signal: signal.aborted ? over.signal : AbortSignal.any([signal, over.signal]),
    [Symbol.dispose]: dispose,
  };
}
