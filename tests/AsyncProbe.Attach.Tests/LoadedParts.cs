namespace AsyncProbe.Attach.Tests;

/// <summary>Finds AsyncProbe's assemblies in a process.</summary>
internal static class LoadedParts
{
    public static string[] Of(string pid) =>
    [
        .. File.ReadLines($"/proc/{pid}/maps").Select(Path.GetFileName).OfType<string>()
            .Where(name => name.StartsWith("AsyncProbe.", StringComparison.Ordinal)).Distinct(),
    ];
}
