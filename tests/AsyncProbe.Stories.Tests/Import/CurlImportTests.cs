using System.Diagnostics;
using System.Text.RegularExpressions;

namespace AsyncProbe.Stories.Tests.Import;

/// <summary>Compares what curl commands send from the command and from the real curl.</summary>
[SideBySide]
public sealed partial class CurlImportTests
{
    /// <summary>The traps: how data is joined, encoded and typed, which option wins, and how a shell handles quotes.</summary>
    private const string Commands = """
        # a comment
        curl -s $URL/a -d 'a=1' -d 'b=2 x'
        curl -s -G "$URL/g?x=1" -d a=1 --data-urlencode 'b= c'
        curl -s $URL/u --data-urlencode 'a b~*é' --data-urlencode '=c=d e' --data-urlencode 'n m=v w'
        curl -s -u 'ädä:p w' $URL/x -X PATCH -H 'Accept:' -H 'X-E;' -H 'X-N:'
        curl -s -b 'a=1; b=2' -b c=3 $URL/c
        curl -s -F a=1 -F 'b=x;type=text/plain;charset=utf-8' -F 'c="q;\"r"' --form-string 'd=@x;y' -F 'e=1;filename=x.txt' -F 'j={"a":1};type=application/json' $URL/f
        curl -s --json '{"a":1}' --json '[2]' $URL/j
        curl -sI $URL/i
        curl -s $URL/d -d ''
        curl -s --data-binary $'x\ny\t\'\u00e9' $URL/bin -H 'content-type: text/plain'
        curl -s -A agent -e http://ref/ $URL/ae
        curl -s --oauth2-bearer tok $URL/o
        curl -s -X POST -G -d a=1 $URL/xg
        curl -s $URL/one $URL/two -d z=1
        curl -s $URL/n1 -d a=1 --next -s $URL/n2
        curl -s "$URL/frag?a=b#x"
        curl -s \
          -H "Content-Type: application/json" \
          -H "X-Quote: it's \"q\" \$x" \
          -d '{"a": 1}' \
          $URL/ct
        curl -s $URL/raw --data-raw '@x'
        curl -sSLXPUT $URL/comb -HA:b -da=1 -uu:p
        curl -s -d 'a
        b' $URL/nl
        curl -s $URL/noslash?q -G -d a
        curl -s -d "a=1" -H "Content-Type:" $URL/ctnone
        curl -s -H 'X-City: Århus, 5 €' -b 'place=Zürich' $URL/beyond-ascii
        curl -s -H 'Accept: a/b' -H 'accept: c/d' $URL/two-accepts; curl -s -X DELETE $URL/last | cat
        """;

    [Fact]
    public async Task Commands_SendTheSame_AsWithCurl()
    {
        if (Programs.FindFolder("curl") is null || Programs.FindFolder("bash") is null)
        {
            Programs.Missing("curl", "curl", "curl");
            return;
        }

        await using var server = await EchoServer.StartAsync();
        var file = Path.Combine(AppContext.BaseDirectory, "traps.curl");
        await File.WriteAllTextAsync(file, Commands.Replace("$URL", server.Address.ToString().TrimEnd('/'), StringComparison.Ordinal));

        using var curl = Process.Start(
            new ProcessStartInfo("bash", [file]) { Environment = { ["LC_ALL"] = "C.UTF-8", ["HOME"] = AppContext.BaseDirectory } })!;
        await curl.WaitForExitAsync().WaitAsync(TimeSpan.FromMinutes(2));
        var expected = server.Drain();
        var run = await AsyncProbeCommand.RunAsync("run", file, "--once", "--probe", "off");

        run.ExitCode.ShouldBe(0, run.Messages);
        expected.Count.ShouldBe(27);
        server.Drain().ShouldBe(expected);
    }

    /// <summary>The value of an unknown option would be treated as a URL.</summary>
    [Fact]
    public async Task EveryOptionWithAValue_IsKnownToHaveOne()
    {
        if (Programs.FindFolder("curl") is null)
        {
            Programs.Missing("curl", "curl", "curl");
            return;
        }

        var help = new ProcessStartInfo("curl", ["--help", "all"]) { RedirectStandardOutput = true };
        using var curl = Process.Start(help)!;
        var text = await curl.StandardOutput.ReadToEndAsync().WaitAsync(TimeSpan.FromMinutes(1));
        var options = WithValue().Matches(text).Select(match => match.Groups[1].Value).Where(option => option != "--url").ToList();
        var file = Path.Combine(AppContext.BaseDirectory, "options.curl");
        await File.WriteAllLinesAsync(file, options.Select(option => $"curl {option} v http://h/"));

        var check = await AsyncProbeCommand.RunAsync("check", file);

        options.Count.ShouldBeGreaterThan(100);
        check.Results.ShouldContain($": {options.Count} requests");
    }

    [GeneratedRegex(@"^ *(?:-., *)?(--[\w.-]+) <", RegexOptions.Multiline)]
    private static partial Regex WithValue();
}
