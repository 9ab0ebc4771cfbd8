import type { ExperimentUploadAnswer } from "../contract/experiment-answer.ts";
import type { BodySource } from "../http/transport.ts";
import type { UnclearPolicy } from "./next-step.ts";

/** An experiment that is ready to be sent. */
export interface ReadyExperiment {
  /** The `experiment_name` in the body. */
  readonly name: string;
  /** How many rows it has, for messages. */
  readonly rows: number;
  /** The request body: section 2.6 of the contract. */
  readonly body: BodySource;
  /** The same bytes, with which the error of a service is compared, so that it repeats nothing of them; `body` when not given. */
  readonly content?: BodySource | undefined;
  /** What of them an error may repeat besides the name: names that the caller gave. */
  readonly shown?: readonly string[] | undefined;
  /**
   * What the body has as `upload_mark` in its `experiment_metadata`: it tells this upload from others of its name. Without
   * one, nothing that the service lists is known to be this upload.
   */
  readonly mark?: string | undefined;
}

/** How an experiment is sent. */
export interface UploadTerms {
  /** How long one attempt may take, and all of them, milliseconds. The last look for the experiment may take 30 s more. */
  readonly timeoutMilliseconds: number;
  /** `retry` only for a service that takes a name once: another one stores the experiment twice. `fail` when not given. */
  readonly onUnclear?: UnclearPolicy | undefined;
  /** True looks for the experiment before it is sent: an earlier run may have stored it. */
  readonly mayBeStored?: boolean | undefined;
  /** Called when the service is asked for the experiment, since a request was not answered. The reason is a sentence. */
  readonly onSearch?: ((reason: string) => void) | undefined;
}

/** An uploaded experiment. */
export interface UploadOutcome {
  /** Undefined where the service neither repeats the experiment nor lists it. */
  readonly id: string | undefined;
  readonly dataset: { readonly id: string | undefined; readonly name: string | undefined };
  /** The web page of the experiment; undefined if its address is not known. */
  readonly page: string | undefined;
  /** What the service answered; undefined where that is not the experiment. */
  readonly answer: ExperimentUploadAnswer | undefined;
  /** False if an earlier run had stored it, and nothing was sent. */
  readonly wasSent: boolean;
}
