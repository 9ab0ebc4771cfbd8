import { quoted } from "../text/quoted.ts";

// The algorithms that the image specification of the OCI registers with their lengths.
const DIGEST = /@(sha256:[\da-f]{64}|sha512:[\da-f]{128})$/;

/** Reads `[registry[:port]/]name[:tag][@digest]`: a digest, `sha256:…`, names one image for ever. */
export function readImageReference(uri: string) {
  const digest = DIGEST.exec(uri)?.[1];
  const [name = ""] = uri.split("@");
  // A colon before the last slash is that of a port.
  const last = name.slice(name.lastIndexOf("/") + 1);
  const colon = last.indexOf(":");
  return { digest, tag: colon < 0 ? undefined : last.slice(colon + 1) };
}

/** What the tag of an image does not promise, after the image. */
export function taggedImage(image: string, tag: string): string {
  return `${image}: tag ${tag} may name another image later; a digest cannot`;
}

/** A sentence about an image whose name moves on with every push; undefined for one by a digest or by another tag. */
export function floatingImage(uri: string): string | undefined {
  const { digest, tag } = readImageReference(uri);
  if (digest !== undefined || (tag !== undefined && tag !== "latest")) return undefined;
  const what = tag === undefined ? "no tag, which means `latest`" : "the tag `latest`";
  return `Image ${quoted(uri)} has ${what}: every push may change what it names, and a rollback does not bring back what it named before. Name it by its digest, as name@sha256:…, or by a tag of its version.`;
}
