import type { DeployEvent } from "../../../src/deployment/events.ts";

export type DeployStepEvent =
  | DeployEvent
  /** The step deploys the preview of a pull request. */
  | { readonly type: "preview-named"; readonly name: string; readonly pullRequest: number }
  /** Nothing would prove to the step that removes previews whose this one is. `isRecorded`: it was to have a record. */
  | { readonly type: "preview-unproved"; readonly name: string; readonly isRecorded: boolean }
  /** A deployment has the name that an earlier version gave to the preview, and nothing proves that it is that. */
  | { readonly type: "earlier-kept"; readonly name: string }
  /** The preview that an earlier version had deployed for the pull request is removed. */
  | { readonly type: "earlier-removed"; readonly name: string };
