import { formsOf, type SecretMasker } from "./secret-masker.ts";
import { parseCommand, registeredCommands, type WorkflowCommand } from "./workflow-command.ts";

/** An annotation as the run's page shows it. */
export interface Annotation {
  readonly type: "error" | "warning" | "notice";
  readonly title: string | undefined;
  readonly message: string;
  /** Where it stands, if it says so. */
  readonly file?: string;
  readonly line?: string;
}

/** A place where a secret can be read, with the line (or the file's text) around it. */
export interface Leak {
  readonly secret: string;
  readonly where: string;
  readonly text: string;
}

/** The runner keeps this many annotations of a type (ExecutionContext.cs, _maxCountPerIssueType). */
const ANNOTATIONS_PER_TYPE = 10;

/** The runner cuts a longer message (ExecutionContext.cs, _maxIssueMessageLength). */
const ANNOTATION_CHARACTERS = 4096;

/** Takes a step's output line by line, as a runner does, and remembers what came of it. */
export class StepLog {
  /** The lines of the log as a reader sees them, masked. */
  readonly lines: string[] = [];
  readonly commands: WorkflowCommand[] = [];
  readonly annotations: Annotation[] = [];
  readonly leaks: Leak[] = [];
  /** What the runner would refuse, cut or drop, one sentence each. */
  readonly faults: string[] = [];
  readonly #masker: SecretMasker;
  readonly #secrets: readonly string[];
  readonly #debug: boolean;
  readonly #names = new Set(registeredCommands);
  #stopToken: string | undefined;
  #openGroup = false;

  constructor(options: { secrets: readonly string[]; masker: SecretMasker; debug: boolean }) {
    this.#secrets = options.secrets;
    this.#masker = options.masker;
    this.#debug = options.debug;
  }

  /** One line of stdout or stderr, without its end. */
  take(line: string): void {
    const command = parseCommand(line, this.#names);
    if (this.#stopToken !== undefined) {
      if (command?.name === this.#stopToken) this.#resume(this.#stopToken);
      this.#print(line);
    } else if (command === undefined) {
      this.#print(line);
    } else {
      this.commands.push(command);
      this.#obey(command, line);
    }
  }

  /** Notes a secret in a text that is kept as it is, such as the outputs of the step. */
  search(where: string, text: string): void {
    for (const secret of this.#secrets) {
      if (formsOf(secret).some((form) => text.includes(form))) this.leaks.push({ secret, where, text });
    }
  }

  #obey({ name, properties, data }: WorkflowCommand, line: string): void {
    switch (name) {
      case "add-mask":
        if (data.trim() === "") this.faults.push("add-mask got an empty value");
        else this.#masker.add(data);
        return;
      case "error":
      case "warning":
      case "notice":
        this.#annotate({
          ...{ type: name, title: properties.get("title"), message: this.#masker.mask(data) },
          ...Object.fromEntries([...properties].filter(([key]) => key === "file" || key === "line")),
        });
        this.#print(`##[${name}]${data}`, properties.get("title"));
        return;
      case "debug":
        if (this.#debug) this.#print(`##[debug]${data}`);
        return;
      case "group":
      case "endgroup":
        this.#group(name === "group");
        this.#print(`##[${name}]${data}`);
        return;
      case "stop-commands":
        this.#stopToken = data.toLowerCase();
        this.#names.add(this.#stopToken);
        this.#print(line);
        return;
      default:
        // set-env and add-path fail the step, set-output and save-state are deprecated, the others are none of ours.
        this.faults.push(`${name} is a command that this action must not give`);
    }
  }

  #annotate(annotation: Annotation): void {
    this.annotations.push(annotation);
    const { type, message } = annotation;
    if (message.length > ANNOTATION_CHARACTERS) {
      this.faults.push(`an annotation of ${message.length} characters is cut at ${ANNOTATION_CHARACTERS}`);
    }
    const count = this.annotations.filter((other) => other.type === type).length;
    if (count === ANNOTATIONS_PER_TYPE + 1)
      this.faults.push(`more than ${ANNOTATIONS_PER_TYPE} annotations of type ${type}`);
  }

  #group(opens: boolean): void {
    // A group ends the one before it; nesting does not exist.
    if (opens === this.#openGroup) this.faults.push(opens ? "a group inside a group" : "endgroup without a group");
    this.#openGroup = opens;
  }

  #resume(token: string): void {
    this.#names.delete(token);
    this.#stopToken = undefined;
  }

  #print(text: string, ...alsoShown: (string | undefined)[]): void {
    const masked = this.#masker.mask(text);
    this.lines.push(...masked.split("\n"));
    for (const shown of [masked, ...alsoShown]) if (shown !== undefined) this.search("log", this.#masker.mask(shown));
  }
}
