namespace AsyncProbe.Blocking.Stacks;

/// <summary>
/// Says whose code the frames of one of AsyncProbe's own types are, where they are not simply AsyncProbe's: the room of the stacks need not
/// know the middleware.
/// </summary>
[AttributeUsage(AttributeTargets.Class)]
internal sealed class FrameOwnerAttribute(FrameOwner owner) : Attribute
{
    public FrameOwner Owner { get; } = owner;
}
