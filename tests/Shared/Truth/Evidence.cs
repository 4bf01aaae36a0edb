using System.Text.Json;

namespace AsyncProbe.Tests.Truth;

/// <summary>Everything that AsyncProbe said about one process. Null or empty values are not judged.</summary>
internal sealed record Evidence
{
    public required Setting Setting { get; init; }

    /// <summary>The JSON of <c>/_threadpool</c>, taken while no request was in flight.</summary>
    public required JsonElement Report { get; init; }

    public IReadOnlyList<AnsweredRequest> Answers { get; init; } = [];

    /// <summary>Everything that the process logged, as the console shows it.</summary>
    public string Log { get; init; } = "";

    /// <summary>The output of <c>asyncprobe report --no-color</c>, with the report unchanged since.</summary>
    public string? CliReport { get; init; }

    /// <summary>The output of <c>asyncprobe run --json</c>, with the report taken right after it.</summary>
    public JsonElement? CliRun { get; init; }
}

/// <summary>The headers of one response.</summary>
/// <param name="Endpoint">The endpoint's name in the report.</param>
/// <param name="Headers">The headers, with their names as AsyncProbe writes them.</param>
internal sealed record AnsweredRequest(string Endpoint, IReadOnlyDictionary<string, string> Headers)
{
    public static AnsweredRequest From(string endpoint, HttpResponseMessage response) =>
        new(endpoint, response.Headers.ToDictionary(h => h.Key, h => string.Join(", ", h.Value), StringComparer.OrdinalIgnoreCase));
}
