import { flag, line, text } from "../contract/option-kinds.ts";
import { option } from "../contract/options.ts";

/** How a control plane is reached, and who asks it. */
export const CONNECTION_OPTIONS = {
  url: option(text, {
    about:
      "Address of the control plane, with its path prefix if it has one; `local` rehearses on a local service. Default: the variable GRAPH_DEPLOY_URL.",
  }),
  apiKey: option(text, {
    about: "API key of the service. Default: the variable GRAPH_DEPLOY_API_KEY, unless `bearerToken` is set.",
    secret: true,
  }),
  bearerToken: option(text, {
    about: "Token to send in the header Authorization, for services that accept one instead of an API key.",
    secret: true,
  }),
  tenantId: option(line, {
    about: "Workspace that the key is used for. Default: the variable GRAPH_DEPLOY_TENANT_ID.",
  }),
  caCertificate: option(text, {
    about:
      "Certificate authority to trust in addition to the usual ones, as PEM text or as a path relative to the workspace.",
  }),
  fieldNames: option(text, {
    about:
      "Names that the service spells differently, as pairs such as `graph_config_path=acmegraph_config_path`, separated by commas or lines.",
  }),
  allowHttp: option(flag, {
    about: "Allow an `http` address that is not on this machine. Credentials are then sent unencrypted.",
    default: "false",
  }),
};
