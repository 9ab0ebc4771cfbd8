import { mkdir, mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import * as z from "zod";
import { findFiles } from "../../src/files/find-files.ts";
import type { Clock } from "../../src/http/clock.ts";
import { HttpClient } from "../../src/http/http-client.ts";
import { Tracing } from "../../src/tracing/client/client.ts";
import type { TraceEvent } from "../../src/trace-files/events.ts";
import type { TraceRequest } from "../../src/trace-files/request.ts";
import { dryRunTraces, uploadTraces } from "../../src/trace-files/upload.ts";
import { Endpoint } from "../../src/http/endpoint.ts";
import { FastClock } from "../wire/clocks.ts";
import { writeFiles } from "../write-files.ts";

const Line = z.record(z.string(), z.unknown());

/** A workspace and the workflow, for a service at this address. */
export async function traceRig(url: string, clock: Clock = new FastClock()) {
  const root = await mkdtemp(join(tmpdir(), "graph-deploy-traces-"));
  const folder = async (name: string) => {
    await mkdir(join(root, name));
    return join(root, name);
  };
  const [workspace, spool, temp] = [await folder("workspace"), await folder("spool"), await folder("temp")];
  const cancellation = new AbortController();
  const { signal } = cancellation;
  const http = new HttpClient({ clock, random: () => 1, signal });
  onTestFinished(async () => {
    await http.close();
    await rm(root, { recursive: true, force: true });
  });
  const events: TraceEvent[] = [];
  const hooks: { onRead: () => void } = { onRead: () => undefined };
  const emit = (event: TraceEvent) => {
    if (event.type === "read") hooks.onRead();
    // How often these come is a matter of time.
    if (event.type !== "reading" && event.type !== "upload-progress") events.push(event);
  };
  const tracing = new Tracing({ endpoint: new Endpoint(url, { apiKey: "key" }), http });
  const deps = { clock, signal, emit };
  const requestOf = async (patterns: readonly string[], sessionName: string): Promise<TraceRequest> => ({
    files: (await findFiles(patterns, workspace)).files,
    format: undefined,
    sessionName,
  });
  return {
    workspace,
    cancellation,
    events,
    /** What happens when all files were read for the first time. */
    hooks,
    write: async (files: Readonly<Record<string, string>>) => {
      await writeFiles(workspace, files);
    },
    upload: async (patterns: readonly string[] = ["*"]) =>
      await uploadTraces(await requestOf(patterns, "tests"), {
        ...deps,
        tracing,
        spoolDirectory: spool,
        unsentDirectory: temp,
      }),
    dryRun: async (patterns: readonly string[] = ["*"]) =>
      await dryRunTraces(await requestOf(patterns, "tests"), { ...deps, requestDirectory: temp }),
    /** The lines of the file of unsent runs. */
    unsent: async () => {
      const event = events.find(({ type }) => type === "unsent-written");
      const text = event?.type === "unsent-written" ? await readFile(event.path, "utf8") : "";
      return text.split("\n").flatMap((line) => (line === "" ? [] : [Line.parse(JSON.parse(line))]));
    },
    /** What is left in the folder for temporary files. */
    left: async () => await readdir(temp),
  };
}
