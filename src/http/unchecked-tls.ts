/**
 * The warning for an environment in which Node checks no certificate, whenever it makes a connection; empty for any
 * other.
 */
export function uncheckedTlsWarning(variable: (name: string) => string | undefined): string {
  // Node compares with exactly this text: `getAllowUnauthorized` in lib/internal/options.js.
  if (variable("NODE_TLS_REJECT_UNAUTHORIZED") !== "0") return "";
  return (
    "NODE_TLS_REJECT_UNAUTHORIZED is 0: no certificate is checked, so that anyone on the way can read the API key and " +
    "change what is sent. Unset it; the certificate of a private CA can be trusted instead."
  );
}
