import { GraphDeployError } from "../../contract/graph-deploy-error.ts";
import type { CompareExperiments, ShownComparison } from "../../pages/experiment-comparison.ts";
import type { Experiments } from "./experiments.ts";

/** What is shown of two experiments, or a sentence that says why they are not compared. */
export type Comparison = ShownComparison | { readonly refusal: string };

const NOBODY = "This service was started without the function `compare`, so nothing is judged here.";

/** Compares experiments by the function that the service was started with. */
export class Comparisons {
  readonly #experiments: Experiments;
  readonly #compare: CompareExperiments | undefined;
  /** The last one: it is large, and takes a while. Rows that were uploaded do not change. */
  #last: { readonly ids: string; readonly made: Promise<Comparison> } | undefined;

  constructor(experiments: Experiments, compare: CompareExperiments | undefined) {
    this.#experiments = experiments;
    this.#compare = compare;
  }

  /** The first one is the baseline. */
  async of(one: string, other: string): Promise<Comparison> {
    if (!this.#compare) return { refusal: NOBODY };
    const ids = `${one} ${other}`;
    if (this.#last?.ids !== ids) this.#last = { ids, made: this.#make(this.#compare, one, other) };
    const { made } = this.#last;
    return await made.catch((error: unknown) => {
      // Another pair may have been asked for meanwhile.
      if (this.#last?.made === made) this.#last = undefined;
      throw error;
    });
  }

  async #make(compare: CompareExperiments, one: string, other: string): Promise<Comparison> {
    const [baseline, compared] = [this.#experiments.uploaded(one), this.#experiments.uploaded(other)];
    try {
      return await compare(baseline, compared);
    } catch (error) {
      if (!(error instanceof GraphDeployError)) throw error;
      return { refusal: `The two cannot be compared: ${error.message}` };
    }
  }
}
