using System.Text.Json;

namespace AsyncProbe.Cli.Snapshots;

/// <summary>A request that holds a thread at this moment.</summary>
/// <param name="HeldMs">How long it has held the thread so far.</param>
/// <param name="CpuMs">The CPU time within that.</param>
/// <param name="At">Where it waits; null when unknown.</param>
/// <param name="Looked">Whether its waits are watched; null when the server doesn't say.</param>
internal sealed record HeldSegment(string Endpoint, double? HeldMs, double? CpuMs, string? At, bool? Looked)
{
    public static HeldSegment Read(JsonElement row) =>
        new(
            row.Text("endpoint") ?? "(unnamed)", row.Number("heldMs"), row.Number("cpuMs"), row.Text("at"),
            row.Child("looked").ValueKind switch { JsonValueKind.True => true, JsonValueKind.False => false, _ => null });
}
