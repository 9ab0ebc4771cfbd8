import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FieldNames, FieldNamesError } from "../../src/contract/field-names.ts";
import { anyText } from "../wire/any-text.ts";

const names = FieldNames.parse("graph_config_path=acmegraph_config_path, repo_ref = acme_repo_ref\nid=key\n");

describe("parsing", () => {
  test("pairs are parted by commas and lines, with room around them", () => {
    expect(names.toWire({ graph_config_path: 1, repo_ref: 2, id: 3, name: 4 })).toEqual({
      acmegraph_config_path: 1,
      acme_repo_ref: 2,
      key: 3,
      name: 4,
    });
  });

  test("no pairs rename nothing", () => {
    expect(FieldNames.parse(" ,\n, ").toWire({ id: 1 })).toEqual({ id: 1 });
  });

  test("every fault is reported at once", () => {
    const act = () => FieldNames.parse("a=b, nonsense, a=c\nd=b, e-f=g");
    expect(act).toThrow(FieldNamesError);
    expect(act).toThrow(/"nonsense" is not a pair.*"e-f=g" is not a pair.*"a" is renamed twice.*two names become "b"/);
  });
});

describe("renaming", () => {
  test("keys change at every depth, values never", () => {
    const sent = { id: "id", list: [{ id: ["repo_ref"] }], repo_ref: { graph_config_path: "graph_config_path" } };
    expect(names.toWire(sent)).toEqual({
      key: "id",
      list: [{ key: ["repo_ref"] }],
      acme_repo_ref: { acmegraph_config_path: "graph_config_path" },
    });
  });

  test("names may be swapped", () => {
    const swapped = FieldNames.parse("a=b,b=a");
    expect(swapped.toWire({ a: 1, b: 2 })).toEqual({ b: 1, a: 2 });
    expect(swapped.fromWire({ b: 1, a: 2 })).toEqual({ a: 1, b: 2 });
  });

  test("what comes back is what was sent, for any JSON without the wire's own names", () => {
    const wireNames = new Set(["acmegraph_config_path", "acme_repo_ref", "key"]);
    const keys = fc.oneof(
      fc.constantFrom("graph_config_path", "repo_ref", "id", "__proto__", "constructor", "toString"),
      anyText.filter((key) => !wireNames.has(key)),
    );
    const { json } = fc.letrec<{ json: unknown }>((tie) => ({
      json: fc.oneof(
        { depthSize: "small" },
        fc.constantFrom(null, true, false, 0, 1.5, "", "id", "acme_repo_ref"),
        fc.string(),
        fc.array(tie("json"), { maxLength: 4 }),
        fc.array(fc.tuple(keys, tie("json")), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
      ),
    }));
    fc.assert(
      fc.property(json, (value) => {
        expect(names.fromWire(names.toWire(value))).toEqual(value);
        expect(names.fromClient(names.toWire(value))).toEqual(value);
        // What stands on the wire holds none of the names that it does not know.
        expect(JSON.stringify(names.toWire(value))).not.toMatch(/"(graph_config_path|repo_ref|id)":/);
      }),
    );
  });

  test("a service does not know our spelling of a name that it spells in another way", () => {
    expect(names.fromClient({ graph_config_path: 1, other: [{ repo_ref: 2 }] })).toEqual({ other: [{}] });
    expect(FieldNames.parse("a=b,b=a").fromClient({ a: 1, b: 2 })).toEqual({ b: 1, a: 2 });
  });

  test("a key named __proto__ stays data", () => {
    const hostile: unknown = JSON.parse('{"__proto__": {"polluted": true}, "key": 1}');
    const renamed = names.fromWire(hostile);
    expect(Object.keys(renamed as object)).toEqual(["__proto__", "id"]);
    expect(Object.getPrototypeOf(renamed)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  test("a rename to __proto__ changes no prototype", () => {
    const odd = FieldNames.parse("id=__proto__");
    const sent = odd.toWire({ id: { polluted: true } });
    expect(JSON.stringify(sent)).toBe('{"__proto__":{"polluted":true}}');
    expect(Object.getPrototypeOf(sent)).toBe(Object.prototype);
  });

  test("nothing at all stays nothing", () => {
    expect(names.fromWire(undefined)).toBeUndefined();
    expect(names.toWire(null)).toBeNull();
  });
});
