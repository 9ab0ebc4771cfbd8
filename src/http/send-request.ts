import type { TextRedactor } from "./redactor.ts";
import type { PrivateBody } from "./sent-echo.ts";
import type { TimeLimit } from "./time-limit.ts";
import type { TransportAnswer, TransportRequest } from "./transport.ts";

/** One request, and how long it may take. */
export interface SendRequest extends TransportRequest {
  /** What of the body no error may repeat; nothing is hidden when not given. */
  readonly privately?: PrivateBody | undefined;
  /** A POST or PATCH that is safe to carry out twice. */
  readonly repeatable?: boolean | undefined;
  /** Sent once, whatever comes of it: what it says is old a moment later. */
  readonly once?: boolean | undefined;
  /** How long one attempt may take in all, milliseconds. */
  readonly attemptMilliseconds: number;
  /** How long all attempts and the pauses between them may take, milliseconds. */
  readonly deadlineMilliseconds: number;
  /** The limit of the operation that the request is part of; nothing is sent once it is over. */
  readonly timeLimit?: TimeLimit | undefined;
  /** The name of a request whose address is secret in messages; `METHOD https://host/path` when not given. */
  readonly label?: string;
  /** Removes secrets from the messages about this request; that of the sender when not given. */
  readonly redactor?: TextRedactor;
  /** True for a response that is read although it is not a success; when not given, only successes are read. */
  readonly isRead?: (answer: TransportAnswer) => boolean;
}

/** One request whose response is read while it arrives. */
export interface StreamRequest extends Omit<SendRequest, "isRead"> {
  readonly body: Buffer | string | undefined;
  /** How long the response may take from its beginning to its end, milliseconds. */
  readonly longestMilliseconds: number;
}
