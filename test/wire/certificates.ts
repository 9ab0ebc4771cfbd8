import { generateKeyPairSync, sign, type KeyObject } from "node:crypto";
import { isIP } from "node:net";

/** A certificate in PEM, and its key. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface Authority extends Certificate {
  /** A certificate of this authority for these host names and addresses. */
  issue(hosts: readonly string[], validity?: { readonly from: Date; readonly to: Date }): Certificate;
}

const DAY = 86_400_000;
const ECDSA_WITH_SHA256 = "1.2.840.10045.4.3.2";
const COMMON_NAME = "2.5.4.3";
const SUBJECT_ALTERNATIVE_NAME = "2.5.29.17";
const BASIC_CONSTRAINTS = "2.5.29.19";

/** A new certificate authority that nobody trusts yet; Node makes keys, but no certificates. */
export function makeAuthority(name = "Test Authority"): Authority {
  const issuer = { name, key: newKey() };
  const isAuthority = der(
    0x30,
    oid(BASIC_CONSTRAINTS),
    der(0x01, Buffer.from([0xff])),
    der(0x04, der(0x30, der(0x01, Buffer.from([0xff])))),
  );
  const own = certificate({ subject: issuer, issuer, extension: isAuthority });
  return {
    ...own,
    issue: (hosts, validity) => {
      const names = hosts.map((host) =>
        isIP(host) === 4 ? der(0x87, Buffer.from(host.split(".").map(Number))) : der(0x82, Buffer.from(host)),
      );
      const extension = der(0x30, oid(SUBJECT_ALTERNATIVE_NAME), der(0x04, der(0x30, ...names)));
      return certificate({ subject: { name: hosts[0] ?? "", key: newKey() }, issuer, extension, validity });
    },
  };
}

interface Party {
  readonly name: string;
  readonly key: { readonly publicKey: KeyObject; readonly privateKey: KeyObject };
}

interface Contents {
  readonly subject: Party;
  readonly issuer: Party;
  readonly extension: Buffer;
  readonly validity?: { readonly from: Date; readonly to: Date } | undefined;
}

/** RFC 5280 §4.1, as little of it as TLS needs. */
function certificate({ subject, issuer, extension, validity }: Contents): Certificate {
  const { from, to } = validity ?? { from: new Date(Date.now() - DAY), to: new Date(Date.now() + DAY) };
  serial += 1;
  const algorithm = der(0x30, oid(ECDSA_WITH_SHA256));
  const body = der(
    0x30,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1, serial])),
    algorithm,
    nameOf(issuer),
    der(0x30, time(from), time(to)),
    nameOf(subject),
    subject.key.publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, der(0x30, extension)),
  );
  const signature = sign("sha256", body, issuer.key.privateKey);
  const bytes = der(0x30, body, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${bytes.toString("base64").replaceAll(/.{64}(?=.)/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
    key: subject.key.privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}
let serial = 0;

const newKey = () => generateKeyPairSync("ec", { namedCurve: "P-256" });
const nameOf = ({ name }: Party) => der(0x30, der(0x31, der(0x30, oid(COMMON_NAME), der(0x0c, Buffer.from(name)))));
const time = (date: Date) => der(0x18, Buffer.from(`${date.toISOString().slice(0, 19).replaceAll(/[-T:]/g, "")}Z`));

/** One tagged value: ITU-T X.690. */
function der(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const length = content.length;
  const head = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...head]), content]);
}

function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes = [first * 40 + second];
  for (const arc of rest) {
    const groups = [arc & 127];
    for (let left = arc >> 7; left > 0; left >>= 7) groups.unshift((left & 127) | 128);
    bytes.push(...groups);
  }
  return der(0x06, Buffer.from(bytes));
}
