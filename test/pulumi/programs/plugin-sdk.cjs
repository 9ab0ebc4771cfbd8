// What a program imports to use the plugin, as an SDK that is made from its schema would have it.
const { CustomResource, ProviderResource, runtime, secret } = require("@pulumi/pulumi");

const OUTPUTS = ["latestRevisionId", "managedRevisionId", "status", "url", "sourceHash", "sourceSummary", "createdAt"];
const NAMED = Object.fromEntries(["name", "source", ...OUTPUTS].map((key) => [key, undefined]));

class Deployment extends CustomResource {
  static get(name, id, _state, options) {
    return new Deployment(name, {}, { ...options, id });
  }

  constructor(name, args, options) {
    const { secrets, ...others } = args;
    const given = { ...others, ...(secrets === undefined ? {} : { secrets: secret(secrets) }) };
    super("graph-deploy:index:Deployment", name, { ...NAMED, ...given }, options);
  }
}

class Provider extends ProviderResource {
  constructor(name, args, options) {
    super("graph-deploy", name, args, options);
  }
}

module.exports = {
  Provider,
  Deployment,
  getDeployment: (query) => runtime.invoke("graph-deploy:index:getDeployment", query),
  getDeploymentOutput: (query) => runtime.invokeOutput("graph-deploy:index:getDeployment", query),
};
