package main

import (
	"github.com/OWNER/graph-deploy/sdk/go/graphdeploy"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/config"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		modelAPIKey := config.New(ctx, "").RequireSecret("modelApiKey")

		// The directory is uploaded; only a change of one of its files makes a revision.
		agent, err := graphdeploy.NewDeployment(ctx, "support-agent", &graphdeploy.DeploymentArgs{
			Source: graphdeploy.SourceInternalSource,
			Directory: &graphdeploy.DirectoryArgs{
				Path:    pulumi.String("../agent"),
				Exclude: pulumi.ToStringArray([]string{"README.md"}),
			},
			Secrets:        pulumi.StringMap{"MODEL_API_KEY": modelAPIKey},
			TimeoutSeconds: pulumi.Float64(900),
		})
		if err != nil {
			return err
		}

		ctx.Export("url", agent.Url)
		ctx.Export("revision", agent.ManagedRevisionId)
		ctx.Export("sourceSummary", agent.SourceSummary)
		return nil
	})
}
