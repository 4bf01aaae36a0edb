using System.Text.Json;

namespace AsyncProbe.Tests.Truth;

/// <summary>Everything that AsyncProbe said about one process. What is null or empty is not judged.</summary>
internal sealed record Evidence
{
    public required Setting Setting { get; init; }

    /// <summary>The JSON of <c>/_threadpool</c>, taken while no request was under way.</summary>
    public required JsonElement Report { get; init; }

    public IReadOnlyList<AnsweredRequest> Answers { get; init; } = [];

    /// <summary>Everything the process logged, as the console shows it.</summary>
    public string Log { get; init; } = "";

    /// <summary>What <c>asyncprobe report --no-color</c> printed, with the report unchanged since.</summary>
    public string? CliReport { get; init; }

    /// <summary>What <c>asyncprobe run --json</c> printed, with the report taken right after it.</summary>
    public JsonElement? CliRun { get; init; }
}

/// <summary>The headers of one response.</summary>
/// <param name="Endpoint">As the report names it.</param>
/// <param name="Headers">Names as AsyncProbe writes them.</param>
internal sealed record AnsweredRequest(string Endpoint, IReadOnlyDictionary<string, string> Headers)
{
    public static AnsweredRequest From(string endpoint, HttpResponseMessage response) =>
        new(endpoint, response.Headers.ToDictionary(h => h.Key, h => string.Join(", ", h.Value), StringComparer.OrdinalIgnoreCase));
}
