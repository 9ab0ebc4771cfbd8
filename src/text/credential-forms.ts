import { urlDecoded } from "./url-decoded.ts";

/** What the issuers of tokens begin them with, so that they can be recognised; behind it, as many characters as none has by chance. */
const TOKEN_FORMS: readonly RegExp[] = [
  // Models
  /sk-[\w-]{16,}/,
  /gsk_\w{16,}/,
  /hf_\w{16,}/,
  /(?:pplx|xai|nvapi|tvly)-[\w-]{16,}/,
  /r8_\w{16,}/,
  /AIza[\w-]{30,}/,
  // Services of agents
  /lsv2_[a-z]{2}_\w{16,}/,
  /pcsk_\w{16,}/,
  // Clouds and payment
  /(?:AKIA|ASIA)[A-Z0-9]{16}/,
  /ya29\.[\w-]{16,}/,
  /(?:sk|rk)_(?:live|test)_\w{16,}/,
  /dapi[0-9a-f]{32}/,
  // Code, packages and images
  /gh[pousr]_\w{16,}/,
  /github_pat_\w{16,}/,
  /glpat-[\w-]{16,}/,
  /npm_\w{16,}/,
  /pypi-[\w-]{16,}/,
  /dckr_pat_[\w-]{16,}/,
  // Messages
  /xox[abeoprs]-[\w-]{10,}/,
  /SG\.[\w-]{16,}\.[\w-]{16,}/,
  // Signed tokens and private keys, whoever issued them
  /eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]*/,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
];

const TOKEN = new RegExp(`(?<![A-Za-z0-9])(?:${TOKEN_FORMS.map(({ source }) => source).join("|")})`);

// Longer than any token, so that a hostile value costs little time.
const LONGEST = 4_096;

/** True for a text that begins with or soon has a token of a known form, and not one that shows the form. */
export function holdsToken(text: string): boolean {
  const [token] = TOKEN.exec(text.slice(0, LONGEST)) ?? [];
  return token !== undefined && !isPlaceholder(token);
}

// `${TOKEN}`, `$(command)`, `$TOKEN`, `%TOKEN%`, `%(token)s`, `{token}`, `{{ token }}`, `<token>`, `[token]`, `…`
const TEMPLATE = /\$[{(]|^\$\w+$|^%\w+%$|^%\([^()]*\)s$|^\{{1,2}[^{}]*\}{1,2}$|^<[^<>]*>$|^\[[^[\]]*\]$|…|\.\.\./;
const STARS = /^[*xX.•_-]+$|[xX*]{6,}/;
const TALKS = /your|change[-_]?me|replace|placeholder|redacted|insert/i;
// The name of a variable where its value belongs.
const NAME = /^(?=[A-Z][A-Z0-9_]*$).*(?:TOKEN|PASSWORD|PASSWD|PASS|PAT|KEY|SECRET)$/;

/** True for what stands in the place of a credential: a reference to a variable, stars, or words that ask for one. */
export function isPlaceholder(value: string): boolean {
  const start = value.slice(0, LONGEST);
  return [TEMPLATE, STARS, TALKS, NAME].some((form) => form.test(start));
}

// As documentation writes an address with a login.
const ANYBODY = new Set(["user", "username", "name", "login", "__token__", "token", "oauth2", "x-access-token"]);
const ANY_PASSWORD = new Set(["password", "passwd", "pass", "pwd", "token", "secret", "key", "api_key", "apikey"]);
// GitHub takes a token in the place of the user, with this password or none.
const NO_PASSWORDS: ReadonlySet<string | undefined> = new Set([undefined, "", "x-oauth-basic"]);
// A token without a form of its own: nobody has such a name.
const RANDOM = /^(?=(?:\D*\d){3})(?=\d*[A-Za-z])[A-Za-z0-9]{20,}$/;

// A token in the place of the user, whatever stands beside it: `${GIT_TOKEN:-x}`.
const TOKEN_REFERENCE = /^[$%{<].*token/i;

/** The part of an address before the `@`; without a colon it has no password. */
interface UserInfo {
  readonly user: string;
  readonly password: string | undefined;
}

/** True for one that holds a password or a token. */
function isLogin({ user, password }: UserInfo): boolean {
  // Also where it is what a reference falls back to.
  if (holdsToken(user) || holdsToken(password ?? "")) return true;
  const isReference = isPlaceholder(user);
  if (password === undefined || NO_PASSWORDS.has(password)) return RANDOM.test(user) && !isReference;
  const isExample = ANYBODY.has(user.toLowerCase()) && ANY_PASSWORD.has(password.toLowerCase());
  return !isExample && !isPlaceholder(password) && !(isReference && TOKEN_REFERENCE.test(user));
}

// What package managers fetch from. A database in a script of package.json is another matter, and often one of a test.
const SCHEME = /(?:^|[^A-Za-z0-9])(?:[a-z]{2,9}\+)?(?:https?|ftps?|git|ssh)$/i;
const LONGEST_SCHEME = 20;
// A reference to a variable is one thing, whatever it holds: `${TOKEN:-}`, `{env:TOKEN}`, `{{ config["token"] }}`.
const REFERENCE = /\$?\{{1,2}[^{}\n]{0,256}\}{1,2}|\$\([^()\n]{0,256}\)|<[^<>\n]{0,256}>/y;
const PLAIN = /[^\s/?#"'<>`\\]/y;
const HOST = /\[[\da-f:]+\]|[^\s/?#"'<>`\\@:]{1,256}/iy;
const LONGEST_USER_INFO = 2_048;
const THIS_MACHINE = /^(?:localhost|127\.[\d.]+|\[::1\])$/i;

/** Where addresses with a password or a token begin in a text, as far as package managers fetch from such an address. */
export function* loginsIn(text: string): Generator<number, void, undefined> {
  for (let at = text.indexOf("://"); at >= 0; at = text.indexOf("://", at + 3)) {
    if (!SCHEME.test(text.slice(Math.max(0, at - LONGEST_SCHEME), at))) continue;
    const login = userInfoAt(text, at + 3);
    if (login && !THIS_MACHINE.test(login.host) && isLogin(login)) yield at;
  }
}

/** What stands before the last `@` that a host follows. It ends at the first slash, before the next address begins. */
function userInfoAt(text: string, start: number): (UserInfo & { readonly host: string }) | undefined {
  let colon: number | undefined;
  let found: { readonly end: number; readonly host: string } | undefined;
  for (let at = start; at < start + LONGEST_USER_INFO;) {
    const part = matchAt(REFERENCE, text, at) ?? matchAt(PLAIN, text, at);
    if (part === undefined) break;
    if (part === ":") colon ??= at;
    const host = part === "@" && at > start ? matchAt(HOST, text, at + 1) : undefined;
    if (host !== undefined) found = { end: at, host };
    at += part.length;
  }
  if (!found) return undefined;
  const { end, host } = found;
  if (colon === undefined || colon > end)
    return { user: urlDecoded(text.slice(start, end)), password: undefined, host };
  return { user: urlDecoded(text.slice(start, colon)), password: urlDecoded(text.slice(colon + 1, end)), host };
}

function matchAt(form: RegExp, text: string, at: number): string | undefined {
  form.lastIndex = at;
  return form.exec(text)?.[0];
}
