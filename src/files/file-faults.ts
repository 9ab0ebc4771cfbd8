import type { Reason } from "../contract/error-reasons.ts";
import { GraphDeployError, type ErrorOptionsWithAdvice } from "../contract/graph-deploy-error.ts";
import { reasonsText } from "../text/reasons.ts";
import { placeText, type DataFileError, type FilePlace } from "./json/errors.ts";

const MOST_FAULTS = 20;
/** Files of several kinds each need a way out. */
const MOST_ADVICE = 3;

/** One thing that is wrong with a file. */
export interface FileFault {
  readonly place: FilePlace;
  /** Which field, and the kind of what stands there, never its value; without a full stop. */
  readonly message: string;
}

/** Files that cannot be uploaded, or not all of them, with the first faults and the number of all. */
export abstract class FilesError extends GraphDeployError {
  readonly faults: readonly FileFault[];
  readonly count: number;

  /** `sentence` says what the errors are together. */
  constructor(sentence: string, faults: readonly FileFault[], count: number, options: ErrorOptionsWithAdvice) {
    super(sentence, options);
    this.faults = faults;
    this.count = count;
  }
}

/** What the files are called that have errors, and the error that reports them. */
export interface FaultyFiles {
  /** As a sentence begins: `The results`. */
  readonly name: string;
  /** What did not happen: `nothing was sent`, if not given. */
  readonly undone?: string | undefined;
  readonly error: (
    sentence: string,
    faults: readonly FileFault[],
    count: number,
    options: ErrorOptionsWithAdvice,
  ) => FilesError;
}

type FaultAdvice = Pick<ErrorOptionsWithAdvice, "advice" | "reasons">;

/** Collects the errors of all files for one report. */
export class FileFaults {
  readonly #files: FaultyFiles;
  readonly #first: FileFault[] = [];
  readonly #reasons = new Set<Reason>();
  /** What helps with each kind of file. */
  readonly #ofFiles = new Set<string>();
  #count = 0;
  #advice: string | undefined;
  #isFirstPlain = true;

  constructor(files: FaultyFiles) {
    this.#files = files;
  }

  get count(): number {
    return this.#count;
  }

  /** The advice of the first fault counts, the reasons of all; what stands in a file needs neither. */
  add(place: FilePlace, message: string, advice: FaultAdvice = {}): void {
    if (this.#count === 0) {
      this.addFirst(place, message, advice);
      return;
    }
    for (const reason of advice.reasons ?? []) this.#reasons.add(reason);
    this.#count += 1;
    if (this.#first.length < MOST_FAULTS) this.#first.push({ place, message });
  }

  /** Adds what is wrong with all of them: what was found before follows from it. */
  addFirst(place: FilePlace, message: string, { advice, reasons = [] }: FaultAdvice): void {
    this.#isFirstPlain = reasons.length === 0;
    this.#advice = advice;
    this.#first.unshift({ place, message });
    this.#first.splice(MOST_FAULTS);
    for (const reason of reasons) this.#reasons.add(reason);
    this.#count += 1;
  }

  /** Adds a file that cannot be read, or not to its end. */
  addFile({ place, fault, advice, reasons }: DataFileError): void {
    this.add(place, fault, { reasons });
    if (advice !== undefined && this.#ofFiles.size < MOST_ADVICE) this.#ofFiles.add(advice);
  }

  throwIfAny(): void {
    if (this.#count === 0) return;
    const { name, error, undone = "nothing was sent" } = this.#files;
    const listed = this.#first.map(({ place, message }) => `${placeText(place)}: ${message}`);
    const sentence =
      this.#count === 1
        ? `${listed.join("")}.`
        : `${name} have ${String(this.#count)} errors, and ${undone}: ${reasonsText(listed, this.#count - listed.length)}.`;
    const advice = this.#advice ?? (this.#ofFiles.size === 0 ? undefined : [...this.#ofFiles].join(" "));
    const isPlain = this.#isFirstPlain && advice === undefined;
    const options = isPlain
      ? { reasons: ["FILE_CONTENT", ...this.#reasons] as const }
      : { advice, reasons: [...this.#reasons] };
    throw error(sentence, this.#first, this.#count, options);
  }
}
