import * as z from "zod";
import type { GitHub } from "../client.ts";
import { GitHubError, isStatus } from "../errors.ts";
import type { OwnComment, PullRequestComments } from "./post.ts";

// The token of a job may edit anybody's comment: which ones are our own only this query says.
const QUERY = `query ($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      comments(first: 100, after: $after) {
        nodes { fullDatabaseId viewerDidAuthor createdAt body }
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
              createdAt: z.iso.datetime({ offset: true }),
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

const MOST_PAGES = 100;

/** The comments of a pull request on GitHub. */
export function commentsOf(github: GitHub, number: number): PullRequestComments {
  return {
    list: async () => {
      const own: OwnComment[] = [];
      let after: string | null = null;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const { nodes, pageInfo } = pageIn(await github.graphql(QUERY, { number, after }));
        for (const node of nodes) {
          if (node?.viewerDidAuthor !== true) continue;
          own.push({ id: node.fullDatabaseId, body: node.body, createdAt: new Date(node.createdAt) });
        }
        if (!pageInfo.hasNextPage || pageInfo.endCursor === null) return own;
        after = pageInfo.endCursor;
      }
      // Half a list would make a second comment.
      throw new GitHubError(`pull request ${String(number)} has more than ${String(100 * MOST_PAGES)} comments`);
    },
    read: async (id) =>
      await unlessGone(async () => {
        const { data } = await github.request("GET /repos/{owner}/{repo}/issues/comments/{comment_id}", {
          comment_id: id,
        });
        return parsed(Read, data).body;
      }),
    create: async (body) => {
      try {
        const { data } = await github.request("POST /repos/{owner}/{repo}/issues/{issue_number}/comments", {
          issue_number: number,
          body,
        });
        return parsed(Made, data).id;
      } catch (error) {
        if (error instanceof GitHubError && error.mayHaveBeenProcessed) return undefined;
        throw error;
      }
    },
    update: async (id, body) => {
      await unlessGone(async () => {
        await github.request("PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}", { comment_id: id, body });
      });
    },
    remove: async (id) => {
      await unlessGone(async () => {
        await github.request("DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}", { comment_id: id });
      });
    },
  };
}

function pageIn(data: unknown) {
  return parsed(Page, data).repository.pullRequest.comments;
}

function parsed<Schema extends z.ZodType>(schema: Schema, data: unknown): z.output<Schema> {
  const reading = schema.safeParse(data);
  if (reading.success) return reading.data;
  throw new GitHubError("GitHub answered in another form than it documents");
}

async function unlessGone<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    if (isStatus(error, 404, 410)) return undefined;
    throw error;
  }
}
