/** What happened to one resource in a run, in the words of the engine's own events. */
export type StepOp =
  | "create"
  | "update"
  | "delete"
  | "same"
  | "read"
  | "refresh"
  | "replace"
  | "create-replacement"
  | "delete-replaced"
  | "discard"
  | "read-replacement"
  | "discard-replaced"
  | "remove-pending-replace"
  | "import"
  | "import-replacement";

/**
 * One step of a run. The stack itself and the default provider are left out: both engines handle them, neither says the
 * same about them. A replacement is three steps (`create-replacement`, `replace`, `delete-replaced`), in the order of
 * the engine.
 */
export interface Step {
  readonly op: StepOp;
  readonly urn: string;
  readonly name: string;
  readonly type: string;
  /**
   * What a refresh found: nothing left (`delete`), what the inputs ask for (`same`), or something else (`update`): the
   * provider's own diff decides. Only of a `refresh` that did not fail.
   */
  readonly found?: "same" | "update" | "delete";
  /** True when the provider answered with an error; a partial failure is one too. */
  readonly failed: boolean;
}

/** One line that the user would see. `urn` is "" where the message belongs to no resource. */
export interface Diagnostic {
  readonly severity: "info" | "info#err" | "warning" | "error";
  /** Without colours and without spaces at its end. */
  readonly message: string;
  /** True for a status line, which the next one overwrites. */
  readonly ephemeral: boolean;
  readonly urn: string;
}

/** Why a resource's inputs were refused; `property` is "" where the provider named none. */
export interface CheckRefusal {
  readonly name: string;
  readonly property: string;
  readonly reason: string;
}

/** How one run of the engine ended. Nothing of it throws: a failed run has `ok: false` and says why in its diagnostics. */
export interface RunResult {
  readonly ok: boolean;
  /** In the order in which they started. */
  readonly steps: readonly Step[];
  /** How often an operation happened: a replacement counts once, as `replace`; a refresh by what it found. */
  readonly changes: Readonly<Partial<Record<StepOp, number>>>;
  readonly diagnostics: readonly Diagnostic[];
  /** Of several refused resources the real engine may report only some; of one resource it reports all. */
  readonly refusals: readonly CheckRefusal[];
  /** The stack's outputs after an up, secrets in plain; empty otherwise. */
  readonly outputs: Readonly<Record<string, unknown>>;
}

/** A resource as the state holds it. A secret in `inputs` and `outputs` is a `Secret`, whatever the engine's encoding. */
export interface ExportedResource {
  readonly urn: string;
  readonly type: string;
  readonly name: string;
  /** "" of a component. */
  readonly id: string;
  readonly custom: boolean;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
  /** The reasons of a partial failure; empty for a healthy resource. */
  readonly initErrors: readonly string[];
  /** True for the old half of a replacement whose deletion is still to be done. */
  readonly deleting: boolean;
}

/** The state, without the stack and its default provider; `text` is the whole of it as it would lie in a file. */
export interface ExportedState {
  readonly resources: readonly ExportedResource[];
  /** Operations that an engine that was killed left open. */
  readonly pendingOperations: readonly { readonly type: string; readonly name: string }[];
  /** To search for what must not be there. Secrets are encrypted in it. */
  readonly text: string;
}

/** What a secret looks like in an exported state. */
export class Secret {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** Choices that hold for one run. */
export interface RunOptions {
  /** A file of the program's directory, instead of the one that the directory's package.json or `index.*` names. */
  readonly program?: string;
  /** How many resources at once; 8 when not given. */
  readonly parallel?: number;
  /** As `--continue-on-error`: without it the first failure ends the run, once what already runs has ended. */
  readonly continueOnError?: boolean;
  /** Called for every line as it comes, so that a test can act while the run runs. */
  readonly onLog?: (line: Diagnostic) => void;
}

/** Choices of a preview. */
export interface PreviewOptions extends RunOptions {
  /** Fail when something would change. */
  readonly expectNoChanges?: boolean;
}

/** Choices of a destroy. */
export interface DestroyOptions extends Omit<RunOptions, "program"> {
  /** The URNs of what is deleted, as `--target` names them; everything when not given. */
  readonly targets?: readonly string[];
}

/** One stack of one program: the tests' own small engine, or the real CLI. Its runs must not overlap. */
export interface PulumiStack {
  readonly engine: "small" | "cli";
  up(options?: RunOptions): Promise<RunResult>;
  preview(options?: PreviewOptions): Promise<RunResult>;
  /** The provider is configured as it was at the last up: the program does not run. */
  refresh(options?: Omit<RunOptions, "program">): Promise<RunResult>;
  /** The provider is configured as it was at the last up: the program does not run. */
  destroy(options?: DestroyOptions): Promise<RunResult>;
  exported(): Promise<ExportedState>;
  /** A key without a namespace gets the project's name as one. */
  setConfig(key: string, value: string, options?: { readonly secret?: boolean }): Promise<void>;
  /** Removes one key of the configuration. */
  removeConfig(key: string): Promise<void>;
  /** The environment of the runs to come; PATH and HOME are added, nothing else. */
  setEnv(env: Readonly<Record<string, string>>): void;
  /** As the first Ctrl-C: nothing new begins, and the provider is asked to end what runs. Resolves once it is asked. */
  cancel(): Promise<void>;
  /** Kills the provider alone, as a full memory would: the engine hears that it is gone. False where none runs. */
  killProvider(): Promise<boolean>;
  /** Ends the current run as an engine that is killed would: what runs is cut off. Its promise resolves with `ok: false`. */
  interrupt(): Promise<void>;
  /** Ends what still runs and removes the engine's own files; the program's directory is left alone. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** What both engines need to open a stack. */
export interface StackOptions {
  /** Absolute; holds the program and its node_modules. */
  readonly directory: string;
  readonly project: string;
  readonly stack: string;
  readonly config?: Readonly<Record<string, string | { readonly secret: string }>>;
  /** The directory of the plugin `graph-deploy`; undefined for dynamic providers alone. */
  readonly plugin?: string | undefined;
  /** The whole environment of the program and of the provider's host but for PATH and HOME. */
  readonly env?: Readonly<Record<string, string>>;
}
