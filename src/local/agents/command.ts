import { GraphDeployError } from "../../contract/graph-deploy-error.ts";

/** The command that runs the agents is invalid. */
export class AgentCommandError extends GraphDeployError {
  readonly code = "LOCAL_AGENT_COMMAND";
}

export interface AgentPlace {
  readonly port: number;
  /** The directory of the project's configuration file, absolute. */
  readonly directory: string;
  readonly revisionId: string;
}

/** A command with its placeholders filled in. */
export interface AgentInvocation {
  readonly program: string;
  readonly args: readonly string[];
  /** The assignments in front of the program. */
  readonly environment: Readonly<Record<string, string>>;
}

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s;

/** A command that runs an agent; it takes the place of that agent. */
export type AgentCommand = (place: AgentPlace) => AgentInvocation;

/**
 * Reads a command: `NAME=value … program argument …`, with `{port}`, `{dir}` and `{revision}` in any word. It does not go
 * through a shell, because a path within an uploaded project is foreign text. Throws AgentCommandError.
 */
export function readAgentCommand(text: string): AgentCommand {
  const words = splitWords(text);
  const start = words.findIndex((word) => !ASSIGNMENT.test(word));
  if (start === -1 || words[start] === "") {
    throw new AgentCommandError("The agent command does not name a program.");
  }
  return (place) => {
    const filled = words.map((word) => fill(word, place));
    const [program = "", ...args] = filled.slice(start);
    const assignments = filled.slice(0, start).map((word) => {
      const [, name = "", value = ""] = ASSIGNMENT.exec(word) ?? [];
      return [name, value] as const;
    });
    return { program, args, environment: Object.fromEntries(assignments) };
  };
}

// A backslash is an ordinary character, as in Windows paths.
function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  const pieces = text.matchAll(/(\s+)|'([^']*)'|"([^"]*)"|(["'])|([^\s"']+)/g);
  let word: string | undefined;
  for (const [, blank, single, double, open, bare] of pieces) {
    if (open !== undefined) throw new AgentCommandError(`The agent command has an unclosed ${open}.`);
    if (blank === undefined) word = (word ?? "") + (single ?? double ?? bare ?? "");
    else if (word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  return word === undefined ? words : [...words, word];
}

function fill(word: string, { port, directory, revisionId }: AgentPlace): string {
  const values: Readonly<Record<string, string>> = { port: String(port), dir: directory, revision: revisionId };
  return word.replace(/\{(port|dir|revision)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
