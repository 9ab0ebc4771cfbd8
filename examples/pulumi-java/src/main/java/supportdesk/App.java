package supportdesk;

import com.pulumi.Pulumi;
import com.pulumi.graphdeploy.Deployment;
import com.pulumi.graphdeploy.DeploymentArgs;
import com.pulumi.graphdeploy.enums.Source;
import com.pulumi.graphdeploy.inputs.DirectoryArgs;
import java.util.Map;

public class App {
    public static void main(String[] args) {
        Pulumi.run(context -> {
            var modelApiKey = context.config().requireSecret("modelApiKey");

            // The directory is uploaded; only a change of one of its files makes a revision.
            var agent = new Deployment("support-agent", DeploymentArgs.builder()
                .source(Source.InternalSource)
                .directory(DirectoryArgs.builder().path("../agent").exclude("README.md").build())
                .secrets(modelApiKey.applyValue(value -> Map.of("MODEL_API_KEY", value)))
                .timeoutSeconds(900.0)
                .build());

            context.export("url", agent.url());
            context.export("revision", agent.managedRevisionId());
            context.export("sourceSummary", agent.sourceSummary());
        });
    }
}
