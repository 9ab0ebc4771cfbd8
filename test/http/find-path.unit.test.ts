import { describe, expect, test } from "vitest";
import { HttpStatusError } from "../../src/http/errors.ts";
import { findPath } from "../../src/http/find-path.ts";

const PATHS = ["/a", "/b", "/c"];

/** Answers with these statuses, path by path. */
function service(statuses: Readonly<Record<string, number>>) {
  const asked: string[] = [];
  const ask = (path: string) => {
    asked.push(path);
    const status = statuses[path] ?? 200;
    return status === 200 ? Promise.resolve(status) : Promise.reject(new HttpStatusError(status, [], { target: path }));
  };
  return { asked, ask };
}

describe("the path below which a service answers", () => {
  test("is the first that has it", async () => {
    const { asked, ask } = service({ "/a": 404 });
    expect(await findPath(PATHS, ask)).toEqual({ path: "/b", result: 200 });
    expect(asked).toEqual(["/a", "/b"]);
  });

  test("is not looked for any further once the service itself has refused", async () => {
    const { asked, ask } = service({ "/a": 405, "/b": 401 });
    await expect(findPath(PATHS, ask)).rejects.toMatchObject({ status: 401 });
    expect(asked).toEqual(["/a", "/b"]);
  });

  test("is none when it is missing everywhere: the error is that of the last, or of the one that is to blame", async () => {
    const { ask } = service({ "/a": 404, "/b": 404, "/c": 404 });
    await expect(findPath(PATHS, ask)).rejects.toThrow("/c");
    await expect(findPath(PATHS, ask, { blamed: "/a" })).rejects.toThrow("/a");
  });
});
