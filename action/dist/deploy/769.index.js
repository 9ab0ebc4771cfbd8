export const id = 769;
export const ids = [769];
export const modules = {

/***/ 7769:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {


// EXPORTS
__webpack_require__.d(__webpack_exports__, {
  readYaml: () => (/* binding */ readYaml)
});

// UNUSED EXPORTS: readYamlObject

// EXTERNAL MODULE: ../node_modules/yaml/dist/index.js
var dist = __webpack_require__(6637);
;// CONCATENATED MODULE: ./src/files/json/exact-number.js
/** True when a double holds a number as it is written, as far as digits go: 1.50 and 15e-1 are the same number. */
function isExact(text) {
    const again = String(Number(text));
    return again === text || significance(again) === significance(text);
}
/**
 * True when JSON of these bytes holds a number that a double cannot hold, or perhaps what only looks like one inside a
 * string. Up to 15 digits and two of an exponent each number is held, so that most texts are passed in a few hops.
 */
function holdsInexactNumber(bytes) {
    const { length } = bytes;
    // One of three bytes in a row is looked at: no exponent with three digits can hide between two looks.
    for (let at = MIN_EXPONENT - 1; at < length; at += MIN_EXPONENT) {
        if (KIND[bytes[at] ?? 0] !== DIGIT)
            continue;
        let from = at;
        while (from > 0 && (KIND[bytes[from - 1] ?? 0] ?? 0) >= POINT)
            from--;
        let to = at + 1;
        while (to < length && (KIND[bytes[to] ?? 0] ?? 0) >= POINT)
            to++;
        const size = to - from;
        if (size >= MIN_DIGITS || (size >= MIN_EXPONENT && from > 0 && KIND[bytes[from - 1] ?? 0] === EXPONENT)) {
            while (from > 0 && KIND[bytes[from - 1] ?? 0] !== OTHER)
                from--;
            while (to < length && KIND[bytes[to] ?? 0] !== OTHER)
                to++;
            if (isOutsideOfText(bytes, from, to) && !isExact(bytes.toString("latin1", from, to)))
                return true;
        }
        at = to;
    }
    return false;
}
// A double holds each number of 15 digits, and no longer each one of 16: IEEE 754, binary64.
const MIN_DIGITS = 16;
// It holds no number from 1e309 on, and none below 5e-324.
const MIN_EXPONENT = 3;
// What a byte may be in a number. A table and no look beyond either end: this loop sees every row.
const [OTHER, EXPONENT, POINT, DIGIT] = [0, 1, 2, 3];
const KIND = new Uint8Array(256);
for (const byte of Buffer.from("eE+-"))
    KIND[byte] = EXPONENT;
for (const byte of Buffer.from("0123456789"))
    KIND[byte] = DIGIT;
KIND[0x2e] = POINT;
const BEFORE = new Set(Buffer.from("[:, \t\r\n"));
const BEHIND = new Set(Buffer.from("]}, \t\r\n"));
function isOutsideOfText(bytes, from, to) {
    return (from === 0 || BEFORE.has(bytes[from - 1] ?? 0)) && (to === bytes.length || BEHIND.has(bytes[to] ?? 0));
}
const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/;
/** The digits that count and their exponent, alike for all ways to write a number; undefined for what is none. */
function significance(text) {
    const match = NUMBER.exec(text);
    if (match === null)
        return undefined;
    const [, whole = "", fraction = "", exponent = "0"] = match;
    const digits = whole + fraction;
    let from = 0;
    while (digits[from] === "0")
        from++;
    if (from === digits.length)
        return "0";
    let to = digits.length;
    while (digits[to - 1] === "0")
        to--;
    return `${digits.slice(from, to)}e${String(Number(exponent) - fraction.length + digits.length - to)}`;
}

// EXTERNAL MODULE: ./src/files/json/value.js
var json_value = __webpack_require__(7130);
// EXTERNAL MODULE: ./src/text/quoted.js
var quoted = __webpack_require__(5564);
;// CONCATENATED MODULE: ./src/files/yaml.js





// One mistake often breaks many lines.
const MOST_FAULTS = 20;
// Far above what a user writes by hand, and far below what aliases multiply to.
const LARGEST = 2_000_000;
/**
 * Reads one document of YAML 1.2's core schema, or of JSON, which is YAML too. Numbers keep all of their digits, dates
 * are texts, and `<<` and `__proto__` are ordinary keys. An empty text is null. Refuses tags of other schemas, keys
 * that are not text, repeated keys, and values that JSON cannot represent.
 */
function readYaml(text, { largest = LARGEST } = {}) {
    try {
        return readDocument(text, largest);
    }
    catch (error) {
        if (error instanceof Unreadable)
            return { ok: false, faults: [error.message] };
        // The parser follows nested values by calls of its own.
        if (error instanceof RangeError)
            return { ok: false, faults: ["is nested too deeply"] };
        throw error;
    }
}
/** Reads a YAML text that stands for an object; an empty text is an empty object. `example` is a line of one. */
function readYamlObject(text, example) {
    const read = readYaml(text);
    if (!read.ok)
        return read;
    if (read.value === null)
        return { ok: true, value: {} };
    if (isJsonObject(read.value))
        return { ok: true, value: read.value };
    return { ok: false, faults: [`must be a YAML mapping, for example \`${example}\``] };
}
// The parser's own messages quote the text, which may hold a secret: only the place and the code are reported.
function readDocument(text, largest) {
    const lines = new dist/* LineCounter */.HN();
    const document = (0,dist/* parseDocument */.Tp)(text, {
        // A directive %YAML 1.1 would enable dates, merge keys and `no` for false; `silent` would ignore further documents.
        ...{ schema: "core", merge: false, resolveKnownTags: false, logLevel: "error" },
        // The parser compares each key with each other key; `Walk` uses a set.
        ...{ uniqueKeys: false, prettyErrors: false, lineCounter: lines },
    });
    const broken = [...document.errors, ...document.warnings].map(({ pos, code }) => {
        const { line, col } = lines.linePos(pos[0]);
        return `is not valid YAML: line ${String(line)}, column ${String(col)} (${code})`;
    });
    if (broken.length > 0)
        return { ok: false, faults: firstOf(broken) };
    const walk = new Walk(largest);
    const value = walk.value(document.contents, []);
    return walk.faults.length === 0 ? { ok: true, value } : { ok: false, faults: firstOf(walk.faults) };
}
function firstOf(faults) {
    const all = [...new Set(faults)];
    const more = all.length - MOST_FAULTS;
    return more > 0 ? [...all.slice(0, MOST_FAULTS), `has ${String(more)} more errors`] : all;
}
class Unreadable extends Error {
}
/** Walks the nodes of a document in order. */
class Walk {
    faults = [];
    #anchors = new Map();
    #largest;
    #size = 0;
    constructor(largest) {
        this.#largest = largest;
    }
    value(node, path) {
        if ((0,dist/* isAlias */.Vj)(node))
            return this.#aliased(node.source);
        const before = this.#size;
        this.#grow(1);
        const anchor = (0,dist/* isScalar */.jn)(node) || (0,dist/* isMap */.jh)(node) || (0,dist/* isSeq */.oP)(node) ? node.anchor : undefined;
        // An alias to the node that contains it would never end.
        if (anchor !== undefined)
            this.#anchors.delete(anchor);
        const value = this.#plain(node, path);
        if (anchor !== undefined)
            this.#anchors.set(anchor, { value, size: this.#size - before });
        return value;
    }
    #plain(node, path) {
        if ((0,dist/* isScalar */.jn)(node))
            return this.#scalar(node, path);
        if ((0,dist/* isSeq */.oP)(node))
            return node.items.map((item, index) => this.value(item, [...path, String(index)]));
        if (!(0,dist/* isMap */.jh)(node))
            return null;
        const entries = node.items.flatMap((pair) => this.#entry(pair, path));
        const seen = new Set();
        for (const [key] of entries) {
            if (seen.has(key))
                this.#fault([...path, key], "is set twice");
            seen.add(key);
        }
        return Object.fromEntries(entries);
    }
    #entry({ key, value }, path) {
        const name = this.#key(key, path);
        // Also below an invalid key: an alias may refer to a value there.
        const read = this.value(value, [...path, name ?? ""]);
        return name === undefined ? [] : [[name, read]];
    }
    #key(node, path) {
        const value = (0,dist/* isScalar */.jn)(node) ? node.value : undefined;
        // 1 and true are valid names, as written.
        const written = (0,dist/* isScalar */.jn)(node) && (typeof value === "number" || typeof value === "boolean") ? node.source : value;
        const key = this.value(node, path);
        if (typeof written === "string")
            return written;
        if (typeof key === "string" && (0,dist/* isAlias */.Vj)(node))
            return key;
        this.#fault(path, "has a key that is not text");
        return undefined;
    }
    #scalar({ value, source }, path) {
        if (value === null || typeof value === "boolean")
            return value;
        if (typeof value === "string") {
            this.#grow(value.length);
            if (!value.isWellFormed())
                this.#fault(path, "contains half of a surrogate pair");
            return value;
        }
        const number = typeof value === "number" ? numberOf(value, source ?? "") : undefined;
        if (number === undefined)
            this.#fault(path, "is not a number that JSON can represent");
        return number ?? null;
    }
    #aliased(anchor) {
        const found = this.#anchors.get(anchor);
        if (found === undefined)
            throw new Unreadable("has an alias without an anchor before it");
        this.#grow(found.size);
        return found.value;
    }
    #grow(size) {
        this.#size += size;
        if (this.#size > this.#largest)
            throw new Unreadable("is too large, with its aliases expanded");
    }
    #fault(path, what) {
        this.faults.push(path.length === 0 ? what : `${(0,quoted/* quotedName */.aH)(path.join(".") || '""')} ${what}`);
    }
}
/** A number of the core schema, with all digits; undefined for .nan and .inf. */
function numberOf(value, source) {
    if (/[fn]/i.test(source) && !Number.isFinite(value))
        return undefined;
    const text = /^0[ox]/.test(source) ? BigInt(source).toString() : jsonNumber(source);
    return isExact(text) ? value : new json_value/* ExactNumber */.fh(text);
}
/** `+012.` and `-.5` as JSON writes them: `12` and `-0.5`. */
function jsonNumber(source) {
    const [, sign = "", whole = "", rest = ""] = /^\+?(-?)0*(\d*)(.*)$/.exec(source) ?? [];
    return sign + (whole === "" ? "0" : whole) + rest.replace(/^\.(?!\d)/, "");
}


/***/ })

};
