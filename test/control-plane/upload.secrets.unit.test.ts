import fc from "fast-check";
import { expect, test } from "vitest";
import { uploadSecrets } from "../../src/control-plane/upload.ts";
import { Redactor } from "../../src/http/redactor.ts";

const ID = "0b3f2c1e-1111-4222-8333-944445555666";

function secretsOf(uploadUrl: string, headers: Readonly<Record<string, string>> = {}, objectPath = "x") {
  const told: string[] = [];
  const redactor = new Redactor((value) => told.push(value));
  const target = { upload_url: uploadUrl, object_path: objectPath, upload_headers: headers };
  const secrets = uploadSecrets(target, { url: new URL(uploadUrl), deploymentId: ID, redactor });
  return { secrets, redactor, told };
}

const word = fc.stringMatching(/^[A-Za-z0-9_.+/=~-]{1,30}$/).filter((text) => !/^\.+$/.test(text));

test("a text about the store shows no part of the path, no value of the query and no header, of any length", () => {
  fc.assert(
    fc.property(word, word, word, (segment, value, header) => {
      const url = `https://store.example/b/${encodeURIComponent(segment)}?v=${encodeURIComponent(value)}`;
      const { secrets } = secretsOf(url, { "x-grant": header });
      for (const secret of [segment, value, header]) {
        for (const form of [secret, encodeURIComponent(secret)]) {
          expect(secrets.text(`( ${form} )`)).toBe("( *** )");
        }
      }
      expect(secrets.text(`could not read ${url}`)).not.toContain("/b/");
    }),
  );
});

test("elsewhere the address is taken out, and what could be a token", () => {
  const { redactor, told } = secretsOf("https://store.example/bucket/tok-4711ab/file?sig=a1b2c3d4&e=3600&ok=true", {
    "x-grant": "the grant of the store",
    "content-type": "application/gzip",
    "x-ms-blob-type": "BlockBlob",
  });
  const text = "BlockBlob 3600 true bucket file application/gzip";
  expect(redactor.text(text)).toBe(text);
  expect(redactor.text("tok-4711ab a1b2c3d4, the grant of the store")).toBe("*** ***, ***");
  expect(redactor.text("GET /bucket/tok-4711ab/file?sig=a1b2c3d4&e=3600&ok=true")).toBe("GET ***");
  expect(told).toEqual(expect.arrayContaining(["tok-4711ab", "a1b2c3d4", "the grant of the store"]));
});

test("elsewhere the words of the object path, the id of the deployment and the host stay", () => {
  const path = `sources/${ID}/2026-01-01-source.tar.gz`;
  const url = `https://us-east-1.store.example/${path}?region=us-east-1&signature=0123456789abcdef0123`;
  const { redactor } = secretsOf(url, {}, path);
  const text = `${path} of ${ID} at us-east-1.store.example`;
  expect(redactor.text(text)).toBe(text);
  expect(redactor.text("0123456789abcdef0123")).toBe("***");
});
