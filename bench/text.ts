/** Numbers that look random and are always the same: Mulberry32, by Tommy Ettinger. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** From 0 up to, but not including, 1. */
  fraction(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number from 0 up to, but not including, `limit`. */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  /** One of these, the first far more often than the last, as words in a text. */
  skewed(from: readonly string[]): string {
    return from[Math.floor(this.fraction() ** 3 * from.length)] ?? "";
  }
}

/** Text that compresses as source code does, to about a quarter. */
export function sourceText(random: Random, bytes: number): Buffer {
  const names = Array.from({ length: 3_000 }, () => nameOf(random));
  return fill(bytes, () => {
    const indent = "    ".repeat(random.below(4));
    const [a, b, c] = [random.skewed(names), random.skewed(names), random.skewed(names)];
    switch (random.below(6)) {
      case 0:
        return `${indent}def ${a}(self, ${b}: str, ${c}: int = ${random.below(1000)}) -> None:\n`;
      case 1:
        return `${indent}if ${a} is not None and ${b}.${c} > ${random.below(100)}:\n`;
      case 2:
        return `${indent}return ${a}(${b}, ${c}=${random.skewed(names)})\n`;
      case 3:
        return `${indent}# ${a} the ${b} of ${c}, ${random.skewed(names)} ${random.skewed(names)}\n`;
      case 4:
        return `\n`;
      default:
        return `${indent}self.${a} = ${b}["${c}"]\n`;
    }
  });
}

/** Rows of JSON, one a line. */
export function tableText(random: Random, bytes: number): Buffer {
  const words = Array.from({ length: 5_000 }, () => nameOf(random));
  let id = 0;
  return fill(bytes, () => {
    const question = Array.from({ length: 12 }, () => random.skewed(words)).join(" ");
    const score = Math.round(random.fraction() * 1e6) / 1e6;
    return `${JSON.stringify({ id: id++, question, score, tags: [random.skewed(words)], latency_ms: random.below(9_999) })}\n`;
  });
}

function fill(bytes: number, line: () => string): Buffer {
  const lines: string[] = [];
  for (let length = 0; length < bytes;) {
    const next = line();
    lines.push(next);
    length += next.length;
  }
  return Buffer.from(lines.join(""), "latin1").subarray(0, bytes);
}

const SYLLABLES = [
  "re",
  "con",
  "node",
  "graph",
  "a",
  "ta",
  "ment",
  "er",
  "in",
  "da",
  "lo",
  "pro",
  "ing",
  "s",
  "ver",
  "ti",
];

function nameOf(random: Random): string {
  const count = 1 + random.below(4);
  return Array.from({ length: count }, () => SYLLABLES[random.below(SYLLABLES.length)]).join("");
}
