import { ExperimentUploadAnswer } from "../contract/experiment-answer.ts";
import { describeErrorBody } from "../contract/validation-error.ts";
import { GarbageError, saidByPage } from "../http/bad-response.ts";
import { readJson } from "../http/json-api.ts";
import type { TransportAnswer } from "../http/transport.ts";
import { webPageOf } from "../http/error-body.ts";

/**
 * Reads a success: the experiment as it is stored; undefined where the service accepts it without repeating it, with
 * nothing, other JSON or text: the contract shows one body, and no status for it. A web page, and an error as JSON, deny
 * what their status says. Throws GarbageError for these and for any other body.
 */
export function readAcceptance(
  answer: TransportAnswer,
  sent: { isDenied: boolean },
): ExperimentUploadAnswer | undefined {
  const denial = (what: string, said: ReturnType<typeof saidByPage> = {}) => {
    sent.isDenied = true;
    return new GarbageError(what, { mayImprove: false, ...said });
  };
  const page = webPageOf(answer);
  if (page) throw denial("a web page", saidByPage(page));
  const { headers, body } = answer;
  const isCoded = !["identity", undefined].includes(headers["content-encoding"]);
  const isPlain = !isCoded && /^\s*(?:text\/plain\b|$)/i.test(headers["content-type"] ?? "");
  // What calls itself text, or nothing, and is not JSON either.
  if (isPlain && !/^\s*[{[]/.test(body.toString("utf8", 0, 64))) return undefined;
  const json = readJson(answer);
  if (typeof json !== "object" || json === null) return undefined;
  if ("experiment" in json) return ExperimentUploadAnswer.safeParse(json).data;
  const field = ["error", "detail"].find((name) => saysSomething(Reflect.get(json, name)));
  if (field === undefined) return undefined;
  const [reason] = describeErrorBody(json);
  if (reason === undefined) throw denial(`an error as JSON, in \`${field}\``);
  throw denial("an error", { said: { text: reason, write: (text) => text } });
}

/** False where a field of errors is there and has none: `false`, an empty text, an empty list. */
function saysSomething(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return typeof value === "string" ? value.trim() !== "" : Boolean(value);
}
