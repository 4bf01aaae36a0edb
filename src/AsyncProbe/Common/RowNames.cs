namespace AsyncProbe.Common;

/// <summary>The names of rows that stand for several endpoints or call sites, or for one that has no name of its own.</summary>
internal static class RowNames
{
    public const string Unmatched = "(unmatched)";
    public const string Static = "(static)";

    /// <summary>The row that takes what a full table has no room for.</summary>
    public const string Other = "(other)";
    public const string OtherMethod = "_OTHER";

    /// <summary>The suffix of the endpoint name under which call sites count blocking after the response.</summary>
    public const string AfterResponse = " (after response)";
}
