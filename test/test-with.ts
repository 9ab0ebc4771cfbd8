import { test, type TestOptions } from "vitest";

type Work<Given> = (given: Given) => Promise<void> | void;

/** A `test` whose tests each begin with what this makes, and are given it. */
export function testWith<Given>(make: () => Given | Promise<Given>) {
  const begin = (work: Work<Given>) => async () => {
    await work(await make());
  };
  return (name: string, ...rest: readonly [Work<Given>] | readonly [TestOptions, Work<Given>]): void => {
    if (rest.length === 1) test(name, begin(rest[0]));
    else test(name, rest[0], begin(rest[1]));
  };
}
