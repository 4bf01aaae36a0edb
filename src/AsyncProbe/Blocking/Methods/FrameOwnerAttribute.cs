namespace AsyncProbe.Blocking.Methods;

/// <summary>
/// Sets the frame owner of one of AsyncProbe's types when it isn't simply AsyncProbe. This way the stack code doesn't need to know the
/// middleware.
/// </summary>
[AttributeUsage(AttributeTargets.Class)]
internal sealed class FrameOwnerAttribute(FrameOwner owner) : Attribute
{
    public FrameOwner Owner { get; } = owner;
}
