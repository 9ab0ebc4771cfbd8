import type { Host, Run } from "../host.ts";
import type { InputReader } from "./input-reader.ts";
import { distinctSecrets } from "./secrets.ts";
import { keysIn, readServiceConnection, type ServiceInputName, type ServiceConnection } from "./service-connection.ts";

/** The options of a step that uploads files, checked as far as possible without a request and without reading the files. */
export interface UploadOptions<Request> {
  readonly task: "upload" | "dry-run";
  readonly request: Request;
  /** Undefined for a dry run without an address. */
  readonly connection: ServiceConnection | undefined;
  /** The page of the run; undefined where it has none. */
  readonly runUrl: string | undefined;
}

type Reader<Name extends string> = InputReader<Name | ServiceInputName | "dry-run">;

/** What one step reads besides. Errors go to the reader; undefined stands for files that cannot be found out. */
interface UploadReading<Name extends string, Files, Rest> {
  readonly files: (reader: Reader<Name>, host: Host) => Promise<Files | undefined>;
  readonly rest: (
    reader: Reader<Name>,
    known: { readonly keys: readonly string[]; readonly run: Run },
  ) => Promise<Rest> | Rest;
}

/** Reads the options of a step that uploads files. It sends no request. Undefined after an error, which the reader has. */
export async function readUpload<Name extends string, Files extends object, Rest extends object>(
  reader: Reader<Name>,
  host: Host,
  { files: readFiles, rest: readRest }: UploadReading<Name, Files, Rest>,
): Promise<UploadOptions<Files & Rest> | undefined> {
  const isDryRun = reader.boolean("dry-run");
  const files = await readFiles(reader, host);
  const connection = await readServiceConnection(reader, host, { isDryRun });
  const run = await host.run();
  const rest = await readRest(reader, { keys: distinctSecrets(keysIn(host)), run });
  if (files === undefined || (connection === undefined && !isDryRun)) return undefined;
  const task = isDryRun ? "dry-run" : "upload";
  return { task, request: { ...files, ...rest }, connection, runUrl: run.url };
}
