import { expect, test } from "vitest";
import { machineEnvironment } from "../../../src/local/agents/machine-environment.ts";

test("an agent gets what any program needs, and no secret of this machine", () => {
  const environment = {
    PATH: "/bin",
    HOME: "/home/a",
    HTTPS_PROXY: "http://p",
    GITHUB_TOKEN: "t",
    API_KEY: "k",
    TZ: undefined,
  };
  expect(machineEnvironment(environment)).toEqual({ PATH: "/bin", HOME: "/home/a", HTTPS_PROXY: "http://p" });
});
