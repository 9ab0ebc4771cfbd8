/** A stored experiment, for a comparison with another one. */
export interface StoredExperiment {
  /** What it is called. */
  readonly name: string;
  /** The body of its upload as JSON, piece by piece; it is read once. */
  readonly body: Iterable<string>;
}

/** What a page shows of two experiments. It loads nothing, and all foreign text in it is escaped. */
export interface ShownComparison {
  /** The content of the page, with its heading. */
  readonly html: string;
  /** The style of the content. */
  readonly style: string;
  /** The script of the page, which runs once all of the content is there. */
  readonly script: string;
}

/** Compares an experiment with a baseline. An error that is a GraphDeployError says why the two cannot be compared. */
export type CompareExperiments = (baseline: StoredExperiment, compared: StoredExperiment) => Promise<ShownComparison>;
