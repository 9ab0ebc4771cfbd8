import { commandFree } from "../src/text/command-free.ts";
import { cut } from "../src/text/foreign-text.ts";

// The runner cuts the message of an annotation at 4096 characters: `_maxIssueMessageLength` in actions/runner.
const MOST_CHARACTERS = 4_000;

/** A line that the runner executes, with its escaping of properties and data (command.ts of actions/toolkit). */
export function workflowCommand(
  name: "debug" | "endgroup" | "error" | "group" | "notice" | "warning",
  data = "",
  properties: Readonly<Record<string, string>> = {},
): string {
  const pairs = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(value)}`);
  return `::${[name, pairs.join(",")].filter((part) => part !== "").join(" ")}::${escapeData(data)}`;
}

/** Where an annotation stands: its title, and the file and the line that it is shown at. */
export interface AnnotationFrame {
  readonly title?: string | undefined;
  readonly file?: string | undefined;
  readonly line?: number | undefined;
}

/** The command for one error annotation; `sentence` is one line without secrets, and so is each text of the frame. */
export function errorAnnotation(sentence: string, frame: AnnotationFrame): string {
  return workflowCommand("error", annotationData(sentence), propertiesOf(frame));
}

export function warningAnnotation(sentence: string, frame: AnnotationFrame = {}): string {
  return workflowCommand("warning", annotationData(sentence), propertiesOf(frame));
}

function propertiesOf({ title, file, line }: AnnotationFrame): Readonly<Record<string, string>> {
  return {
    ...(title === undefined ? {} : { title }),
    ...(file === undefined ? {} : { file }),
    ...(file === undefined || line === undefined ? {} : { line: String(line) }),
  };
}

export function noticeAnnotation(sentence: string): string {
  return workflowCommand("notice", annotationData(sentence));
}

// The runner writes the message into the log as it is, where the log's viewer would read a `##[`.
function annotationData(sentence: string): string {
  return cut(commandFree(sentence), MOST_CHARACTERS);
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
