import { expect, test } from "vitest";
import { Deployment } from "../../src/contract/deployment.ts";
import { agentUrl } from "../../src/deployment/ending.ts";

const urlOf = (fields: object) => agentUrl(Deployment.parse({ id: "d-1", ...fields }));

test.each([
  ["https://agent.example", "https://agent.example"],
  ["https://agent.example/base/", "https://agent.example/base/"],
  ["https://user:pass@agent.example", "https://agent.example"],
  ["https://token@agent.example:8443/base?x=1", "https://agent.example:8443/base?x=1"],
  ["http://us%40er:p%3Ass@127.0.0.1:8080/", "http://127.0.0.1:8080"],
  ["HTTPS://Agent.Example/", "HTTPS://Agent.Example/"],
  ["javascript:alert(1)", undefined],
  ["https://", undefined],
  [null, undefined],
])("the address %s is reported as %s", (url, told) => {
  expect(urlOf({ url })).toBe(told);
});

test("the address of the settings stands in for one that is none", () => {
  expect(urlOf({ url: "none", source_config: { custom_url: "https://u:p@own.example" } })).toBe("https://own.example");
});
