import { createHash, hash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import {
  copyFileSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
} from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import * as z from "zod";
import { jsonColumn, type Database } from "./database.ts";
import { HttpError } from "../http/error.ts";

/** 200 MiB, the limit of the public service's signed URLs. */
export const UPLOAD_LIMIT_BYTES = 200 * 1024 * 1024;

const URL_LIFETIME_MS = 15 * 60 * 1000;

// Ends the name of a file until its upload is complete.
const PART = ".part";

const Row = z.object({
  path: z.string(),
  deployment_id: z.string(),
  file: z.string(),
  /** SHA-256 of the signature: reading the database must not allow an upload. */
  signature: z.string(),
  expires_at: z.number(),
  headers: jsonColumn(z.record(z.string(), z.string())),
  /** SHA-256 of the object; null until it is uploaded. */
  digest: z.string().nullable(),
});
type ObjectRow = z.infer<typeof Row>;

/** The uploaded source tarballs: metadata in the database, bytes in files. */
export class ObjectStore {
  readonly #database: Database;
  readonly #kept: string | undefined;
  #temporary?: string;

  /** Files go to `directory`, or to a temporary directory that `close` removes. */
  constructor(database: Database, directory: string | undefined) {
    this.#database = database;
    this.#kept = directory === undefined ? undefined : join(directory, "objects");
    // Left over from a service that was killed: the state is locked, so no other service uses them.
    const names = this.#kept !== undefined && existsSync(this.#kept) ? readdirSync(this.#kept) : [];
    for (const name of names) if (name.endsWith(PART)) rmSync(join(this.#kept ?? "", name), { force: true });
  }

  /** A path for a new object of the deployment, and path and signed query for one upload, relative to the service. */
  issue(deploymentId: string, headers: Readonly<Record<string, string>> = {}) {
    const id = randomUUID();
    const objectPath = `sources/${deploymentId}/${id}.tar.gz`;
    const signature = randomBytes(32).toString("hex");
    const expires = Date.now() + URL_LIFETIME_MS;
    this.#database.insert("objects", {
      path: objectPath,
      deployment_id: deploymentId,
      file: `${id}.tar.gz`,
      signature: hash("sha256", signature),
      expires_at: expires,
      headers: JSON.stringify(headers),
    });
    return { objectPath, target: `/objects/${objectPath}?expires=${String(expires)}&signature=${signature}` };
  }

  /**
   * Stores the bytes of an object. A URL is valid for one object: of several uploads the first that is complete wins, and
   * any other is only accepted with the same bytes, from a client that did not get our response.
   */
  async receive(
    objectPath: string,
    query: URLSearchParams,
    headers: IncomingHttpHeaders,
    body: AsyncIterable<Buffer>,
  ): Promise<void> {
    const row = this.#checkTicket(objectPath, query, headers);
    const length = Number(headers["content-length"] ?? Number.NaN);
    if (Number.isNaN(length)) throw new HttpError(411, "An upload needs a Content-Length.", { connection: "close" });
    if (length > UPLOAD_LIMIT_BYTES) {
      throw new HttpError(413, `An object may have at most ${String(UPLOAD_LIMIT_BYTES)} bytes.`, {
        connection: "close",
      });
    }
    const part = join(this.#directory(), `${row.file}.${randomUUID()}${PART}`);
    try {
      const digest = await writeFile(part, body);
      // Read again: another upload may have been completed, or the deployment deleted, in the meantime.
      const now = this.#get(objectPath);
      if (!now || (now.digest !== null && now.digest !== digest)) {
        throw new HttpError(403, "The signed URL has been used.");
      }
      const file = join(this.#directory(), row.file);
      renameSync(part, file);
      try {
        this.#setDigest(objectPath, digest);
      } catch (error) {
        // The disk is full: what is not stored takes no room of it either.
        if (now.digest === null) rmSync(file, { force: true });
        throw error;
      }
    } finally {
      rmSync(part, { force: true });
    }
  }

  /** True if the path was issued for this deployment and its object is uploaded. */
  isUploaded(deploymentId: string, objectPath: string): boolean {
    const row = this.#get(objectPath);
    return row?.deployment_id === deploymentId && row.digest !== null;
  }

  /** The file of an object; undefined until it is uploaded. */
  file(objectPath: string): string | undefined {
    const row = this.#get(objectPath);
    return row?.digest == null ? undefined : join(this.#directory(), row.file);
  }

  /** The SHA-256 of an object, in hex; undefined until it is uploaded. */
  digest(objectPath: string): string | undefined {
    return this.#get(objectPath)?.digest ?? undefined;
  }

  /** Another object with the same bytes, as another user would have uploaded it. */
  duplicate(deploymentId: string, objectPath: string): string {
    const row = this.#get(objectPath);
    const copy = this.issue(deploymentId).objectPath;
    const file = this.#get(copy)?.file;
    if (row?.digest == null || file === undefined) return objectPath;
    copyFileSync(join(this.#directory(), row.file), join(this.#directory(), file));
    this.#setDigest(copy, row.digest);
    return copy;
  }

  filesOf(deploymentId: string): readonly string[] {
    const rows = this.#database.all(Row, "SELECT * FROM objects WHERE deployment_id = :deploymentId", { deploymentId });
    return rows.map(({ file }) => join(this.#directory(), file));
  }

  /** Deletes files; call it when their rows are gone with the deployment. */
  remove(files: readonly string[]): void {
    for (const file of files) {
      try {
        rmSync(file, { force: true });
      } catch {
        // Windows keeps a file that a build is reading. Without its row it cannot be reached any more.
      }
    }
  }

  close(): void {
    if (this.#temporary !== undefined) rmSync(this.#temporary, { recursive: true, force: true });
  }

  #checkTicket(objectPath: string, query: URLSearchParams, headers: IncomingHttpHeaders): ObjectRow {
    const row = this.#get(objectPath);
    const given = Buffer.from(hash("sha256", query.get("signature") ?? ""));
    if (!row || !timingSafeEqual(given, Buffer.from(row.signature))) {
      throw new HttpError(403, "The signature of the URL is invalid.");
    }
    if (Date.now() > row.expires_at) throw new HttpError(403, "The signed URL has expired.");
    const missing = Object.entries(row.headers).find(([name, value]) => headers[name.toLowerCase()] !== value);
    if (missing) throw new HttpError(403, `The URL was signed for another value of ${missing[0]}.`);
    return row;
  }

  #get(objectPath: string): ObjectRow | undefined {
    return this.#database.one(Row, "SELECT * FROM objects WHERE path = :objectPath", { objectPath });
  }

  #setDigest(objectPath: string, digest: string): void {
    this.#database.run("UPDATE objects SET digest = :digest WHERE path = :objectPath", { objectPath, digest });
  }

  // Created when it is needed: most services in memory never see an upload.
  #directory(): string {
    if (this.#kept !== undefined) {
      mkdirSync(this.#kept, { recursive: true, mode: 0o700 });
      return this.#kept;
    }
    this.#temporary ??= mkdtempSync(join(tmpdir(), "graph-deploy-local-"));
    return this.#temporary;
  }
}

async function writeFile(path: string, body: AsyncIterable<Buffer>): Promise<string> {
  const sha256 = createHash("sha256");
  await pipeline(
    body,
    async function* (chunks) {
      for await (const chunk of chunks) {
        sha256.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(path, { mode: 0o600 }),
  );
  return sha256.digest("hex");
}
