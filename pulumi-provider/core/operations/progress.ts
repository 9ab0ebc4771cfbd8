import type { Deployment } from "../../../src/contract/deployment.ts";
import type { DeployEvent } from "../../../src/deployment/events.ts";

/** How far an update has come: what state must keep when it does not end. */
export class Progress {
  /** The deployment once it is ours to keep; a create that ends before has left nothing. */
  deployment: Deployment | undefined;
  /** True when a create has found it, and so has not made it. */
  isFound = false;
  /** The revision that the update made. */
  revisionId: string | undefined;
  status: string | undefined;
  /** The deployment as it was seen once our revision was live. */
  live: Deployment | undefined;
  /** Where the agent answers, once the revision is live. */
  url: string | undefined;
  /** The digest of what was packed. */
  sourceHash: string | undefined;
  /** Where the service has what was uploaded. */
  tarballPath: string | undefined;
  readonly #onEvent: (event: DeployEvent) => void;

  constructor(onEvent: (event: DeployEvent) => void) {
    this.#onEvent = onEvent;
  }

  /** Listens to the steps of a deploy. */
  note(event: DeployEvent): void {
    if (event.type === "deployment-found") this.isFound = true;
    if (event.type === "deployment-created") this.#noteCreated(event);
    if (event.type === "source-packed") this.sourceHash = event.archive.digest;
    if (event.type === "update-answered" || event.type === "revision-started") {
      this.revisionId = event.revisionId;
      this.status = event.status;
    }
    if (event.type === "revision-status") this.status = event.revision.status;
    if (event.type === "revision-live") {
      this.deployment = event.deployment;
      this.live = event.deployment;
      this.url = event.url;
    }
    this.#onEvent(event);
  }

  #noteCreated({ deployment, adopted }: Extract<DeployEvent, { type: "deployment-created" }>): void {
    this.deployment = deployment;
    this.isFound = adopted;
    // What needs no upload is deployed by the create itself: the next update is not to make a second revision of it.
    if (!adopted && this.sourceHash === undefined) this.revisionId = deployment.latest_revision_id ?? undefined;
  }
}
