import { GraphDeployError, type ErrorOptionsWithAdvice } from "../contract/graph-deploy-error.ts";
import { placeText, type ResultFileError, type ResultPlace } from "./json/errors.ts";

/** How many faults are told one by one. */
const MOST_FAULTS = 20;

/** One thing that is wrong with the results. */
export interface ResultFault {
  readonly place: ResultPlace;
  /** Which field, and the kind of what stands there, never its value; without a full stop. */
  readonly message: string;
}

const ADVICE = "Correct the files, or the input `format` or `mapping` if they are read in the wrong way.";

/** Results that cannot be uploaded, with the first faults and the number of all. */
export class ResultsError extends GraphDeployError {
  readonly code = "RESULTS";
  readonly faults: readonly ResultFault[];
  readonly count: number;

  /** `sentence` tells what the faults are together. */
  constructor(sentence: string, faults: readonly ResultFault[], count: number, options: ErrorOptionsWithAdvice = {}) {
    super(sentence, { advice: ADVICE, ...options });
    this.faults = faults;
    this.count = count;
  }
}

/** Collects the faults of all files, so that one report tells them. */
export class ResultFaults {
  readonly #first: ResultFault[] = [];
  #count = 0;
  #advice: string | undefined;

  get count(): number {
    return this.#count;
  }

  /** `advice` is for the user whose first fault it is; what stands in a file has one of its own. */
  add(place: ResultPlace, message: string, advice?: string): void {
    if (this.#count === 0) this.#advice = advice;
    this.#count += 1;
    if (this.#first.length < MOST_FAULTS) this.#first.push({ place, message });
  }

  /** Adds a file that cannot be read, or not to its end. */
  addFile({ place, fault, advice }: ResultFileError): void {
    this.add(place, fault);
    this.#advice ??= advice;
  }

  /** Throws ResultsError. */
  throwIfAny(): void {
    const [first] = this.#first;
    if (first === undefined) return;
    const sentence =
      this.#count === 1
        ? `${placeText(first.place)}: ${first.message}.`
        : `The results have ${String(this.#count)} faults, and nothing was sent.`;
    const options = this.#advice === undefined ? {} : { advice: this.#advice };
    throw new ResultsError(sentence, this.#first, this.#count, options);
  }
}
