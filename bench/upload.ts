import { randomBytes } from "node:crypto";
import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { connect, Redactor } from "../src/index.ts";
import { bench, count } from "./options.ts";
import { startUploadServer } from "./process.ts";
import { ratioTo, runRounds, type Result, timed } from "./rounds.ts";
import { megabytes, targetLine } from "./table.ts";
import { claimOf, timesTable } from "./times.ts";

const OURS = "upload of a deploy";
const UNDICI = "undici PUT";
const SHARE = 0.8;
const MEBIBYTE = 1024 * 1024;
const DEPLOYMENT = "00000000-0000-4000-8000-000000000000";

/** Uploads a spooled archive as a deploy does, and the same file with nothing but undici, to a server on loopback. */
export const upload = bench(
  "uploading a spooled archive, against nothing but undici",
  {
    rounds: count("rounds, without the one that is dropped", 15),
    mebibytes: count("the size of the archive, in MiB", 165),
  },
  async ({ rounds, mebibytes }) => {
    print(await measured(mebibytes, rounds), mebibytes * MEBIBYTE);
  },
  async () => {
    const results = await measured(64, 4);
    return [claimOf(`${OURS}, of ${UNDICI}`, results, { ours: OURS, theirs: UNDICI, most: 3 })];
  },
);

async function measured(mebibytes: number, rounds: number): Promise<readonly Result[]> {
  const work = mkdtempSync(join(tmpdir(), "graph-deploy-bench-upload-"));
  using server = await startUploadServer();
  try {
    const spool = { file: join(work, "source.tar.gz"), bytes: mebibytes * MEBIBYTE };
    await fill(spool.file, mebibytes);
    return await measure(server.url, spool, rounds);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** An archive on disk. */
interface Spool {
  readonly file: string;
  readonly bytes: number;
}

// What is compressed looks random.
async function fill(file: string, mebibytes: number): Promise<void> {
  await using handle = await open(file, "w");
  for (let written = 0; written < mebibytes; written += 1) await handle.write(randomBytes(MEBIBYTE));
}

async function measure(url: string, spool: Spool, rounds: number): Promise<readonly Result[]> {
  await using connection = connect({ url, redactor: new Redactor() });
  const agent = new Agent({ allowH2: false });
  const ours = async () => {
    await connection.controlPlane.upload(DEPLOYMENT, spool, { onProgress: () => undefined });
  };
  const bare = async () => {
    const body = createReadStream(spool.file, { highWaterMark: MEBIBYTE });
    const headers = { "content-type": "application/gzip", "content-length": String(spool.bytes) };
    const answer = await request(`${url}/store/bare.tar.gz`, { method: "PUT", headers, body, dispatcher: agent });
    const received: unknown = await answer.body.json();
    if (JSON.stringify(received) !== JSON.stringify({ bytes: spool.bytes })) throw new Error("the file was cut");
  };
  try {
    return await runRounds([timed(OURS, ours), timed(UNDICI, bare)], rounds);
  } finally {
    await agent.close();
  }
}

function print(results: readonly Result[], bytes: number): void {
  const [ours, bare] = results;
  if (ours === undefined || bare === undefined) return;
  console.log(`${megabytes(bytes)} MB to a server on loopback\n`);
  for (const line of timesTable(results, bare)) console.log(line);
  const share = ratioTo(ours, bare);
  console.log("");
  console.log(targetLine(`at least ${SHARE} of the throughput of undici`, share.toFixed(2), share >= SHARE));
}
