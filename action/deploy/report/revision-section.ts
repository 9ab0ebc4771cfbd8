import type { DeployEvent } from "../../../src/deployment/events.ts";
import { revisionStatusFact } from "../../../src/contract/revision-status.ts";
import { elapsedText, latencyText } from "../../../src/text/duration.ts";
import type { SeenStatus } from "./ledger.ts";
import type { Printer } from "../../report/printer.ts";

type Event<Type extends DeployEvent["type"]> = Extract<DeployEvent, { type: Type }>;

/** A change of our revision. */
export function printStatus(print: Printer, { revision, elapsedMilliseconds }: Event<"revision-status">): void {
  const { status, status_message } = revision;
  const said = status_message == null || status_message === "" ? "" : `: ${status_message}`;
  print.at(elapsedMilliseconds, `${status}${said}`);
}

/** A sign that the waiting goes on; what a person can do meanwhile comes with the first one of a status. */
export function printHeartbeat(
  print: Printer,
  { status, elapsedMilliseconds }: Event<"revision-heartbeat">,
  last: SeenStatus | undefined,
  isFirst: boolean,
): void {
  const soFar = elapsedText(elapsedMilliseconds - (last?.at ?? 0));
  print.at(elapsedMilliseconds, `${status ?? "no status yet"}, ${soFar} so far`);
  const { advice } = revisionStatusFact(status ?? "");
  if (isFirst && advice !== "") print.more(advice);
}

/** The agent server is not as it should be yet. */
export function printAgentWaiting(print: Printer, { url, reason, elapsedMilliseconds }: Event<"agent-waiting">): void {
  print.line("Agent", `${url}: not ready after ${elapsedText(elapsedMilliseconds)}, ${reason}`);
}

/** The smoke run takes its time. */
export function printAgentRunning(print: Printer, { url, graph, elapsedMilliseconds }: Event<"agent-running">): void {
  print.line("Agent", `${url}: the run of ${graph} goes on, ${elapsedText(elapsedMilliseconds)} so far`);
}

/** The agent server is as it should be. */
export function printAgentAnswered(print: Printer, { url, milliseconds, graphs, run }: Event<"agent-answered">): void {
  const served = graphs === undefined ? "" : `, ${String(graphs.served)} of ${String(graphs.expected)} graphs`;
  const tried = run === undefined ? "" : `, run in ${latencyText(run.milliseconds)}`;
  print.line("Agent", `${url}: answers in ${latencyText(milliseconds)}${served}${tried}`);
}
