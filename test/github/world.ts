/** What everything in a repository is numbered, dated and addressed with. */
export interface World {
  /** `owner/name`. */
  readonly repository: string;
  /** The API's URL of the repository. */
  readonly address: string;
  /** The URL of the repository's page. */
  readonly page: string;
  now(): Date;
  nextId(): number;
  timestamp(): string;
  user(login: string): object;
}

/** Numbers that no 32 bits hold, as GitHub's are. */
const FIRST_ID = 2_147_483_648;

/** A world that begins at `now()`. */
export function makeWorld(api: string, repository: string, now: () => Date): World {
  let id = FIRST_ID;
  const { origin } = new URL(api);
  return {
    repository,
    address: `${api}/repos/${repository}`,
    page: `${origin}/${repository}`,
    now,
    nextId: () => (id += 1),
    timestamp: () =>
      now()
        .toISOString()
        .replace(/\.\d+Z$/, "Z"),
    user: (login) => ({ login, id: login.length, type: login.endsWith("[bot]") ? "Bot" : "User", site_admin: false }),
  };
}
