import { GraphDeployError } from "../contract/graph-deploy-error.ts";
import type { ResultPlace } from "./json/errors.ts";

/** How many faults are told one by one. */
const MOST_FAULTS = 20;

/** One thing that is wrong with the results. */
export interface ResultFault {
  readonly place: ResultPlace;
  /** Which field, and the kind of what stands there, never its value; without a full stop. */
  readonly message: string;
}

/** Result files that cannot be uploaded, with the first faults and the number of all. */
export class ResultsError extends GraphDeployError {
  readonly code = "RESULTS";
  readonly faults: readonly ResultFault[];
  readonly count: number;

  constructor(faults: readonly ResultFault[], count: number) {
    const [first] = faults;
    const what =
      count === 1 && first !== undefined
        ? `${placeText(first.place)}: ${first.message}.`
        : `The results have ${String(count)} faults, and nothing was sent.`;
    super(what, { advice: "Correct the files, or the input `format` or `mapping` if they are read in the wrong way." });
    this.faults = faults;
    this.count = count;
  }
}

/** Collects the faults of all files, so that one report tells them. */
export class ResultFaults {
  readonly #first: ResultFault[] = [];
  #count = 0;

  add(place: ResultPlace, message: string): void {
    this.#count += 1;
    if (this.#first.length < MOST_FAULTS) this.#first.push({ place, message });
  }

  throwIfAny(): void {
    if (this.#count > 0) throw new ResultsError(this.#first, this.#count);
  }
}

/** `eval/results.jsonl, line 12` */
export function placeText({ file, line }: ResultPlace): string {
  return line === undefined ? file : `${file}, line ${String(line)}`;
}
