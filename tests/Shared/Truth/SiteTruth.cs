namespace AsyncProbe.Tests.Truth;

/// <summary>What can see a wait.</summary>
internal enum SeenBy
{
    /// <summary>The wait hook or EF Core's events: it must be reported.</summary>
    Hook,

    /// <summary>
    /// Only stack snapshots: it must be reported if they are taken and it is long enough for one, and can't be otherwise.
    /// </summary>
    Snapshot,

    /// <summary>It may or may not happen, so reporting it is optional; if it is reported, kind, method and line must be right.</summary>
    Perhaps,
}

/// <summary>A place that blocks.</summary>
internal sealed record SiteTruth
{
    // Shorter ones are found by chance: a snapshot starts for segments that have been blocked for 200 ms.
    public const double LongEnoughForSnapshotMs = 200;

    /// <summary>The kind as the report spells it: <c>Task.Wait</c>.</summary>
    public required string Kind { get; init; }

    /// <summary>The type and method, as the report names them.</summary>
    public required string Method { get; init; }

    /// <summary>The file's name without its folder; null if the line isn't judged.</summary>
    public string? File { get; init; }

    public int? Line { get; init; }

    public SeenBy SeenBy { get; init; }

    /// <summary>The reason why it is allowed; null if it isn't.</summary>
    public string? Allowed { get; init; }

    /// <summary>The library that owns the lock; null if the lock is the application's own, or not judged.</summary>
    public string? Owner { get; init; }

    /// <summary>How long one such wait lasts, in milliseconds.</summary>
    public double BlocksMs { get; init; }

    /// <summary>
    /// Where it is reported if the compiler has inlined the method into its caller: the stack then shows only the caller and its
    /// line. Only for own callers that aren't a filter, middleware or base class around the endpoint.
    /// </summary>
    public IReadOnlyList<Place> OrInCaller { get; init; } = [];

    public string Text => File is null ? Method : $"{Method} ({File}:{Line})";

    public IEnumerable<Place> Places => OrInCaller.Prepend(new Place(Method, File, Line));

    public bool IsRequired(Setting setting) => SeenBy switch
    {
        SeenBy.Hook => setting.IsWatched,
        SeenBy.Snapshot => setting.HasSnapshots && BlocksMs > LongEnoughForSnapshotMs,
        _ => false,
    };

    public bool IsPossible(Setting setting) => SeenBy != SeenBy.Snapshot || setting.HasSnapshots;
}

internal sealed record Place(string Method, string? File, int? Line);

/// <summary>How AsyncProbe was set up in the process that is judged.</summary>
internal sealed record Setting
{
    public bool IsDevelopment { get; init; } = true;

    /// <summary>False with detection off.</summary>
    public bool IsWatched { get; init; } = true;

    public bool HasSnapshots { get; init; }
}
