using System.Text;
using AsyncProbe.Cli.Sessions;

namespace AsyncProbe.Cli.Tests.Sessions;

public class StoryFilesTests
{
    private static string Folder { get; } = Path.Combine(Repository.Folder, "websurge");

    public static TheoryData<string> Names =>
        [.. Stories.All.Keys.Union(Directory.GetFiles(Folder, "*.websurge").Select(file => Path.GetFileNameWithoutExtension(file)))];

    [Theory]
    [MemberData(nameof(Names))]
    public void File_IsWhatTheWriterWrites_OfTheStory(string name)
    {
        var file = Path.Combine(Folder, name + ".websurge");
        var text = SessionWriter.Write(Stories.All[name]);
        if (Environment.GetEnvironmentVariable("ASYNCPROBE_WRITE_STORIES") == "1")
        {
            File.WriteAllText(file, text, new UTF8Encoding(encoderShouldEmitUTF8Identifier: false));
        }

        File.ReadAllText(file).ShouldBe(text, "Run the tests with ASYNCPROBE_WRITE_STORIES=1 to write the files anew.");
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void File_OpensInVersionOne_ByItsRules(string name)
    {
        var (requests, options, complaints) = VersionOneReader.Read(File.ReadAllBytes(Path.Combine(Folder, name + ".websurge")));

        complaints.ShouldBeEmpty();
        requests.Count.ShouldBe(Stories.All[name].Requests.Count);
        requests.ShouldAllBe(request => request.Url.StartsWith("http://127.0.0.1:5080/") && request.Name.Length > 0);
        options.GetProperty("LastThreads").GetInt32().ShouldBe(options.GetProperty("ThreadCount").GetInt32());
        options.GetProperty("LastSecondsToRun").GetInt32().ShouldBe(options.GetProperty("SecondsToRun").GetInt32());
    }

    [Theory]
    [MemberData(nameof(Names))]
    public async Task File_PassesCheck_WithoutAWarning(string name)
    {
        var tool = await Tool.RunAsync("check", Path.Combine(Folder, name + ".websurge"));

        tool.ExitCode.ShouldBe(0, tool.Messages);
        tool.Results.ShouldNotContain("warning:");
        tool.Results.ShouldNotContain("note:");
    }
}
