using System.Globalization;
using System.Text;
using System.Xml;
using System.Xml.Linq;
using static AsyncProbe.Cli.Sessions.Export.JmxElement;

namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>Writes a test plan with elements that exist in JMeter 2.13 to 5.6.</summary>
internal sealed class JmxWriter
{
    private readonly ExportPlan _plan;
    private readonly List<string> _losses;
    private readonly Dictionary<string, string> _sites = new(StringComparer.Ordinal);

    /// <summary>The variables in JSON bodies, with the body's own value until something is captured.</summary>
    private readonly Dictionary<string, string> _injected = new(StringComparer.Ordinal);

    private JmxWriter(ExportPlan plan)
    {
        _plan = plan;
        _losses = [.. plan.Losses, .. ExportComment.LossesOfEngine(plan)];
        foreach (var site in plan.Sites)
        {
            _sites[site] = SiteName(_sites.Count + 1);
        }
    }

    public static ExportedFile Write(ExportPlan plan) => new JmxWriter(plan).Write();

    private ExportedFile Write()
    {
        if (_plan.Options.RandomizeRequests)
        {
            _losses.Add("One random order for each thread: JMeter shuffles anew in every pass.");
        }

        FindInjected();
        var body = Body();
        var comment = string.Join('\n', ExportComment.Lines(_plan, _losses));
        var plan = new XElement("jmeterTestPlan", new XAttribute("version", "1.2"), new XAttribute("properties", "2.8"),
            new XAttribute("jmeter", "2.13"),
            Tree(
                Create("TestPlan", "TestPlanGui", _plan.Name, true,
                    Text("TestPlan.comments", JmxText.Write(comment)),
                    Flag("TestPlan.functional_mode", false),
                    Flag("TestPlan.serialize_threadgroups", false),
                    Variables()),
                body));
        return new(Xml(new XDocument(new XComment("\n" + comment + "\n"), plan)), _losses);
    }

    private void FindInjected()
    {
        foreach (var request in _plan.ActiveRequests)
        {
            foreach (var rule in request.Rules.Where(rule => rule.Kind == TokenKind.InjectJson))
            {
                var name = JmxCapture.JsonVariableName(rule);
                if (InjectedBody.Original(request, rule) is not { } original)
                {
                    _losses.Add($"\"{request.Title}\": its body isn't JSON with a property \"{rule.Property}\", so the captured value isn't inserted.");
                }
                else if (!_injected.TryAdd(name, original) && _injected[name] != original)
                {
                    _losses.Add($"\"{request.Title}\": until \"{rule.Lookup}\" is captured, an earlier request's value is sent.");
                }
            }
        }
    }

    private XElement Variables() => Property("TestPlan.user_defined_variables", "Arguments", List("Arguments.arguments",
    [
        // -Jsite=https://… points the plan at another server.
        .. _sites.Select(site => Argument(site.Value, $"${{__P({site.Value},{site.Key})}}")),
        .. _plan.Variables.Select(
            variable => Argument(
                JmxText.Name(variable.Name),
                variable.Value is { } value ? JmxText.Write(value) : $"${{__P({JmxText.Name(variable.Name)},{variable.AsWritten})}}")),
        .. _plan.ActiveRequests.SelectMany(request => request.Rules).Where(rule => rule.Kind == TokenKind.CaptureJson)
            .Select(rule => JmxCapture.VariableName(rule)).Distinct().Select(name => Argument(name, "")),
        .. _injected.Select(pair => Argument(pair.Key, JmxText.Write(pair.Value))),
    ]));

    private XElement Body()
    {
        var elements = new List<XElement>();
        if (_plan.Options.TrackPerSessionCookies)
        {
            Add(
                elements,
                Create(
                    "CookieManager", "CookiePanel", "Cookies", true, List("CookieManager.cookies"),
                    Flag("CookieManager.clearEachIteration", false)));
            if (_plan.Requests.Any(request => request.Header("Cookie") is not null))
            {
                _losses.Add(
                    "A request's own cookies on later requests, or together with cookies from the server: JMeter sends them only with that "
                        + "request, and only until the server sets one.");
            }
        }

        if (_plan.DelayMs > 0)
        {
            Add(elements, Create("ConstantTimer", "ConstantTimerGui", "Think time", true, Number("ConstantTimer.delay", _plan.DelayMs)));
        }

        var rest = new List<XElement>();
        foreach (var request in _plan.Requests)
        {
            var target = _plan.Options.RandomizeRequests && !request.KeepsItsPlace ? rest : elements;
            target.Add(Sampler(request));
            target.Add(Below(request));
        }

        if (rest.Count > 0)
        {
            elements.Add(Create("RandomOrderController", "RandomOrderControllerGui", "In random order", true));
            elements.Add(Tree([.. rest]));
        }

        return Tree(Threads(), Tree([.. elements]));
    }

    private XElement Threads() => Create("ThreadGroup", "ThreadGroupGui", "Threads", true,
        Text("ThreadGroup.on_sample_error", "continue"),
        Property("ThreadGroup.main_controller", "LoopController",
            Flag("LoopController.continue_forever", false),
            Text("LoopController.loops", "${__P(loops,-1)}")),
        Text("ThreadGroup.num_threads", string.Create(CultureInfo.InvariantCulture, $"${{__P(threads,{_plan.Threads})}}")),
        Number("ThreadGroup.ramp_time", 0),
        Flag("ThreadGroup.scheduler", true),
        Text("ThreadGroup.duration", string.Create(CultureInfo.InvariantCulture, $"${{__P(seconds,{_plan.Seconds})}}")),
        Number("ThreadGroup.delay", 0));

    private XElement Sampler(ExportRequest request)
    {
        _losses.AddRange(JmxLosses.Find(request));
        var timeout = (int)_plan.Options.RequestTimeout.TotalMilliseconds;
        return Create("HTTPSamplerProxy", "HttpTestSampleGui", request.Title, !request.Inactive && JmxLosses.KnowsVerb(request),
            Flag("HTTPSampler.postBodyRaw", request.HasBody),
            Property("HTTPsampler.Arguments", "Arguments", List("Arguments.arguments", request.HasBody
                ? [Property(
                    "", "HTTPArgument", Flag("HTTPArgument.always_encode", false), Text("Argument.value", BodyText(request)),
                    Text("Argument.metadata", "="))]
                : [])),
            // JMeter accepts a complete URL as the path.
            Text(
                "HTTPSampler.path",
                JmxText.Write(
                    new([new(_sites[request.Site], IsVariable: true), .. request.PathAndQuery.Parts]),
                    name => _sites.ContainsValue(name) ? name : JmxText.Name(name))),
            Text("HTTPSampler.method", request.Verb),
            Text("HTTPSampler.contentEncoding", request.Bytes is null ? "UTF-8" : "ISO-8859-1"),
            Flag("HTTPSampler.follow_redirects", true),
            Flag("HTTPSampler.auto_redirects", false),
            Flag("HTTPSampler.use_keepalive", true),
            Flag("HTTPSampler.DO_MULTIPART_POST", false),
            Text("HTTPSampler.implementation", "HttpClient4"),
            Number("HTTPSampler.connect_timeout", timeout),
            Number("HTTPSampler.response_timeout", timeout));
    }

    /// <summary>Sends bytes as ISO 8859-1 characters.</summary>
    private static string BodyText(ExportRequest request)
    {
        if (request.Bytes is { } bytes)
        {
            return JmxText.Write(Encoding.Latin1.GetString(bytes));
        }

        var injected = request.Rules.Any(rule => rule.Kind == TokenKind.InjectJson)
            ? InjectedBody.Write(request, JmxCapture.JsonVariableName)
            : null;
        return JmxText.Write(injected ?? request.Body!, JmxText.Name);
    }

    /// <summary>The request's headers, and the values to capture from its response.</summary>
    private XElement Below(ExportRequest request)
    {
        var elements = new List<XElement>();
        var bearer = request.Rules.FirstOrDefault(rule => rule.Kind == TokenKind.InjectBearer);
        var headers = request.Headers.Where(header => bearer is null || !header.Is("Authorization"))
            .Select(header => (header.Name, Value: JmxText.Write(header.Value, JmxText.Name))).ToList();
        if (request.Headers.FirstOrDefault(header => IsBeyondAscii(header.Value)) is { } beyond)
        {
            _losses.Add($"The header {beyond.Name} of \"{request.Title}\" in UTF-8: JMeter sends what is not ASCII as ISO 8859-1.");
        }

        if (bearer is not null)
        {
            headers.Add(("Authorization", JmxCapture.BearerToken(bearer)));
        }

        // Ask for compression like the runner does; both decompress the response.
        if (!_plan.Options.NoContentDecompression && request.Header("Accept-Encoding") is null)
        {
            headers.Add(("Accept-Encoding", "gzip, deflate"));
        }

        if (headers.Count > 0)
        {
            Add(elements, Create("HeaderManager", "HeaderPanel", "Headers", true, List("HeaderManager.headers",
                [.. headers.Select(
                    header => Property("", "Header", Text("Header.name", header.Name), Text("Header.value", header.Value)))])));
        }

        foreach (var rule in request.Rules)
        {
            if (rule.Kind == TokenKind.CaptureJson)
            {
                Add(elements, JmxCapture.Extractor(rule));
                if (_injected.ContainsKey(JmxCapture.JsonVariableName(rule)))
                {
                    Add(elements, JmxCapture.JsonExtractor(rule));
                }
            }

            if (JmxCapture.FindLoss(request, rule) is { } loss)
            {
                _losses.Add(loss);
            }
        }

        return Tree([.. elements]);
    }

    private bool IsBeyondAscii(ExportText text) =>
        !text.Write(literal => literal, name => _plan.Variables.FirstOrDefault(variable => variable.Name == name)?.Value ?? "")
            .All(char.IsAscii);

    private static void Add(List<XElement> elements, XElement element) => elements.AddRange([element, Tree()]);

    /// <summary>Finds a name that no other variable has.</summary>
    private string SiteName(int number)
    {
        var name = number == 1 ? "site" : string.Create(CultureInfo.InvariantCulture, $"site{number}");
        while (_plan.Variables.Any(variable => variable.Name.Equals(name, StringComparison.OrdinalIgnoreCase)))
        {
            name += "_";
        }

        return name;
    }

    private static string Xml(XDocument document)
    {
        // XML preserves a carriage return only as an entity. The writer separates two dashes in a comment.
        var settings = new XmlWriterSettings
        {
            Indent = true,
            Encoding = new UTF8Encoding(false),
            NewLineHandling = NewLineHandling.Entitize,
            NewLineChars = "\n",
        };
        using var stream = new MemoryStream();
        using (var writer = XmlWriter.Create(stream, settings))
        {
            document.Save(writer);
        }

        return Encoding.UTF8.GetString(stream.ToArray()) + "\n";
    }
}
