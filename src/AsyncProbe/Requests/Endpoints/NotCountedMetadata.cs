namespace AsyncProbe.Requests.Endpoints;

/// <summary>Marks AsyncProbe's own endpoints: to look must not change what is seen.</summary>
internal sealed class NotCountedMetadata
{
    public static NotCountedMetadata Instance { get; } = new();
}
