import { chmodSync, closeSync, existsSync, mkdirSync, openSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { GraphDeployError } from "../../contract/graph-deploy-error.ts";
import { noRoom } from "../http/error.ts";
import { Database } from "./database.ts";

/** The data directory cannot be used: it is not a directory, not writable, or in use by another service. */
export class DataDirectoryError extends GraphDeployError {
  readonly code = "LOCAL_DATA_DIRECTORY";
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS deployments (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    document TEXT NOT NULL,
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
    document TEXT NOT NULL,
    status TEXT NOT NULL,
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
    start_time TEXT NOT NULL,
    start_us INTEGER NOT NULL,
    document TEXT NOT NULL,
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
    made INTEGER NOT NULL, -- 0 while only updates of the run have arrived
    session INTEGER REFERENCES sessions (seq), -- null until the run is made
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

// Raised with each change of a table: the state of another version is rejected, not guessed at.
const SCHEMA_VERSION = 6;

const STATE_FILE = "state.sqlite";
// Uploaded sources, and sources extracted for agents.
const OWN_DIRECTORIES: readonly string[] = ["objects", "agents"];

// A service that is just stopping may still hold the lock for a moment.
const LOCK_TIMEOUT_MS = 300;

/** Opens the state in a directory, with an exclusive lock; without a directory the state lives as long as the process. */
export function openDatabase(directory: string | undefined): Database {
  if (directory === undefined) {
    // SQLite keeps a nameless database in memory, and spills to a temporary file when it grows.
    const temporary = new Database("");
    temporary.exec(`PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; ${SCHEMA}`);
    return temporary;
  }
  try {
    keepPrivate(directory);
    const database = new Database(join(directory, STATE_FILE), { timeout: LOCK_TIMEOUT_MS });
    // The exclusive lock ends with the process, however that ends: no stale lock file is possible.
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
    database.exec("BEGIN EXCLUSIVE; COMMIT");
    // Nothing is written for a state that is there: it can be read from a full disk, too.
    const version = database.prepare("PRAGMA user_version").get()?.["user_version"];
    // The version of a new file is 0.
    if (version === 0) database.exec(`${SCHEMA}; PRAGMA user_version = ${String(SCHEMA_VERSION)}`);
    else if (version !== SCHEMA_VERSION) {
      database.close();
      throw new DataDirectoryError(`The data directory ${directory} holds the state of another version.`, {
        advice: "Remove the directory, or choose another one.",
      });
    }
    return database;
  } catch (cause) {
    if (cause instanceof DataDirectoryError) throw cause;
    const locked = /locked|busy/i.test(String(cause));
    const full = noRoom(cause);
    const said = cause instanceof Error ? cause.message.replace(/\.$/, "") : String(cause);
    const reason = locked ? "another local service is using it" : full || said;
    const advice =
      full === "" ? "Choose a directory that you can write to." : "Free some space, or choose another directory.";
    throw new DataDirectoryError(`The data directory ${directory} cannot be used: ${reason}.`, {
      cause,
      advice: locked ? "Stop that service, or choose another directory." : advice,
    });
  }
}

/**
 * Makes the state readable for its owner only: it holds uploads and the output of agents. A directory that also holds
 * other files keeps its mode, since it may be the home or the temporary directory.
 */
function keepPrivate(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  if (readdirSync(directory).every((name) => name.startsWith(STATE_FILE) || OWN_DIRECTORIES.includes(name))) {
    chmodSync(directory, 0o700);
  }
  // Created before SQLite does it, which gives its journals the mode of this file.
  closeSync(openSync(join(directory, STATE_FILE), "a", 0o600));
  for (const name of [STATE_FILE, `${STATE_FILE}-wal`, `${STATE_FILE}-shm`, ...OWN_DIRECTORIES]) {
    const path = join(directory, name);
    if (existsSync(path)) chmodSync(path, OWN_DIRECTORIES.includes(name) ? 0o700 : 0o600);
  }
}
