using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

namespace AsyncProbe.Fleet.Tests;

/// <summary>The example for Kubernetes: anything that its server would refuse, and every name that one part uses from another.</summary>
public sealed class KubernetesTests
{
    private const string Monitors = "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/PodMonitor";

    private static readonly string s_text = File.ReadAllText(Tool.Deploy("kubernetes", "asyncprobe.yml"));
    private static readonly IReadOnlyList<JsonNode> s_documents = Yaml.ReadAll("kubernetes", "asyncprobe.yml");
    private static readonly JsonNode s_pod = s_documents[0]["spec"]!["template"]!;
    private static readonly JsonNode s_relay = Container("lifeline-relay");

    [Fact]
    public Task Documents_HaveTheTypesOfTheirKinds() => TypeCheck.CompileAsync(
        [.. s_documents.Select(document => (string)document["kind"]! switch
        {
            "Deployment" => ("kubernetes-models/apps/v1/Deployment", "IDeployment", document.ToJsonString()),
            _ => (Monitors, "IPodMonitor", document.ToJsonString()),
        })]);

    [Fact]
    public void Monitor_FindsThePodsAndTheirPort()
    {
        var labels = s_pod["metadata"]!["labels"]!;
        var monitor = s_documents[1]["spec"]!;
        var endpoint = monitor["podMetricsEndpoints"]![0]!;
        var port = s_relay["ports"]![0]!;

        JsonNode.DeepEquals(monitor["selector"]!["matchLabels"], labels).ShouldBeTrue();
        JsonNode.DeepEquals(s_documents[0]["spec"]!["selector"]!["matchLabels"], labels).ShouldBeTrue();
        ((string)endpoint["port"]!).ShouldBe((string)port["name"]!);
        Environment("RELAY_LISTEN")["value"]!.ToString().ShouldBe(port["containerPort"]!.ToString());
        File.ReadAllText(Tool.Deploy("relay", "lifeline.conf.template")).ShouldContain($"location = {endpoint["path"]} ");
    }

    [Fact]
    public void Relay_ReachesTheLifeline_AndSharesItsTokenWithTheMonitor()
    {
        var secret = Environment("LIFELINE_TOKEN")["valueFrom"]!["secretKeyRef"];
        var app = Container("shop")["env"]![0]!;

        ((string)app["name"]!).ShouldBe("AsyncProbe__LifelinePort");
        Environment("LIFELINE_PORT")["value"]!.ToString().ShouldBe(app["value"]!.ToString());
        JsonNode.DeepEquals(s_documents[1]["spec"]!["podMetricsEndpoints"]![0]!["authorization"]!["credentials"], secret).ShouldBeTrue();
        s_text.ShouldContain($"kubectl create secret generic {secret!["name"]} --from-literal={secret["key"]}=");
    }

    [Fact]
    public void Template_ComesFromTheFileThatTheCommandNames()
    {
        var command = Regex.Match(s_text, @"kubectl create configmap (\S+) --from-file=(\S+)=(\S+)");

        ((string)s_pod["spec"]!["volumes"]![0]!["configMap"]!["name"]!).ShouldBe(command.Groups[1].Value);
        command.Groups[2].Value.ShouldBe("default.conf.template");
        File.Exists(Path.Combine(Repository.Folder, command.Groups[3].Value)).ShouldBeTrue(command.Value);
        ((string)s_relay["volumeMounts"]![0]!["mountPath"]!).ShouldBe("/etc/nginx/templates");
    }

    private static JsonNode Container(string name) => s_pod["spec"]!["containers"]!.AsArray().Single(c => (string)c!["name"]! == name)!;

    private static JsonNode Environment(string name) => s_relay["env"]!.AsArray().Single(e => (string)e!["name"]! == name)!;
}
