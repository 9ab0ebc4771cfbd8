import { expect, test } from "vitest";
import { proxyFault, proxyFromEnvironment } from "../../src/http/proxy-settings.ts";

function read(variables: Readonly<Record<string, string>>) {
  const faults: string[] = [];
  const settings = proxyFromEnvironment(
    (name) => variables[name],
    (name, fault) => faults.push(`${name} ${fault}`),
  );
  return { settings, faults };
}

test("the name in lower case wins, and a scheme may be missing", () => {
  const variables = { http_proxy: "a:1", HTTP_PROXY: "http://b:2", HTTPS_PROXY: "https://c", NO_PROXY: "d,e" };
  expect(read(variables)).toEqual({ settings: { http: "http://a:1", https: "https://c", except: "d,e" }, faults: [] });
  expect(read({})).toEqual({ settings: {}, faults: [] });
});

test("a value that is no address is reported without what it holds, and is not used", () => {
  const { settings, faults } = read({ HTTPS_PROXY: "socks5://user:password@host", HTTP_PROXY: "http://" });
  expect(settings).toEqual({});
  expect(faults).toEqual([
    expect.stringMatching(/^HTTP_PROXY is not a valid/),
    expect.stringMatching(/^HTTPS_PROXY is a SOCKS proxy, and only HTTP proxies are supported/),
  ]);
  expect(faults.join()).not.toContain("password");
});

test.each([
  ["http://host:1", true],
  ["HTTPS://host", true],
  ["ftp://host", false],
  ["socks5h://host:1", false],
  ["SOCKS://host:1", false],
  ["host:1", false],
  ["http://", false],
])("%s", (text, valid) => {
  expect(proxyFault(text) === "").toBe(valid);
});
