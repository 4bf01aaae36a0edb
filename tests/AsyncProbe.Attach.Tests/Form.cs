using System.Collections.Concurrent;
using AsyncProbe.Packages.Tests;

namespace AsyncProbe.Attach.Tests;

/// <summary>A way to publish an application, for one version of .NET. Each application is published once in each form.</summary>
internal sealed record Form(int Major, string Name)
{
    public const string FrameworkDependent = "framework-dependent";
    public const string SelfContained = "self-contained";
    public const string SingleFile = "single-file";
    public const string ReadyToRun = "ReadyToRun";

    private const string System = "linux-x64";

    private static readonly ConcurrentDictionary<(string Project, Form Form), Lazy<Task<string>>> s_published = [];

    public static string[] Names { get; } = [FrameworkDependent, SelfContained, SingleFile, ReadyToRun];

    private bool HasRuntime => Name is SelfContained or SingleFile;

    private string[] Options => Name switch
    {
        FrameworkDependent => ["--no-self-contained"],
        SelfContained => ["-r", System, "--self-contained"],
        SingleFile => ["-r", System, "--self-contained", "-p:PublishSingleFile=true"],
        _ => ["-r", System, "--no-self-contained", "-p:PublishReadyToRun=true"],
    };

    /// <summary>The command that runs a project in this form.</summary>
    /// <param name="project">The project in the folder <c>tests</c>.</param>
    /// <param name="name">Its assembly's name.</param>
    public async Task<string[]> CommandAsync(string project, string name)
    {
        var folder = await s_published.GetOrAdd((project, this), key => new(() => PublishAsync(key.Project))).Value;
        var program = Path.Combine(folder, name);
        return HasRuntime ? [program] : [await SharedRuntimes.DotnetAsync(Major), "exec", program + ".dll"];
    }

    private async Task<string> PublishAsync(string project)
    {
        var framework = $"net{Major}.0";
        var folder = Path.Combine(Repository.Folder, "artifacts", "runtimes", $"{project}-{framework}-{Name}");
        await Commands.RunAsync(
            Repository.Folder,
            Commands.WithoutAnalyzers,
            ["dotnet", "publish", $"tests/{project}", "-c", "Release", "-f", framework, "-o", folder, "-v:q", "-nodeReuse:false", .. Options]);
        return folder;
    }
}
