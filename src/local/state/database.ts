import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { GraphDeployError } from "../../contract/graph-deploy-error.ts";

/** The data directory cannot be used: it is no folder, is not writable, or another service works in it. */
export class DataDirectoryError extends GraphDeployError {
  readonly code = "LOCAL_DATA_DIRECTORY";
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS deployments (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    source TEXT NOT NULL,
    source_config TEXT NOT NULL,
    secret_names TEXT NOT NULL,
    status TEXT NOT NULL,
    active_revision_id TEXT,
    agent_port INTEGER,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS revisions (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    deployment_id TEXT NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,
    config TEXT NOT NULL,
    status TEXT NOT NULL,
    status_message TEXT,
    history TEXT NOT NULL,
    graphs TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS revisions_of ON revisions (deployment_id, seq);
  CREATE TABLE IF NOT EXISTS objects (
    path TEXT PRIMARY KEY,
    deployment_id TEXT NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,
    file TEXT NOT NULL,
    signature TEXT NOT NULL,
    expires_at INTEGER NOT NULL,
    headers TEXT NOT NULL,
    digest TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS log_lines (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    revision_id TEXT NOT NULL REFERENCES revisions (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    timestamp TEXT NOT NULL,
    level TEXT NOT NULL,
    message TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS log_lines_of ON log_lines (revision_id, kind, id);
  CREATE TABLE IF NOT EXISTS datasets (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    description TEXT,
    externally_managed INTEGER NOT NULL,
    example_count INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    modified_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS experiments (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    dataset_id TEXT NOT NULL REFERENCES datasets (id) ON DELETE CASCADE,
    name TEXT NOT NULL UNIQUE,
    description TEXT,
    start_time TEXT NOT NULL,
    start_us INTEGER NOT NULL,
    end_time TEXT NOT NULL,
    metadata TEXT,
    summary_scores TEXT,
    number INTEGER NOT NULL,
    upload INTEGER NOT NULL UNIQUE,
    statistics TEXT NOT NULL,
    counted_at INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS experiments_of ON experiments (dataset_id, seq);
  CREATE TABLE IF NOT EXISTS experiment_rows (
    seq INTEGER PRIMARY KEY,
    upload INTEGER NOT NULL,
    position INTEGER NOT NULL,
    row_id TEXT NOT NULL,
    start_us INTEGER NOT NULL,
    end_us INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    scores TEXT NOT NULL, -- before the text, which may be long: SQLite reads a row from its beginning
    json TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS experiment_rows_of ON experiment_rows (upload, position);
  CREATE INDEX IF NOT EXISTS experiment_rows_by_id ON experiment_rows (upload, row_id, position);
  CREATE TABLE IF NOT EXISTS sessions (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    created_at TEXT NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS runs (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    made INTEGER NOT NULL, -- 0 while only what adds to the run has come
    session INTEGER REFERENCES sessions (seq), -- null until it is made
    trace_id TEXT NOT NULL,
    parent_id TEXT,
    dotted_order TEXT NOT NULL,
    name TEXT,
    run_type TEXT,
    start_ms REAL NOT NULL,
    end_ms REAL,
    failed INTEGER NOT NULL,
    fields TEXT NOT NULL,
    inputs TEXT,
    outputs TEXT,
    events TEXT
  ) STRICT;
  CREATE INDEX IF NOT EXISTS runs_of_trace ON runs (trace_id, dotted_order) WHERE made = 1;
  CREATE INDEX IF NOT EXISTS runs_of_session ON runs (session, dotted_order);
  CREATE INDEX IF NOT EXISTS root_runs ON runs (session, start_ms) WHERE id = trace_id AND made = 1;
  CREATE INDEX IF NOT EXISTS failed_runs ON runs (trace_id) WHERE failed = 1 AND made = 1;
  CREATE TABLE IF NOT EXISTS run_attachments (
    run_id TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    PRIMARY KEY (run_id, name)
  ) STRICT, WITHOUT ROWID;
`;

// Raised with each change of a table: the state of another version is refused, not guessed at.
const SCHEMA_VERSION = 4;

const STATE_FILE = "state.sqlite";
/** Of the uploaded sources, and of those that are unpacked for agents. */
const OWN_FOLDERS: readonly string[] = ["objects", "agents"];

// A service that was just told to stop may still hold the lock for a moment.
const LOCK_TIMEOUT_MS = 300;

/** Opens the state in a folder, which this process then has for itself; it is gone at the end when none is given. */
export function openDatabase(directory: string | undefined): DatabaseSync {
  if (directory === undefined) {
    // SQLite keeps a nameless database in memory while it is small, and the rest in a file that has no name either.
    const passing = new DatabaseSync("");
    passing.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; ${SCHEMA}`);
    return passing;
  }
  try {
    keepPrivate(directory);
    const database = new DatabaseSync(join(directory, STATE_FILE), { timeout: LOCK_TIMEOUT_MS });
    // The exclusive lock ends with the process, however it ends: no lock file can be left behind.
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    database.exec("BEGIN EXCLUSIVE; COMMIT");
    checkVersion(database, directory);
    database.exec(`${SCHEMA}; PRAGMA user_version = ${String(SCHEMA_VERSION)}`);
    return database;
  } catch (cause) {
    if (cause instanceof DataDirectoryError) throw cause;
    const locked = /locked|busy/i.test(String(cause));
    const reason = locked ? "another local service works in it" : reasonOf(cause);
    throw new DataDirectoryError(`The data directory ${directory} cannot be used: ${reason}.`, {
      cause,
      advice: locked ? "Stop that one, or name another folder." : "Name a folder that you can write to.",
    });
  }
}

/**
 * Lets nobody but the owner read the state: what was uploaded, and what agents print. A folder that holds other things
 * than ours keeps its mode, since it may be the home or the temporary folder.
 */
function keepPrivate(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (readdirSync(directory).every((name) => name.startsWith(STATE_FILE) || OWN_FOLDERS.includes(name))) {
    chmodSync(directory, 0o700);
  }
  // Made before SQLite makes it, which gives its journals the mode of the file.
  closeSync(openSync(join(directory, STATE_FILE), "a", 0o600));
  for (const name of [STATE_FILE, `${STATE_FILE}-wal`, `${STATE_FILE}-shm`, ...OWN_FOLDERS]) {
    const path = join(directory, name);
    if (existsSync(path)) chmodSync(path, OWN_FOLDERS.includes(name) ? 0o700 : 0o600);
  }
}

// SQLite has 0 in a new file.
function checkVersion(database: DatabaseSync, directory: string): void {
  const version = database.prepare("PRAGMA user_version").get()?.["user_version"];
  if (version === 0 || version === SCHEMA_VERSION) return;
  database.close();
  throw new DataDirectoryError(`The data directory ${directory} holds the state of another version.`, {
    advice: "Remove the folder, or name another one.",
  });
}

/** A column that holds 0 or 1. */
export const flag = z.number().transform((value) => value === 1);

/** A column that holds JSON. */
export function jsonColumn<Schema extends z.ZodType>(schema: Schema) {
  return z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(schema);
}

/** Now, as the service writes times. */
export function timestamp(milliseconds = Date.now()): string {
  return new Date(milliseconds).toISOString();
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message.replace(/\.$/, "") : String(cause);
}

/** All that the work writes is there, or nothing of it. The work may not wait: all share one connection. */
export function atomically<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec("BEGIN");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}
