namespace AsyncProbe.Truth.Tests.Generator;

/// <summary>A piece: one statement that blocks, works or awaits, and what is true of it.</summary>
internal sealed record Wait
{
    public required string Name { get; init; }

    /// <summary>Waits of the same family are interchangeable when pairs are made.</summary>
    public required Family Family { get; init; }

    /// <summary>The statement, on one line. <c>$MS</c> is the amount, <c>$N</c> the row's class.</summary>
    public required string Code { get; init; }

    /// <summary>Statements before it that neither block nor work.</summary>
    public string Setup { get; init; } = "";

    /// <summary>Members of the row's class.</summary>
    public string Members { get; init; } = "";

    /// <summary>The kind that the report must name; null if it doesn't block.</summary>
    public string? Kind { get; init; }

    public SeenBy SeenBy { get; init; }

    public string? Allowed { get; init; }

    /// <summary>
    /// Whether several threads run it for one request, in which case the endpoint's own clocks, which cover one thread, show too little.
    /// </summary>
    public bool IsParallel => Family == Family.Parallel;

    /// <summary>
    /// Whether it checks a few times before it waits, and yields its core between the checks: on a crowded core it may finish before
    /// it ever waits (docs/blocking.md, "Waits that spin first").
    /// </summary>
    public bool SpinsFirst =>
        Family is Family.Task or Family.ValueTask or Family.Network or Family.Allowed or Family.Parallel
        || Kind == "SemaphoreSlim"
        || Name is "manualResetEventSlim.Wait()" or "countdownEvent.Wait()" or "blockingCollection.Take()"
            or "readerWriterLockSlim.EnterReadLock()"
        || Name.Contains("Threading.Lock", StringComparison.Ordinal);

    /// <summary>
    /// Whether its end is already under way when it begins. A thread that loses its core in between is late: with six CPU loops running, a
    /// request spent 35 ms in the run queue before it reached a lock that was held for 20 ms.
    /// </summary>
    public bool IsUnderWay => Setup.Contains("Later.Do(", StringComparison.Ordinal) || Setup.Contains("Holder.", StringComparison.Ordinal);

    public required string Verdict { get; init; }

    public int CpuMs { get; init; }

    /// <summary>The number of awaits that suspend, in the statement and before it.</summary>
    public int Awaits { get; init; }

    public bool IsAsync => Awaits > 0 || Code.Contains("await ", StringComparison.Ordinal);

    /// <summary>How long it lasts, in milliseconds; 0 if it doesn't take time.</summary>
    public int Ms { get; init; } = 20;
}

internal enum Family
{
    Task,
    ValueTask,
    Signal,
    Lock,
    Thread,
    Network,
    Sleep,
    File,
    Native,
    LongSleep,
    Allowed,
    Parallel,
    Database,
    Cpu,
    Await,
    Nothing,
}
