import pulumi
import pulumi_graph_deploy as graph_deploy

config = pulumi.Config()

# The directory is uploaded; only a change of one of its files makes a revision.
agent = graph_deploy.Deployment(
    "support-agent",
    source=graph_deploy.Source.INTERNAL_SOURCE,
    directory={"path": "../agent", "exclude": ["README.md"]},
    secrets={"MODEL_API_KEY": config.require_secret("modelApiKey")},
    timeout_seconds=900,
)

pulumi.export("url", agent.url)
pulumi.export("revision", agent.managed_revision_id)
pulumi.export("sourceSummary", agent.source_summary)
