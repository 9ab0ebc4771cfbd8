import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isLoopback, joinUrl, parseAddress, printableUrl } from "../../src/http/base-url.ts";
import { AddressError } from "../../src/http/errors.ts";
import { anyText } from "../wire/any-text.ts";

describe("joining", () => {
  test.each([
    ["https://host", "https://host/v2/deployments"],
    ["https://host/", "https://host/v2/deployments"],
    ["https://host/api-host", "https://host/api-host/v2/deployments"],
    ["https://host/api-host///", "https://host/api-host/v2/deployments"],
    ["https://host:8443/a/b/?left=behind#too", "https://host:8443/a/b/v2/deployments"],
    ["http://[::1]:1984/a%20b/", "http://[::1]:1984/a%20b/v2/deployments"],
  ])("%s keeps its path", (base, url) => {
    expect(joinUrl(new URL(base), "/v2/deployments").href).toBe(url);
  });

  test("an encoded id stays one segment", () => {
    const url = joinUrl(new URL("https://host/p"), `/v2/deployments/${encodeURIComponent("a/b?c#d")}/revisions`);
    expect(url.href).toBe("https://host/p/v2/deployments/a%2Fb%3Fc%23d/revisions");
  });

  test("query values are encoded", () => {
    const url = joinUrl(new URL("https://host"), "/x", { name: "a&b=c d", limit: 100 });
    expect(url.search).toBe("?name=a%26b%3Dc+d&limit=100");
  });

  test("no path and no query leads to another origin", () => {
    const paths = fc.oneof(anyText, fc.webPath(), fc.constantFrom("//evil.example/x", "/\\evil", "/..//..", "@evil"));
    const bases = fc.constantFrom("https://host", "https://host:8443/api-host/", "http://127.0.0.1:8123/x");
    fc.assert(
      fc.property(bases, paths, fc.dictionary(fc.string(), fc.string()), (base, path, query) => {
        const url = joinUrl(new URL(base), `/${path}`, query);
        expect(url.origin).toBe(new URL(base).origin);
        expect([url.username, url.password, url.hash]).toEqual(["", "", ""]);
      }),
    );
  });
});

describe("addresses", () => {
  test.each([
    "https://host/path",
    "http://localhost:8123",
    "http://127.0.0.1",
    "http://127.9.9.9:1/x",
    "http://[::1]:2",
  ])("%s is taken", (text) => {
    expect(parseAddress(text, { allowHttp: false }).href).toContain(new URL(text).host);
  });

  test.each([
    "http://host",
    "http://localhost.evil.example",
    "http://127.0.0.1.evil.example",
    "http://0.0.0.0",
    "http://10.0.0.1",
    "http://[::]",
  ])("%s needs https or a permission", (text) => {
    expect(() => parseAddress(text, { allowHttp: false })).toThrow(AddressError);
    expect(parseAddress(text, { allowHttp: true }).protocol).toBe("http:");
  });

  test.each(["sk-my-secret-key", " ", "ftp://host", "file:///etc/passwd", "javascript:alert", "a.b c", "a.b@c.d"])(
    "%j is no address of a service, and is not repeated",
    (text) => {
      const act = () => parseAddress(text, { allowHttp: true });
      expect(act).toThrow(AddressError);
      expect(act).toThrow("The address of the service is not a valid URL");
    },
  );

  test.each([
    ["127.0.0.1:8731", "http://"],
    ["localhost:8731", "http://"],
    ["localhost", "http://"],
    ["[::1]:8731/api", "http://"],
    ["host:8123", "https://"],
    ["control.example.com", "https://"],
    ["control.example.com:8443/api", "https://"],
  ])("%s has no scheme, which may be %s, and is not repeated", (text, scheme) => {
    const act = () => parseAddress(text, { allowHttp: true });
    expect(act).toThrow(AddressError);
    expect(act).toThrow(`has no scheme: write ${scheme} before the host`);
    expect(act).not.toThrow(text);
  });

  test("a user name and a password are refused and not repeated", () => {
    const act = () => parseAddress("https://user:s3cret@host/", { allowHttp: false });
    expect(act).toThrow(/host.*user name/);
    expect(act).not.toThrow(/s3cret/);
  });

  test("only this machine is loopback", () => {
    fc.assert(
      fc.property(fc.domain(), (domain) => {
        expect(isLoopback(new URL(`http://${domain}`))).toBe(false);
      }),
    );
  });

  test("an address for a log has no query, which may be signed", () => {
    expect(printableUrl(new URL("https://u:p@store/o/bject?X-Goog-Signature=abc#x"))).toBe("https://store/o/bject");
  });
});
