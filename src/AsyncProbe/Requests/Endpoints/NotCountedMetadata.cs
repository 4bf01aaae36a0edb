namespace AsyncProbe.Requests.Endpoints;

/// <summary>Marks AsyncProbe's own endpoints: viewing the report must not change it.</summary>
internal sealed class NotCountedMetadata
{
    public static NotCountedMetadata Instance { get; } = new();
}
