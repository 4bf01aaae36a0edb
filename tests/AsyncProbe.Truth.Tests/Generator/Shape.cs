namespace AsyncProbe.Truth.Tests.Generator;

/// <summary>A piece: the place of the statement in an application.</summary>
/// <param name="Name">A readable name.</param>
/// <param name="Method">The method that blocks, as the report names it. <c>$N</c> is the row's class.</param>
/// <param name="Code">
/// The source. <c>$BODY</c> is the statement and what belongs to it, <c>$ASYNC</c> and <c>$RETURNS</c> make the method around it
/// asynchronous where needed, <c>$MEMBERS</c> are what the statement calls. It has a class <c>$N</c> with any of <c>AddServices</c>,
/// <c>Use</c> and <c>Map</c>.
/// </param>
internal sealed record Shape(string Name, string Method, string Code)
{
    public bool MayAwait { get; init; } = true;

    /// <summary>Whether the response has been sent by then, so that the time counts separately.</summary>
    public bool IsAfterResponse { get; init; }

    /// <summary>Whether the headers have been written by then.</summary>
    public bool IsAfterHeaders { get; init; }

    /// <summary>Whether the last middleware has returned by then. The segments of a request are counted until that moment.</summary>
    public bool IsAfterPipeline { get; init; }

    /// <summary>How many awaits in this shape suspend.</summary>
    public int Awaits { get; init; }

    public bool Equals(Shape? other) => other?.Name == Name;

    public override int GetHashCode() => Name.GetHashCode(StringComparison.Ordinal);

    public string MethodOf(string name) => Method.Replace("$N", name, StringComparison.Ordinal);
}
