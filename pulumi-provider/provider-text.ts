/** The resources that have a provider of their own. */
export type ProviderName = "deployment" | "readiness";

/**
 * What a state holds of a provider: no code, but the name of the stub, which the host loads from the program's packages.
 * Pulumi would serialise the provider that a program hands over, and gets this for a package that was installed; from a
 * link it takes the code of the stub, and under Bun nothing. The text is written down instead, the same in every
 * version, so that an upgrade changes no resource.
 */
export const PROVIDER_TEXTS: Readonly<Record<ProviderName, string>> = {
  deployment: 'exports.handler = () => require("graph-deploy/pulumi/stub");',
  readiness: 'exports.handler = () => require("graph-deploy/pulumi/stub").readiness;',
};
