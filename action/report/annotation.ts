import { cut } from "../../src/text/foreign-text.ts";
import { commandFree } from "./command-free.ts";
import { workflowCommand } from "./workflow-command.ts";

// The runner cuts the message of an annotation at 4096 characters: `_maxIssueMessageLength` in actions/runner.
const MOST_CHARACTERS = 4_000;

/** The command for one error annotation; `sentence` is one line without secrets. */
export function errorAnnotation(title: string, sentence: string): string {
  return workflowCommand("error", data(sentence), { title });
}

/** The command for one warning annotation. */
export function warningAnnotation(sentence: string): string {
  return workflowCommand("warning", data(sentence));
}

/** The command for one notice. */
export function noticeAnnotation(sentence: string): string {
  return workflowCommand("notice", data(sentence));
}

// The runner writes the message into the log as it is, where a `##[` would be read by the log's viewer.
function data(sentence: string): string {
  return cut(commandFree(sentence), MOST_CHARACTERS);
}
