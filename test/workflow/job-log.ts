import * as z from "zod";

/** A line of `act --json`. Of its fields only `msg` is masked, as a reader of the log would see it. */
const Line = z.looseObject({
  msg: z.string(),
  job: z.string().optional(),
  step: z.string().optional(),
  stage: z.enum(["Pre", "Main", "Post"]).optional(),
  stepID: z.array(z.string()).optional(),
  stepResult: z.string().optional(),
  jobResult: z.string().optional(),
  raw_output: z.boolean().optional(),
  command: z.string().optional(),
  kvPairs: z.record(z.string(), z.string()).optional(),
  name: z.string().optional(),
  arg: z.string().optional(),
  content: z.string().optional(),
});

type JobLine = z.infer<typeof Line>;

/** What a run of act said, job by job and step by step. */
export class JobLog {
  readonly #lines: readonly JobLine[];
  readonly #rest: readonly string[];

  constructor(stdout: string, stderr: string) {
    const texts = `${stdout}\n${stderr}`.split("\n").filter((text) => text !== "");
    const isJson = (text: string) => text.startsWith("{");
    this.#lines = texts.filter(isJson).map((text) => Line.parse(JSON.parse(text)));
    this.#rest = texts.filter((text) => !isJson(text));
  }

  /** The whole log as a reader sees it: masked. */
  get text(): string {
    return [...this.#lines.map(({ job = "act", msg }) => `[${job}] ${msg.trimEnd()}`), ...this.#rest].join("\n");
  }

  /** What the programs of a step printed, without what act says itself. */
  printed(step: string, job?: string): readonly string[] {
    return this.#of(job)
      .filter((line) => line.step === step && line.raw_output === true)
      .map(({ msg }) => msg.trimEnd());
  }

  /** The stages of the steps, in order, as `Main OWNER/graph-deploy@v1: success`; a pinned commit is `@commit`. */
  stages(job?: string): readonly string[] {
    return this.#of(job)
      .filter(({ stage, stepResult }) => stage !== undefined && stepResult !== undefined)
      .map(
        ({ stage, step, stepResult }) =>
          `${stage ?? ""} ${(step ?? "").replace(/@[\da-f]{40}$/, "@commit")}: ${stepResult ?? ""}`,
      );
  }

  /** The outputs of a step, by its id or its number. */
  outputs(stepId: string, job?: string): Readonly<Record<string, string>> {
    const set = this.#of(job).filter((line) => line.command === "set-output" && line.stepID?.[0] === stepId);
    return Object.fromEntries(set.map(({ name = "", arg = "" }) => [name, arg]));
  }

  /** The annotations of a type, as they are shown. */
  annotations(type: "error" | "warning", job?: string): readonly string[] {
    return this.#of(job)
      .filter(({ command }) => command === type)
      .map(({ msg }) => msg.trim());
  }

  /** The job summary, as the steps wrote it: nobody masks that file. */
  summary(job?: string): string {
    return this.#of(job)
      .filter(({ command }) => command === "summary")
      .map(({ content = "" }) => content)
      .join("");
  }

  /** How each job ended, by its name, as `success` or `failure`. */
  get jobs(): Readonly<Record<string, string>> {
    const ended = this.#lines.filter(({ jobResult }) => jobResult !== undefined);
    return Object.fromEntries(ended.map(({ job = "", jobResult = "" }) => [job.trim(), jobResult]));
  }

  /** Those of these values that anybody can read in the log, an output or the job summary. */
  leaked(secrets: readonly string[]): readonly string[] {
    const outputs = this.#lines.filter(({ command }) => command === "set-output").map(({ arg = "" }) => arg);
    const readable = [this.text, ...outputs, this.summary()].join("\n");
    return secrets.filter((secret) => readable.includes(secret));
  }

  #of(job: string | undefined): readonly JobLine[] {
    return job === undefined ? this.#lines : this.#lines.filter((line) => line.job?.trim() === job);
  }
}
