namespace AsyncProbe.Peers;

/// <summary>One way to observe the same application.</summary>
/// <param name="Name">Its name on the command line.</param>
/// <param name="Title">Its name in the table.</param>
/// <param name="Environment">Development or Production.</param>
/// <param name="Configure">Registers the observer's services.</param>
/// <param name="Use">Puts the observer in front of the endpoints.</param>
/// <param name="ComparedWith">The variant whose cost is subtracted.</param>
/// <param name="Attached">Whether <c>asyncprobe attach</c> measures it.</param>
internal sealed record Variant(
    string Name,
    string Title,
    string Environment,
    Action<IServiceCollection> Configure,
    Action<WebApplication> Use,
    string ComparedWith = Variants.Bare,
    AttachedProbe Attached = AttachedProbe.Never)
{
    /// <summary>Whether it is one of these variants, or one that they are compared with.</summary>
    public bool IsNeededFor(string[] names) =>
        Name is Variants.Bare || names.Contains(Name) || Variants.All.Any(v => v.ComparedWith == Name && names.Contains(v.Name));
}
