import { describe, expect, test } from "vitest";
import { reasonsIn } from "../../src/http/error-body.ts";

const answer = (text: string, type?: string) => ({
  body: Buffer.from(text),
  headers: type === undefined ? {} : { "content-type": type },
});

const S3 = `<?xml version="1.0" encoding="UTF-8"?>
<Error><Code>SignatureDoesNotMatch</Code><Message>The signature we calculated &amp; yours differ.</Message>
<AWSAccessKeyId>AKIA0123456789</AWSAccessKeyId><StringToSign>AWS4-HMAC-SHA256 the-string</StringToSign>
<SignatureProvided>the-signature</SignatureProvided><CanonicalRequest>PUT /the-path</CanonicalRequest></Error>`;
const AZURE = `\uFEFF<?xml version="1.0"?><Error><Code>AuthenticationFailed</Code><Message>Server failed to authenticate.
RequestId:5f
Time:2026-01-01</Message><AuthenticationErrorDetail>String to sign used was rcw the-string</AuthenticationErrorDetail></Error>`;

describe("the reasons in a body", () => {
  test.each([
    ["a message of JSON", `{"message": "quota exceeded"}`, "application/json", ["quota exceeded"]],
    ["problem+json", `{"title": "Quota", "detail": "exceeded"}`, "application/problem+json", ["Quota: exceeded"]],
    ["JSON without a type", `{"detail": "quota exceeded"}`, undefined, ["quota exceeded"]],
    ["JSON that is called text", `{"detail": "quota exceeded"}`, "text/plain", ["quota exceeded"]],
    ["text", "quota exceeded", "text/plain; charset=utf-8", ["quota exceeded"]],
    ["text without a type", "quota exceeded", undefined, ["quota exceeded"]],
    ["text that is called JSON", "quota exceeded", "application/json", ["quota exceeded"]],
    ["a page", "<!doctype html>\n<title>Sign\n in &ndash; &#x41;cme</title>", "text/html", ["Sign in &ndash; Acme"]],
    ["a page that is called JSON", "<html><title>Sign in</title>", "application/json", ["Sign in"]],
    [
      "a store's refusal",
      S3,
      "application/xml",
      ["SignatureDoesNotMatch: The signature we calculated & yours differ."],
    ],
    [
      "a store's refusal without a type",
      S3,
      undefined,
      ["SignatureDoesNotMatch: The signature we calculated & yours differ."],
    ],
    ["a store's code alone", "<Error><Code>SlowDown</Code></Error>", "text/xml", ["SlowDown"]],
  ])("%s", (_what, text, type, reasons) => {
    expect(reasonsIn(answer(text, type))).toEqual(reasons);
  });

  test.each([
    ["a page without a title", "<html><h1>Bad gateway</h1>", "text/html"],
    ["broken JSON", `{"input": "what was sent", `, "application/json"],
    ["JSON without a known field", `{"input": "what was sent"}`, "text/plain"],
    ["XML of another kind", "<soap>what was sent</soap>", "text/xml"],
    ["bytes", "\0\x01\x02", undefined],
    ["an unknown type", "what was sent", "application/octet-stream"],
    ["nothing", "", undefined],
  ])("are none for %s", (_what, text, type) => {
    expect(reasonsIn(answer(text, type)).filter((line) => line !== "")).toEqual([]);
  });

  test("of a store repeat neither the signature nor what was signed", () => {
    const said = [S3, AZURE].flatMap((xml) => reasonsIn(answer(xml, "application/xml"))).join("\n");
    expect(said).toMatch(/AuthenticationFailed: Server failed to authenticate/);
    expect(said).not.toMatch(/AKIA|the-/);
  });

  test("are found in the first 64 KiB only, and a character that is cut there does no harm", () => {
    const long = "é".repeat(64 * 1024);
    expect(reasonsIn(answer(long))).toEqual(["é".repeat(32 * 1024)]);
    expect(reasonsIn(answer(`<html>${long}<title>late</title>`))).toEqual([]);
  });
});
