import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import * as z from "zod";
import type { LockedPackage, LockedPackages } from "./locked-packages.ts";

const UPSTREAM = "https://registry.npmjs.org";
const Publication = z.looseObject({
  name: z.string(),
  _attachments: z.record(z.string(), z.object({ data: z.base64() })),
});

/**
 * A registry of npm on loopback. It takes a package and hands it out again; of all others it has the versions that the
 * project's lock names, whose archives npm has in its cache since `npm ci`, or else gets from the public registry.
 */
export class LocalRegistry implements AsyncDisposable {
  readonly #server: Server;
  readonly #others: ReadonlyMap<string, Readonly<Record<string, LockedPackage>>>;
  readonly #published = new Map<string, unknown>();
  readonly #archives = new Map<string, Buffer>();

  private constructor(locked: LockedPackages) {
    const others = new Map<string, Record<string, LockedPackage>>();
    for (const [path, entry] of Object.entries(locked.closureOf(Object.keys(locked.own.dependencies ?? {})))) {
      const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      others.set(name, { ...others.get(name), [entry.version ?? ""]: entry });
    }
    this.#others = others;
    this.#server = createServer((request, response) => {
      void this.#answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
    });
  }

  static async start(locked: LockedPackages): Promise<LocalRegistry> {
    const registry = new LocalRegistry(locked);
    registry.#server.listen(0, "127.0.0.1");
    await once(registry.#server, "listening");
    return registry;
  }

  /** Without a slash at its end. */
  get url(): string {
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = decodeURIComponent(request.url ?? "").slice(1);
    if (request.method === "PUT") {
      const { _attachments, ...document } = Publication.parse(await json(request));
      this.#published.set(document.name, document);
      for (const [file, { data }] of Object.entries(_attachments)) {
        this.#archives.set(`${document.name}/-/${file}`, Buffer.from(data, "base64"));
      }
      response.writeHead(201).end("{}");
      return;
    }
    const document = this.#published.get(path) ?? this.#documentOf(path);
    const archive = this.#archives.get(path);
    if (document !== undefined) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
    } else if (archive) {
      response.writeHead(200, { "content-type": "application/octet-stream" }).end(archive);
    } else {
      response.writeHead(302, { location: `${UPSTREAM}/${path}` }).end();
    }
  }

  /** What a registry says of a package, with the versions of the lock. */
  #documentOf(name: string): object | undefined {
    const locked = this.#others.get(name);
    if (!locked) return undefined;
    const base = name.slice(name.lastIndexOf("/") + 1);
    const versions = Object.entries(locked).map(([version, { integrity, ...entry }]) => {
      const dist = { integrity, tarball: `${this.url}/${name}/-/${base}-${version}.tgz` };
      return [version, { ...entry, name, version, dist }] as const;
    });
    return { name, "dist-tags": { latest: versions.at(-1)?.[0] }, versions: Object.fromEntries(versions) };
  }
}
