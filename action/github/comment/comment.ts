import * as z from "zod";
import { setFields } from "../../../src/contract/set-fields.ts";
import { ForeignText, type Redact } from "../../../src/text/foreign-text.ts";
import type { Run } from "../../../front/host.ts";
import { MarkdownPen } from "../../../front/account/markdown-pen.ts";
import type { GitHub } from "../client.ts";
import type { GitHubInputs } from "../github-inputs.ts";
import type { OwnComment, Posted, PostSurroundings, PullRequestComments, WriteEnd } from "./pull-request-comments.ts";
import { Writer } from "./writer.ts";
import type { Checkout, NamedCommit } from "./named-commit.ts";
import { makeSection, type Section } from "./section.ts";
import type { SectionKind, RunBrief } from "../../../front/account/brief.ts";
import { GitHubError, parsed, unlessGone } from "../errors.ts";
import { readPullRequestState } from "../pull-request.ts";

export interface StepComment {
  readonly key: string;
  /** The service of what is deployed, where the key is only its name. */
  readonly service?: string;
  /** The section is written to this file too; undefined for none. */
  readonly path: string | undefined;
  readonly run: Run;
  /** Undefined where there is none, or the step did not use it. */
  readonly checkout?: Checkout | undefined;
  /** Undefined where nothing is written to GitHub. */
  readonly github: GitHubInputs | undefined;
}

/** Whose section it is, and which run writes it. */
export interface SectionOwner {
  readonly kind: SectionKind;
  /** With the kind, what distinguishes the section from the others of the comment. */
  readonly key: string;
  /** See `StepComment`. */
  readonly service?: string | undefined;
  readonly run: Pick<Run, "attempt" | "commit" | "id" | "url">;
  readonly at: Date;
  /** Another commit, behind that of the run. */
  readonly note?: NamedCommit["note"];
  readonly redact?: Redact;
}

/** The section of a run, with its commit, its time and its log at the end. */
export function sectionOf(brief: RunBrief, { kind, key, service, run, at, note, redact }: SectionOwner): Section {
  const pen = new MarkdownPen(new ForeignText(redact));
  const behind = note ? ` (${note.text} ${pen.code(note.commit.slice(0, 7))})` : "";
  const footer = [
    ...(run.commit === undefined ? [] : [`commit ${pen.code(run.commit.slice(0, 7))}${behind}`]),
    `${at.toISOString().slice(0, 16).replace("T", " ")} UTC`,
    ...(run.url === undefined ? [] : [`workflow run ${pen.link(run.url)}`]),
  ].join(" · ");
  const { text, ...facts } = brief;
  const { id = "0", attempt = 1, commit } = run;
  return makeSection(
    { ...facts, kind, key: redact?.(key) ?? key, service, run: id, attempt, at, commit },
    `${text}\n\n${footer}`,
  );
}

/**
 * Writes a section into the one comment of a pull request, and makes the comment where there is none.
 *
 * @throws GitHubError, also when other runs keep writing over it.
 */
export async function commentOn(
  github: GitHub,
  number: number,
  section: Section,
  surroundings: PostSurroundings,
): Promise<Posted> {
  return await new Writer(commentsOf(github, number), section, surroundings).run();
}

export interface Removal extends Omit<SectionOwner, "at" | "kind">, Pick<PostSurroundings, "isExact"> {
  readonly name: string;
  /** Why it is gone: a sentence, maybe with foreign words. */
  readonly text: string;
}

/**
 * Says in the section of a deployment that the deployment is gone, and why. A pull request without such a section gets none.
 */
export async function commentRemoval(
  github: GitHub,
  number: number,
  { name, text, isExact, ...owner }: Removal,
  { clock, random, signal }: PostSurroundings,
): Promise<Posted> {
  const foreign = new ForeignText(owner.redact);
  const pen = new MarkdownPen(foreign);
  const brief: RunBrief = {
    name: foreign.line(name),
    sign: "gone",
    state: "removed",
    text: `### 🗑️ ${pen.text(name)} is removed\n\n${pen.sentence(text)}`,
  };
  // The event of a removal does not name the commit of the pull request.
  const now = await readPullRequestState(github, number).catch((error: unknown) => {
    if (!(error instanceof GitHubError)) throw error;
    return undefined;
  });
  const { commit: _, ...run } = owner.run;
  const ofHead = { ...run, ...setFields({ commit: now?.headCommit }) };
  const section = sectionOf(brief, { ...owner, run: ofHead, kind: "deployment", at: clock.date() });
  return await commentOn(github, number, section, { clock, random, signal, isOnlyUpdate: true, isExact });
}

// The token of a job may edit all comments. Only this query says which ones it made.
const QUERY = `query ($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      comments(first: 100, after: $after) {
        nodes { fullDatabaseId viewerDidAuthor body }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}`;

const Page = z.object({
  repository: z.object({
    pullRequest: z.object({
      comments: z.object({
        nodes: z.array(
          z
            .object({
              // A BigInt, which comes as text.
              fullDatabaseId: z.coerce.number().int().positive(),
              viewerDidAuthor: z.boolean(),
              body: z.string(),
            })
            .nullable(),
        ),
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
      }),
    }),
  }),
});
const Made = z.object({ id: z.int().positive() });
const Read = z.object({ body: z.string() });

const UNDESCRIBED = "GitHub returned a response that its documentation does not describe";
const MOST_PAGES = 100;
const GONE = [404, 410];

export function commentsOf(github: GitHub, number: number): PullRequestComments {
  return {
    list: async () => {
      const own: OwnComment[] = [];
      const { owner, repo } = github;
      let after: string | null = null;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const variables = { owner, repo, number, after };
        const data = await github.graphql(QUERY, variables, { permission: "pull-requests: write" });
        const { nodes, pageInfo } = parsed(Page, data, UNDESCRIBED).repository.pullRequest.comments;
        for (const node of nodes) {
          if (node?.viewerDidAuthor !== true) continue;
          own.push({ id: node.fullDatabaseId, body: node.body });
        }
        if (!pageInfo.hasNextPage || pageInfo.endCursor === null) return own;
        after = pageInfo.endCursor;
      }
      // Half a list would make a second comment.
      throw new GitHubError(`pull request ${String(number)} has more than ${String(100 * MOST_PAGES)} comments`);
    },
    read: async (id) => {
      const route = "GET /repos/{owner}/{repo}/issues/comments/{comment_id}";
      const found = await unlessGone(github.request(route, { comment_id: id }), GONE);
      return found && parsed(Read, found.data, UNDESCRIBED).body;
    },
    create: async (body) => {
      try {
        const { data } = await github.request("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", {
          issue_number: number,
          body,
        });
        return parsed(Made, data, UNDESCRIBED).id;
      } catch (error) {
        if (error instanceof GitHubError && error.wasHeld) return "held";
        if (error instanceof GitHubError && error.mayHaveBeenProcessed) return undefined;
        throw error;
      }
    },
    update: (id, body) =>
      writeEnd(github.request("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", { comment_id: id, body })),
    remove: (id) =>
      writeEnd(github.request("DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}", { comment_id: id })),
  };
}

/** A write is sent once: sent again, it would take away what others have written in the meantime. */
async function writeEnd(write: Promise<unknown>): Promise<WriteEnd> {
  try {
    await unlessGone(write, GONE);
    return "done";
  } catch (error) {
    if (error instanceof GitHubError && error.wasHeld) return "held";
    if (error instanceof GitHubError && error.mayHaveBeenProcessed) return "unclear";
    throw error;
  }
}
