import type { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { noRoom } from "../../../src/local/http/error.ts";
import { openDatabase } from "../../../src/local/state/data-directory.ts";
import { atomically } from "../../../src/local/state/database.ts";
import { folder } from "../caller.ts";

const LONG = "x".repeat(10_000);

function insert(database: DatabaseSync, name: string, description = ""): void {
  database
    .prepare(
      `INSERT INTO datasets (id, name, description, externally_managed, example_count, created_at, modified_at)
       VALUES (?, ?, ?, 1, 0, '', '')`,
    )
    .run(name, name, description);
}

const namesIn = (database: DatabaseSync) =>
  database
    .prepare("SELECT name FROM datasets ORDER BY seq")
    .all()
    .map(({ name }) => name);

/** What the work throws. */
function thrownBy(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}

test.each([
  ["in a directory", folder],
  ["in memory", () => Promise.resolve(undefined)],
])(
  "a state %s that finds no room rolls back, says so, can be read, and goes on when there is room",
  async (_where, directoryOf) => {
    const database = openDatabase(await directoryOf());
    onTestFinished(() => {
      database.close();
    });
    insert(database, "before");
    // SQLite sets no limit below what is used.
    database.exec("PRAGMA max_page_count = 1");
    const fill = () => {
      insert(database, "half");
      for (let index = 0; index < 100; index += 1) insert(database, `row ${String(index)}`, LONG);
    };
    const error = thrownBy(() => atomically(database, fill));
    expect(error).toMatchObject({ message: "database or disk is full" });
    expect(noRoom(error)).toBe("its disk is full");
    expect([database.isTransaction, namesIn(database)]).toEqual([false, ["before"]]);
    // An error of our own still rolls back.
    const own = new Error("of the work");
    const thrown = thrownBy(() =>
      atomically(database, () => {
        insert(database, "half");
        throw own;
      }),
    );
    expect([thrown, namesIn(database)]).toEqual([own, ["before"]]);
    database.exec("PRAGMA max_page_count = 100000");
    atomically(database, fill);
    expect(namesIn(database)).toHaveLength(102);
  },
);
