import type { AnnotationFrame, AnnotationKind } from "../front/host.ts";
import { commandFree } from "../src/text/command-free.ts";
import { cut } from "../src/text/foreign-text.ts";

// The runner cuts the message of an annotation at 4096 characters: `_maxIssueMessageLength` in actions/runner.
const MOST_CHARACTERS = 4_000;

/** A line that the runner executes, with its escaping of properties and data (command.ts of actions/toolkit). */
export function workflowCommand(
  name: AnnotationKind | "debug" | "endgroup" | "group",
  data = "",
  properties: Readonly<Record<string, string>> = {},
): string {
  const pairs = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(value)}`);
  return `::${[name, pairs.join(",")].filter((part) => part !== "").join(" ")}::${escapeData(data)}`;
}

/** The command for one annotation; the text is one line without secrets, and so is each text of the frame. */
export function annotation(kind: AnnotationKind, text: string, frame: AnnotationFrame = {}): string {
  const { title, file, line } = frame;
  // The runner writes the message into the log as it is, where the log's viewer would read a `##[`.
  return workflowCommand(kind, cut(commandFree(text), MOST_CHARACTERS), {
    ...(title === undefined ? {} : { title }),
    ...(file === undefined ? {} : { file }),
    ...(file === undefined || line === undefined ? {} : { line: String(line) }),
  });
}

/** A line of the log that is no command. */
export function commandFreeLine(line: string): string {
  return commandFree(line).trimEnd();
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
