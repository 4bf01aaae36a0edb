using System.Text.Json;

namespace AsyncProbe.Cli.Results;

/// <summary>A request that holds a thread at this moment.</summary>
internal sealed record LiveSegment(string Endpoint, double? HeldMs, double? CpuMs, string? At)
{
    public static LiveSegment Read(JsonElement row) => new(row.Text("endpoint") ?? "(unnamed)", row.Number("heldMs"), row.Number("cpuMs"), row.Text("at"));
}
