import type { RemoveEvent } from "../../src/deployment/remove.ts";
import type { RetryNotice } from "../../src/http/retry.ts";
import type { Preview, WhyKept, WhyRemoved } from "./previews.ts";

/** The records of a preview that is gone. */
export interface LeftRecords {
  readonly preview: Pick<Preview, "name" | "pullRequest">;
  /** How many were deleted; in a dry run, would be. */
  readonly count: number;
}

/** What happens while previews are removed, in order. None of it holds a secret. */
export type RemoveStepEvent =
  | RemoveEvent
  /** The previews that there are; for one pull request, one or none. */
  | { readonly type: "previews-found"; readonly name: string; readonly previews: readonly Preview[] }
  /** The delete of a preview begins; in a dry run it would. */
  | { readonly type: "removing"; readonly preview: Preview; readonly why: WhyRemoved }
  /** `milliseconds`: how long it took until it was gone; undefined in a dry run. */
  | {
      readonly type: "removed";
      readonly preview: Preview;
      readonly why: WhyRemoved;
      readonly milliseconds: number | undefined;
    }
  | { readonly type: "kept"; readonly preview: Preview; readonly why: WhyKept }
  /** `reason` is a sentence without its full stop. */
  | { readonly type: "failed"; readonly preview: Preview; readonly reason: string }
  /** Deployment records of a preview that was gone before; in a dry run they stay. */
  | ({ readonly type: "records-deleted" } & LeftRecords)
  | { readonly type: "retry"; readonly notice: RetryNotice }
  | { readonly type: "warning"; readonly message: string }
  | { readonly type: "notice"; readonly message: string }
  | { readonly type: "ended"; readonly milliseconds: number; readonly error: Error | undefined };
