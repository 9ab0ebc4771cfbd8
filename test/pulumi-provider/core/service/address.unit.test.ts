import { expect, test } from "vitest";
import { isSameAddress, normalAddress } from "../../../../pulumi-provider/core/service/address.ts";

test.each([
  ["https://HOST.example:443/a//", "https://host.example/a"],
  ["http://host.example:80", "http://host.example"],
  ["https://host.example/a/b?x=1#y", "https://host.example/a/b"],
])("%s is %s", (given, normal) => {
  expect(normalAddress(new URL(given))).toBe(normal);
});

test.each([
  ["http://localhost:8123", "http://127.0.0.1:8123", true],
  ["http://localhost:8123", "http://[::1]:8123/", true],
  ["http://localhost:8123", "http://localhost:8124", false],
  ["https://host.example", "https://host.example.", true],
  ["https://host.example", "http://host.example", false],
  ["https://host.example/a", "https://host.example/A", false],
  ["local", "local", true],
  ["local", "http://localhost", false],
])("%s and %s are one service: %j", (one, other, same) => {
  expect(isSameAddress(one, other)).toBe(same);
});
