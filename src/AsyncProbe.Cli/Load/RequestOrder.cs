namespace AsyncProbe.Cli.Load;

/// <summary>The order in which one simulated thread sends the session's requests.</summary>
internal static class RequestOrder
{
    /// <summary>
    /// Shuffles once per thread; requests that keep their place come first. The seed is the thread's number, so runs are repeatable.
    /// </summary>
    public static PreparedRequest[] Create(PreparedRequest[] requests, bool randomize, int thread)
    {
        if (!randomize)
        {
            return requests;
        }

        PreparedRequest[] rest = [.. requests.Where(request => !request.KeepsItsPlace)];
        new Random(thread).Shuffle(rest);
        return [.. requests.Where(request => request.KeepsItsPlace), .. rest];
    }
}
