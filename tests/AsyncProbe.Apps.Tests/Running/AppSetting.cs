namespace AsyncProbe.Apps.Tests.Running;

/// <summary>How an application is built and started.</summary>
/// <param name="Environment">The hosting environment.</param>
/// <param name="Configuration">Debug or Release.</param>
internal sealed record AppSetting(string Environment, string Configuration)
{
    public bool HasProbe { get; init; } = true;

    /// <summary>Whether stack snapshots are added.</summary>
    public bool HasSnapshots { get; init; }

    /// <summary>Whether the results of <c>asyncprobe run</c> are judged as well.</summary>
    public bool IsRun { get; init; }

    /// <summary>The application's own settings.</summary>
    public IReadOnlyDictionary<string, string> Settings { get; init; } = new Dictionary<string, string>();

    public bool IsDevelopment => Environment == "Development";

    public override string ToString() =>
        $"{Configuration} in {Environment}{(HasSnapshots ? ", with stack snapshots" : "")}{(IsRun ? ", under asyncprobe run" : "")}";
}
