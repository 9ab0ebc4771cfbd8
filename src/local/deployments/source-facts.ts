import { readImageReference } from "../../contract/image.ts";
import { markup, type Content } from "../../pages/markup.ts";
import { codeCell } from "../pages/cells.ts";
import type { DeploymentView, RevisionView } from "./view.ts";

// Addresses and digests are longer than names.
const SHOWN_CHARACTERS = 300;
const UNKNOWN_COMMIT = markup`<span class="soft">unknown: the local service does not fetch repositories</span>`;

/** What a revision is made of: the source, and what identifies it; for a list of facts. */
export function sourceFacts(
  { source, source_config }: Pick<DeploymentView, "source" | "source_config">,
  config: RevisionView["source_revision_config"],
  archiveDigest: string | undefined,
): readonly (readonly [name: string, value: Content])[] {
  const { repo_ref, image_uri, source_tarball_path, graph_config_path } = config;
  const repository = source_config["repo_url"];
  // SHA-1 or SHA-256. A shorter one may be the name of a branch.
  const isCommit = repo_ref !== null && /^(?:[\da-f]{40}|[\da-f]{64})$/.test(repo_ref);
  const commit = isCommit ? code(repo_ref) : UNKNOWN_COMMIT;
  return [
    ["Source", source],
    ["Repository", code(typeof repository === "string" ? withoutLogin(repository) : undefined)],
    ["Reference", code(repo_ref)],
    ["Commit", source === "github" && commit],
    ["Image", code(image_uri)],
    ["Digest", code(readImageReference(image_uri ?? "").digest)],
    ["Archive", code(source_tarball_path)],
    ["SHA-256 of the archive", code(archiveDigest)],
    ["Configuration", code(graph_config_path)],
  ];
}

function code(text: string | null | undefined): Content {
  return codeCell(text, SHOWN_CHARACTERS);
}

function withoutLogin(address: string): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  if (url.username === "" && url.password === "") return address;
  url.username = "";
  url.password = "";
  return url.href;
}
