using System.Reflection;

namespace AsyncProbe.Cli.Runs;

internal static class ToolVersion
{
    /// <summary>"1.0.0", without the build's revision.</summary>
    public static string Number { get; } =
        typeof(ToolVersion).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0]
            ?? "0.0.0";

    /// <summary>The project's address; null while it has none.</summary>
    public static string? Address { get; } =
        typeof(ToolVersion).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
            .FirstOrDefault(metadata => metadata.Key == "RepositoryUrl")?.Value;

    /// <summary>"asyncprobe 1.0.0".</summary>
    public static string Text { get; } = "asyncprobe " + Number;
}
