import type { StepOutputs } from "../../report/step-report.ts";
import type { RemoveStepEvent } from "../events.ts";
import type { Preview, WhyKept, WhyRemoved } from "../plan.ts";

/** What is known about a removal so far. Its texts are foreign: they come from the service or from GitHub. */
export interface RemoveFacts {
  /** The name of the previews; absent when nothing was looked at. */
  readonly name?: string;
  readonly removed: readonly { readonly preview: Preview; readonly why: WhyRemoved }[];
  readonly kept: readonly { readonly preview: Preview; readonly why: WhyKept }[];
  readonly failed: readonly { readonly preview: Preview; readonly reason: string }[];
  readonly warnings: readonly string[];
  readonly ended?: { readonly milliseconds: number; readonly error: Error | undefined };
}

/** The facts before the first event. */
export const NO_FACTS: RemoveFacts = { removed: [], kept: [], failed: [], warnings: [] };

/** The facts that an event changes. */
export function learn(event: RemoveStepEvent, facts: RemoveFacts): Partial<RemoveFacts> | undefined {
  switch (event.type) {
    case "previews-found":
      return { name: event.name };
    case "removed":
      return { removed: [...facts.removed, event] };
    case "kept":
      return { kept: [...facts.kept, event] };
    case "failed":
      return { failed: [...facts.failed, event] };
    case "warning":
      return { warnings: [...facts.warnings, event.message] };
    case "ended":
      return { ended: event };
    default:
      // Only the log shows the others.
      return undefined;
  }
}

/** The outputs of the step, as its action.yml declares them. */
type OutputName = "failed" | "kept" | "removed";

/** The value of every output, a list in JSON. */
export function outputsOf({ removed, kept, failed }: RemoveFacts): StepOutputs & {
  readonly values: Readonly<Record<OutputName, string>>;
} {
  return {
    values: {
      removed: listOf(removed.map(({ preview, why }) => [preview, why])),
      kept: listOf(kept.map(({ preview, why }) => [preview, why])),
      failed: listOf(failed.map(({ preview, reason }) => [preview, reason])),
    },
    warnings: [],
  };
}

function listOf(previews: readonly (readonly [Preview, string])[]): string {
  const items = previews.map(([{ name, pullRequest, deployment }, reason]) => ({
    name,
    "pull-request": pullRequest,
    "deployment-id": deployment.id,
    reason,
  }));
  return JSON.stringify(items);
}
