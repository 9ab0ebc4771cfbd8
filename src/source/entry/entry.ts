/** One member of the archive. Directories are none: git keeps no empty ones, and so two checkouts have equal bytes. */
export interface SourceEntry {
  /** From the archive's root, with forward slashes. */
  readonly path: string;
  /** What it is. */
  readonly type: "file" | "symlink";
  /** Bytes; 0 for a link. */
  readonly size: number;
  /** 0755 when its owner may execute it. Windows has no such bit: there each file is 0644. */
  readonly mode: 0o644 | 0o755;
  /** Where a link leads, with forward slashes. */
  readonly target?: string;
}
