namespace AsyncProbe.Truth.Tests;

/// <summary>How the code is compiled, and how the application runs.</summary>
internal sealed record RuntimeSetting(string Name)
{
    public bool IsOptimized { get; init; } = true;

    public bool IsDevelopment { get; init; } = true;

    public bool HasSnapshots { get; init; }

    /// <summary>
    /// Whether the endpoints are precompiled to machine code, as in an application published with that option.
    /// </summary>
    public bool IsPrecompiled { get; init; }

    /// <summary>Whether logging has the platform's defaults, a few console lines per request, instead of the project templates'.</summary>
    public bool IsLoud { get; init; }

    /// <summary>Whether even the framework's code is compiled when it first runs.</summary>
    public bool IsCompilingAll => Environment.ContainsKey("DOTNET_ReadyToRun");

    /// <summary>The runtime's environment variables, in which numbers are hexadecimal.</summary>
    public IReadOnlyDictionary<string, string> Environment { get; init; } = new Dictionary<string, string>();

    public string Folder => Name.Replace(", ", "-", StringComparison.Ordinal).Replace(' ', '-');

    public Setting Judged => new() { IsDevelopment = IsDevelopment, HasSnapshots = HasSnapshots };

    public bool Equals(RuntimeSetting? other) => other?.Name == Name;

    public override int GetHashCode() => Name.GetHashCode(StringComparison.Ordinal);

    public static IReadOnlyList<RuntimeSetting> All { get; } =
    [
        new("Debug, Development") { IsOptimized = false, IsLoud = true },
        new("Release, Development, snapshots") { HasSnapshots = true },
        new("Release, Production") { IsDevelopment = false, IsLoud = true },
        new("Release, Production, no PGO, snapshots")
        {
            IsDevelopment = false, HasSnapshots = true, Environment = new Dictionary<string, string> { ["DOTNET_TieredPGO"] = "0" },
        },
        new("Release, Development, tier 1 at once") { Environment = new Dictionary<string, string> { ["DOTNET_TieredCompilation"] = "0" } },
        new("Release, Production, tier 0 only")
        {
            IsDevelopment = false, Environment = new Dictionary<string, string>
            {
                ["DOTNET_TC_CallCountThreshold"] = "7FFFFFFF",
                ["DOTNET_OSR_HitLimit"] = "0",
            },
        },
        new("Release, Production, ReadyToRun") { IsDevelopment = false, IsPrecompiled = true },
        new("Release, Development, nothing precompiled, no OSR")
        {
            Environment = new Dictionary<string, string> { ["DOTNET_ReadyToRun"] = "0", ["DOTNET_TC_QuickJitForLoops"] = "0" },
        },
    ];
}
