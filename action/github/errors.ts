import type * as z from "zod";

export interface GitHubErrorFacts {
  /** Undefined when there was no response. */
  readonly status?: number | undefined;
  /** The permission that the token lacks, as a workflow writes it: `deployments: write`. */
  readonly missing?: string | undefined;
  readonly mayHaveBeenProcessed?: boolean;
  /** It was not sent, or was refused, because GitHub asked to wait; the wait is over, and what it says may be old. */
  readonly wasHeld?: boolean;
  readonly cause?: unknown;
}

/** GitHub refused a request, or could not be reached. It never fails a step, and is a warning at most. */
export class GitHubError extends Error {
  override readonly name = "GitHubError";
  readonly status: number | undefined;
  readonly missing: string | undefined;
  readonly mayHaveBeenProcessed: boolean;
  readonly wasHeld: boolean;

  constructor(
    message: string,
    { status, missing, mayHaveBeenProcessed = false, wasHeld = false, cause }: GitHubErrorFacts = {},
  ) {
    super(message, { cause });
    this.wasHeld = wasHeld;
    this.status = status;
    this.missing = missing;
    this.mayHaveBeenProcessed = mayHaveBeenProcessed;
  }

  /** What to do about it, as a sentence; undefined where no permission is known to be missing. */
  get advice(): string | undefined {
    return this.missing === undefined ? undefined : `Add \`${this.missing}\` to the \`permissions\` of the job.`;
  }
}

export function isStatus(error: unknown, ...statuses: readonly number[]): error is GitHubError {
  return error instanceof GitHubError && error.status !== undefined && statuses.includes(error.status);
}

/** What a request comes to; undefined where another run has deleted what it is about. */
export async function unlessGone<Result>(
  work: Promise<Result>,
  statuses: readonly number[] = [404],
): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (!isStatus(error, ...statuses)) throw error;
    return undefined;
  }
}

/** True for a refusal that the same request meets again tomorrow, such as a missing right; not for a rate limit. */
export function isLasting(error: unknown): boolean {
  if (!(error instanceof GitHubError)) return false;
  return (
    error.missing !== undefined ||
    (isStatus(error, 401, 403, 404, 410) && !/rate limit|abuse detection/i.test(error.message))
  );
}

/**
 * The permission that a refused request asks for, by the header x-accepted-github-permissions, such as
 * `issues=write; pull_requests=write`; undefined when it names none.
 */
export function permissionIn(header: string | undefined): string | undefined {
  const named = Array.from(
    (header ?? "").matchAll(/([a-z_]{1,60})=(read|write|admin)/g),
    ([, name = "", access = ""]) => ({
      name: name.replaceAll("_", "-"),
      access,
    }),
  );
  // The header of a comment names issues too, which does not suffice on a pull request.
  const chosen = named.find(({ name }) => name === "pull-requests") ?? named[0];
  return chosen && `${chosen.name}: ${chosen.access}`;
}

/** What GitHub returned; GitHubError with this message where it has another form. */
export function parsed<Schema extends z.ZodType>(schema: Schema, data: unknown, otherwise: string): z.output<Schema> {
  const reading = schema.safeParse(data);
  if (reading.success) return reading.data;
  throw new GitHubError(otherwise);
}
