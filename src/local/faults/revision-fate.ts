/** How a revision proceeds, if not as usual. */
export interface RevisionFate {
  /** The last status, after the statuses that lead to it; an unknown one is allowed. */
  readonly end?: string;
  /** All statuses, instead of the usual ones. */
  readonly walk?: readonly string[];
  /** Stays in this status until `release()`. */
  readonly hold?: string;
  /** The `status_message` of the last status. */
  readonly message?: string;
  /** Lines of the build log, or of the deploy log if `end` is DEPLOY_FAILED. */
  readonly log?: readonly string[];
}
