namespace AsyncProbe.Sample.Sins;

/// <summary>Where in a request it happens. A detector that watches only the first segment misses the other two.</summary>
internal enum SinPosition
{
    /// <summary>Before any await.</summary>
    First,

    /// <summary>After an await that suspended.</summary>
    Later,

    /// <summary>After two suspended awaits that didn't capture the context, as in library code.</summary>
    Library,
}

/// <summary>Brings a request to that position.</summary>
internal static class SinPositions
{
    public static async Task ReachAsync(this SinPosition position)
    {
        if (position == SinPosition.Later)
        {
            await Task.Delay(1);
        }
        else if (position == SinPosition.Library)
        {
            await Task.Delay(1).ConfigureAwait(false);
            await Task.Delay(1).ConfigureAwait(false);
        }
    }
}
