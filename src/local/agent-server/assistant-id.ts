import { createHash } from "node:crypto";

// RFC 9562 §5.5. The namespace is the one that agent servers use, so that clients find the ids they know.
const GRAPH_NAMESPACE = Buffer.from("6ba7b8219dad11d180b400c04fd430c8", "hex");

/** The id of the assistant that an agent server makes for a graph by itself: the same on every server. */
export function assistantIdOf(graphId: string): string {
  const bytes = createHash("sha1").update(GRAPH_NAMESPACE).update(graphId).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
