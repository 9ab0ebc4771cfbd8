import type { RevisionConfigInput } from "../contract/source.ts";
import type { DeploySource } from "./request.ts";

/**
 * The configuration of a revision of this source. For a directory the path of the configuration file is relative to it,
 * as the user wrote it: the archive's root may lie above, and the tarball's path comes with the upload.
 */
export function revisionConfigOf(source: DeploySource): RevisionConfigInput {
  switch (source.source) {
    case "internal_source":
      return { graph_config_path: source.graphConfig };
    case "github":
      return { repo_ref: source.repoRef, graph_config_path: source.graphConfig };
    case "external_docker":
      return { image_uri: source.imageUri };
  }
}
