import { GraphDeployError } from "../../contract/graph-deploy-error.ts";

/** The command that should run the agents cannot be read. */
export class AgentCommandError extends GraphDeployError {
  readonly code = "LOCAL_AGENT_COMMAND";
}

/** What the placeholders of a command stand for. */
export interface AgentPlace {
  readonly port: number;
  /** The folder of the project's configuration file, absolute. */
  readonly directory: string;
  readonly revisionId: string;
}

/** A command whose placeholders are filled in. */
export interface AgentInvocation {
  readonly program: string;
  readonly args: readonly string[];
  /** What the command sets in front of the program. */
  readonly environment: Readonly<Record<string, string>>;
}

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/s;

/**
 * The command that runs an agent: `NAME=value … program argument …`, with `{port}`, `{dir}` and `{revision}` in any
 * word. No shell reads it, because a path within an uploaded project is foreign text.
 */
export class AgentCommand {
  readonly #assignments: readonly (readonly [name: string, value: string])[];
  readonly #program: string;
  readonly #args: readonly string[];

  private constructor(words: readonly string[], program: number) {
    this.#assignments = words.slice(0, program).map((word) => {
      const [, name = "", value = ""] = ASSIGNMENT.exec(word) ?? [];
      return [name, value];
    });
    this.#program = words[program] ?? "";
    this.#args = words.slice(program + 1);
  }

  /** Reads the text of a command; throws AgentCommandError. */
  static parse(text: string): AgentCommand {
    const words = splitWords(text);
    const program = words.findIndex((word) => !ASSIGNMENT.test(word));
    if (program === -1 || words[program] === "") throw new AgentCommandError("The agent command names no program.");
    return new AgentCommand(words, program);
  }

  /** The command for one process. */
  at(place: AgentPlace): AgentInvocation {
    return {
      program: fill(this.#program, place),
      args: this.#args.map((word) => fill(word, place)),
      environment: Object.fromEntries(this.#assignments.map(([name, value]) => [name, fill(value, place)])),
    };
  }
}

// A backslash is an ordinary character: Windows writes its paths with it.
function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  const pieces = text.matchAll(/(\s+)|'([^']*)'|"([^"]*)"|(["'])|([^\s"']+)/g);
  let word: string | undefined;
  for (const [, blank, single, double, open, bare] of pieces) {
    if (open !== undefined) throw new AgentCommandError(`The agent command has a ${open} that nothing closes.`);
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
