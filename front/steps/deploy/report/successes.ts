import type { Success } from "../../../../src/deployment/outcomes.ts";
import type { MarkdownPen } from "../../../account/markdown-pen.ts";
import type { Block } from "../../../account/part.ts";
import type { DeployFacts } from "./facts.ts";
import { plannedVerb } from "./words.ts";

/** What is said of a success. */
interface SuccessWords {
  /** The heading of a page; the name is written. */
  readonly heading: (name: string, facts: DeployFacts) => string;
  /** What stands below it; what is dotted follows the address and the revision. */
  readonly lead: (took: string, facts: DeployFacts, pen: MarkdownPen) => Block;
  /** The last line of the log, as foreign text; undefined where the account says it in another way. */
  readonly done?: (name: string, took: string, facts: DeployFacts) => string;
}

export const SUCCESS_WORDS: Readonly<Record<Success, SuccessWords>> = {
  deployed: {
    heading: (name, { rollback }) => `✅ ${name} is ${rollback === undefined ? "live" : "rolled back"}`,
    lead: (took) => ({ dotted: [`deployed in ${took}`] }),
    done: (name, took, { rollback }) =>
      rollback === undefined
        ? `${name} is live after ${took}`
        : `${name} is rolled back to revision ${rollback.to} after ${took}`,
  },
  unchanged: {
    heading: (name) => `✅ ${name} is unchanged`,
    lead: (took) => ({ dotted: [`nothing to deploy, checked in ${took}`] }),
    done: (name, took, { revisionId = "" }) => `${name} is unchanged after ${took}: revision ${revisionId} is live`,
  },
  started: {
    heading: (name) => `✅ ${name}: revision started`,
    lead: (took) => ({ dotted: [`started after ${took}`, "this step did not wait for it"] }),
    done: (name, took, { revisionId = "" }) =>
      `started revision ${revisionId} of ${name} after ${took}; not waiting for it (\`wait: false\`)`,
  },
  superseded: {
    heading: (name) => `⚠️ ${name} was superseded`,
    lead: (took) => ({ dotted: [`after ${took}`, "a newer revision took its place"] }),
    done: (name, took, { revisionId = "" }) =>
      `${name}: revision ${revisionId} was superseded after ${took}, which \`on-superseded: succeed\` allows`,
  },
  skipped: { heading: () => "No preview", lead: noPreview, done: () => "nothing was deployed" },
  removed: {
    heading: (name) => `${name} was removed`,
    lead: noPreview,
    done: (name, took) => `${name} was removed after ${took}`,
  },
  "dry-run": {
    heading: (name, { change, rollback }) =>
      `Dry run: ${name} would be ${rollback === undefined ? plannedVerb(change) : "rolled back"}`,
    lead: (_, { deploymentId, change }, pen) => {
      if (deploymentId !== undefined) return { written: `Deployment ${pen.code(deploymentId)}. Nothing was written.` };
      const unlisted = change?.isUnlisted === true ? "No list shows whether it exists already. " : "";
      return { written: `${unlisted}Nothing was written.` };
    },
  },
};

function noPreview(_: string, { notKept = "the reason is unknown" }: DeployFacts): Block {
  return { sentence: `There is no preview: ${notKept}.` };
}
