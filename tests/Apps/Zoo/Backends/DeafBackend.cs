namespace Zoo.Backends;

/// <summary>Accepts connections, says nothing, and closes each after a while, like a server that is going down.</summary>
internal sealed class DeafBackend : Backend
{
    public static DeafBackend Instance { get; } = new();

    protected override void Serve(Stream stream) => Wait();
}
