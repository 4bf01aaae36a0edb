namespace AsyncProbe.Common;

/// <summary>
/// The names of rows that stand for several endpoints or call sites, or for one that has no name of its own. Call sites and rows find each
/// other by name, so no two rows share one.
/// </summary>
internal static class RowNames
{
    public const string Unmatched = "(unmatched)";
    public const string Static = "(static)";

    /// <summary>The row that takes what a full table of endpoints or call sites has no room for.</summary>
    public const string Other = "(other)";

    /// <summary>The same for operations.</summary>
    public const string OtherOperations = "(other operations)";

    /// <summary>The endpoints that a call site has no room for. They may have rows in their table.</summary>
    public const string MoreEndpoints = "(more endpoints)";

    /// <summary>The method of requests whose method HTTP doesn't define.</summary>
    public const string OtherMethod = "_OTHER";

    /// <summary>The suffix of the endpoint name under which call sites count blocking after the response.</summary>
    public const string AfterResponse = " (after response)";
}
