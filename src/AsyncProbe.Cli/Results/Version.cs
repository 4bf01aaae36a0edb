using System.Reflection;

namespace AsyncProbe.Cli.Results;

internal static class Version
{
    /// <summary>"asyncprobe 1.0.0", without the build's revision.</summary>
    public static string Text { get; } = "asyncprobe "
        + (typeof(Version).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0] ?? "0.0.0");
}
