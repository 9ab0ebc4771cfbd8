import { count, flag, line, text } from "../../src/contract/option-kinds.ts";
import { option } from "../../src/contract/options.ts";

/** What a step takes that can write a section of the comment, and what GitHub needs for it. */
export const COMMENT_OPTIONS = {
  comment: option(flag, {
    about:
      "Report this run in the one comment that graph-deploy keeps on the pull request. Needs `pull-requests: write`.",
    default: "false",
  }),
  commentKey: option(line, {
    about:
      "Name of the section in the comment. Two steps with the same name overwrite each other's section. Default: the name of the deployment.",
  }),
  commentPath: option(text, {
    about:
      "Path of a file to write the section of the comment to, relative to the workspace. The action `comment` can post it from a job that may write.",
  }),
  pullRequest: option(count(), {
    about: "Number of the pull request that the run is about. Needed only if the event of the run does not name it.",
  }),
  githubToken: option(text, {
    about: "Token for GitHub's API. Used only if another input needs GitHub, such as `comment`.",
    default: "${{ github.token }}",
    secret: true,
  }),
};
