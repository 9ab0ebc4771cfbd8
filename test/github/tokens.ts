import { Refusal } from "./answer.ts";

type Access = "none" | "read" | "write";

/** The rights of a token, by the names that a workflow's `permissions:` has. */
export interface Permissions {
  readonly contents?: Access;
  readonly deployments?: Access;
  readonly issues?: Access;
  readonly "pull-requests"?: Access;
  readonly statuses?: Access;
}

/** Who asks, and what they may. */
export interface Identity {
  /** `github-actions[bot]` for the token of a job. */
  readonly login: string;
  readonly permissions: Permissions;
}

/** One right that a request needs. */
export interface Right {
  readonly on: keyof Permissions;
  readonly access: "read" | "write";
}

export const BOT = "github-actions[bot]";
/** What a job needs for all that the steps do. */
export const ALL: Permissions = { contents: "read", deployments: "write", "pull-requests": "write", statuses: "write" };
/** What a job of a fork or of Dependabot has, whatever its workflow says. */
export const READ_ONLY: Permissions = {
  contents: "read",
  deployments: "read",
  issues: "read",
  "pull-requests": "read",
  statuses: "read",
};

/** The tokens that the server knows. */
export class Tokens {
  readonly #identities = new Map<string, Identity>();

  /** A new token. */
  issue({ login = BOT, permissions = ALL }: Partial<Identity> = {}): string {
    const token = `ghs_${String(this.#identities.size + 1).padStart(36, "0")}`;
    this.#identities.set(token, { login, permissions });
    return token;
  }

  /** Who sent a request with this `authorization`. */
  identify(authorization: string | undefined): Identity {
    const [, token = ""] = /^(?:token|bearer) (\S+)$/i.exec(authorization ?? "") ?? [];
    const identity = this.#identities.get(token);
    if (identity === undefined) throw new Refusal(401, token === "" ? "Requires authentication" : "Bad credentials");
    return identity;
  }
}

/** The header that names what a route asks for. */
export function acceptedPermissions(rights: readonly Right[]): Record<string, string> {
  const words = rights.map(({ on, access }) => `${on.replace("-", "_")}=${access}`);
  return { "x-accepted-github-permissions": words.join("; ") };
}

/** Refuses whoever lacks all of these rights; the first is the one that counts. */
export function authorize({ permissions }: Identity, rights: readonly Right[]): void {
  // GitHub's header names `issues` as well for a comment, but on a pull request only the other right opens the door.
  const [needed] = rights;
  if (needed === undefined) return;
  const given = permissions[needed.on] ?? "none";
  if (given === "write" || given === needed.access) return;
  throw new Refusal(403, "Resource not accessible by integration", { headers: acceptedPermissions(rights) });
}
