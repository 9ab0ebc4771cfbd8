import type { DeployEvent } from "../../src/deployment/events.ts";

/** What happens in the step that deploys. */
export type DeployStepEvent =
  | DeployEvent
  /** The step deploys the preview of a pull request. */
  | { readonly type: "preview-named"; readonly name: string; readonly pullRequest: number };
