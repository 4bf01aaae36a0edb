using System.Reflection;

namespace AsyncProbe.Cli.Runs;

internal static class ToolVersion
{
    /// <summary>"asyncprobe 1.0.0", without the build's revision.</summary>
    public static string Text { get; } = "asyncprobe "
        + (typeof(ToolVersion).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0] ?? "0.0.0");
}
