import { isUuid } from "../../contract/uuid.ts";
import { listed, quoted } from "../../text/quoted.ts";
import { TracerSessionError } from "../client/errors.ts";

/** The project of the runs: its name, its id, or both if they name the same project. */
export interface TracerSession {
  /** The name of the project. */
  readonly session_name?: string | null | undefined;
  /** The contract says only that it is a text. Where it is not a UUID, `onWarning` is called. */
  readonly session_id?: string | null | undefined;
}

const FIELDS = ["session_name", "session_id"] as const;
// How callers might name a project among the options of a run.
const OF_THE_TRACER = ["session", "session_name", "session_id"];
const NOT_A_UUID =
  "The `session_id` of a Tracer is not a UUID, and some services reject all its runs. A name belongs in `session_name`.";
const ADVICE = 'Name the project as `session: { session_name: "support-agent" }`.';

/** The project as it is sent; `warn` gets what some services reject in it. Throws TracerSessionError for one that the service would ignore and use another project. */
export function readSession(given: unknown, warn?: (message: string) => void): TracerSession {
  const error = errorOf(given);
  if (error !== undefined) throw new TracerSessionError(`The \`session\` of a Tracer ${error}.`, { advice: ADVICE });
  const session: TracerSession = Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value != null));
  // In the background nobody sees that a service rejects every run.
  if (session.session_id != null && !isUuid(session.session_id)) warn?.(NOT_A_UUID);
  return session;
}

/** Throws TracerSessionError where a run names a project: it belongs to the project of its tracer. */
export function refuseSession(options: object): void {
  const field = OF_THE_TRACER.find((name) => name in options);
  if (field === undefined) return;
  throw new TracerSessionError(`\`${field}\` is not an option of a run: a run belongs to the project of its Tracer.`, {
    advice: "Make another Tracer for another project.",
  });
}

function errorOf(given: unknown): string | undefined {
  if (given === undefined || given === null) return "is missing";
  if (typeof given !== "object") return "must be an object";
  const fields = new Map<string, unknown>(Object.entries(given).filter(([, value]) => value != null));
  const unknown = [...fields.keys()].find((name) => !FIELDS.some((known) => known === name));
  if (unknown !== undefined) return `has an unknown field ${quoted(unknown)}; it takes ${listed(FIELDS)}`;
  if (fields.size === 0) return `has neither ${FIELDS.join(" nor ")}`;
  const [name, id] = [fields.get("session_name"), fields.get("session_id")];
  if (name !== undefined && (typeof name !== "string" || name.trim() === "")) return "has an empty session_name";
  if (id !== undefined && (typeof id !== "string" || id.trim() === "")) return "has an empty session_id";
  return undefined;
}
