import { checkCall, objectOf } from "../../contract/call-arguments.ts";

// Needed to run any program on this machine; none of them is a setting of an agent.
const MACHINE_VARIABLES = [
  ...["PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ", "TMPDIR", "PYENV_ROOT", "PYENV_VERSION", "VIRTUAL_ENV"],
  ...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"],
  ...["NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "PIP_INDEX_URL", "npm_config_registry"],
  ...["SystemRoot", "ComSpec", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA", "ProgramFiles"],
] as const;

/**
 * The part of this machine's environment that an agent's process gets. The rest is left out, so that an agent whose
 * deployment lacks a secret fails here as it would on a platform.
 */
export function machineEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  checkCall("machineEnvironment", { environment: [objectOf(), environment] });
  return Object.fromEntries(
    MACHINE_VARIABLES.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
