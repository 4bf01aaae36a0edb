namespace AsyncProbe.Cli.Sessions.Export;

/// <summary>A session as every format writes it.</summary>
internal sealed record ExportPlan
{
    /// <summary>The session's name, safe to print.</summary>
    public required string Name { get; init; }

    public required IReadOnlyList<ExportRequest> Requests { get; init; }

    /// <summary>Only the variables that the requests use.</summary>
    public required IReadOnlyList<ExportVariable> Variables { get; init; }

    public required SessionOptions Options { get; init; }

    public required int Threads { get; init; }

    public required int Seconds { get; init; }

    public required int DelayMs { get; init; }

    /// <summary>What no format can express.</summary>
    public required IReadOnlyList<string> Losses { get; init; }

    public IEnumerable<ExportRequest> ActiveRequests => Requests.Where(request => !request.Inactive);

    /// <summary>The servers, in the order in which the requests use them.</summary>
    public IReadOnlyList<string> Sites => [.. Requests.Select(request => request.Site).Distinct(StringComparer.Ordinal)];
}
