import type { Reason } from "../contract/error-reasons.ts";

/** Why a connection with TLS was not made, and what to do. */
export interface TlsError {
  readonly what: string;
  readonly advice: string;
  readonly reasons?: readonly Reason[];
}

/** What is wrong with a certificate, to be read after its owner, and what to do. */
type OfCertificate = (whose: string) => readonly [what: string, advice: string, ...Reason[]];

const renew: OfCertificate = (whose) => [
  "has expired",
  `Renew the certificate of the ${whose}. If it is a valid one, correct the clock of this machine.`,
];
const rename: OfCertificate = (whose) => [
  "is for another host",
  `Use the address for which the ${whose} has a certificate, or give it a certificate for this one.`,
];
const replace =
  (what: string): OfCertificate =>
  (whose) => [what, `Give the ${whose} a new certificate.`];

const PRIVATE_CA = "If the service uses a private CA, the certificate of that CA is needed here.";
const untrusted =
  (why: string): OfCertificate =>
  () => [`is not trusted${why}`, PRIVATE_CA, "CERTIFICATE_UNTRUSTED"];
const incomplete: OfCertificate = (whose) => [
  `is not trusted: the ${whose} does not send the certificate of its issuer`,
  `If the CA is a public one, let the ${whose} send its whole chain of certificates. ${PRIVATE_CA}`,
  "CERTIFICATE_UNTRUSTED",
];

// The codes of OpenSSL and of Node: https://nodejs.org/api/tls.html#x509-certificate-error-codes.
const CERTIFICATES: ReadonlyMap<string, OfCertificate> = new Map([
  ["CA_MD_TOO_WEAK", replace("is signed in a way that is too weak")],
  ["CERT_CHAIN_TOO_LONG", replace("has too long a chain")],
  ["CERT_HAS_EXPIRED", renew],
  ["CERT_NOT_YET_VALID", (whose) => ["is not valid yet", `Correct the clock of this machine, or of the ${whose}.`]],
  ["CERT_REJECTED", untrusted(": its CA may not be used for this")],
  ["CERT_REVOKED", replace("was revoked")],
  ["CERT_SIGNATURE_FAILURE", replace("has an invalid signature")],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", untrusted(": it is self-signed")],
  ["EE_KEY_TOO_SMALL", replace("has too small a key")],
  ["ERR_TLS_CERT_ALTNAME_FORMAT", replace("names its hosts in an invalid form")],
  ["ERR_TLS_CERT_ALTNAME_INVALID", rename],
  ["HOSTNAME_MISMATCH", rename],
  ["INVALID_CA", replace("is signed by a certificate that is not one of a CA")],
  ["INVALID_PURPOSE", replace("is not one for servers")],
  ["PATH_LENGTH_EXCEEDED", replace("has too long a chain")],
  ["SELF_SIGNED_CERT_IN_CHAIN", untrusted(": its CA is not known here")],
  ["UNABLE_TO_GET_ISSUER_CERT", untrusted(": its CA is not known here")],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", untrusted(": its CA is not known here")],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", incomplete],
]);

const noTls: TlsError = {
  what: "the server does not use TLS on this port",
  advice: "Check the port and the scheme of the address, and the proxy settings of this machine.",
};
const noVersion: TlsError = {
  what: "the server and this machine have no version of TLS in common",
  advice: "The server must offer TLS 1.2 or 1.3.",
};
const noName: TlsError = {
  what: "the server does not know this name of a host",
  advice: "Check the host of the address.",
};
const noCipher: TlsError = {
  what: "the server refused to begin TLS",
  advice: "Check that the server offers usual ciphers, and asks for no client certificate.",
};
const clientCertificate: TlsError = {
  what: "the server asks for a client certificate, and none can be sent",
  advice: "Use an address of the service that does not ask for a client certificate.",
};

const HANDSHAKES: ReadonlyMap<string, TlsError> = new Map([
  ["ERR_SSL_HTTP_REQUEST", noTls],
  ["ERR_SSL_PACKET_LENGTH_TOO_LONG", noTls],
  ["ERR_SSL_WRONG_VERSION_NUMBER", noTls],
  ["ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", noVersion],
  ["ERR_SSL_UNSUPPORTED_PROTOCOL", noVersion],
  ["ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE", noCipher],
  ["ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE", noCipher],
  ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", clientCertificate],
  ["ERR_SSL_TLSV1_UNRECOGNIZED_NAME", noName],
  ["ERR_SSL_TLSV1_ALERT_UNRECOGNIZED_NAME", noName],
  ["ERR_SSL_SSL/TLS_ALERT_UNRECOGNIZED_NAME", noName],
]);

/** The error of TLS that a code stands for; undefined for a code of something else. `whose` certificate it is. */
export function tlsError(code: string, whose: "proxy" | "server"): TlsError | undefined {
  const isOther = /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_TLS/.test(code);
  const certificate = CERTIFICATES.get(code) ?? (isOther ? untrusted("") : undefined);
  if (!certificate || HANDSHAKES.has(code)) return HANDSHAKES.get(code);
  const [what, advice, ...reasons] = certificate(whose);
  return { what: `the certificate of the ${whose} ${what}`, advice, reasons };
}
