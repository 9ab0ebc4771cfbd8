/** The code of an error of the file system: `ENOENT`, `EACCES`; undefined for another error. */
export function fileErrorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

const SENTENCES: ReadonlyMap<string, string> = new Map([
  ["EACCES", "cannot be read by this user"],
  ["EPERM", "cannot be read by this user"],
  ["EMFILE", "cannot be opened, because this process has too many open files"],
  ["ENAMETOOLONG", "has a path that is too long for this system"],
]);

/** What a failed look at a file means, to follow its name: `cannot be read by this user (EACCES)`. */
export function describeReadError(error: unknown): string | undefined {
  const code = fileErrorCode(error);
  return code === undefined ? undefined : `${SENTENCES.get(code) ?? "cannot be read"} (${code})`;
}
