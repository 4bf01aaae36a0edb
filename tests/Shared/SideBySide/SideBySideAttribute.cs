using Xunit.Sdk;

namespace AsyncProbe.Tests.Shared;

/// <summary>
/// Marks tests that mostly wait, and whose result doesn't depend on what else runs. In a run of the whole project they come first, in
/// parallel. All other classes then run one at a time, because they measure this process: its threads, its pool, its memory. The attribute
/// is also a trait, so that <c>--filter Run=SideBySide</c> selects these tests.
/// </summary>
/// <remarks>xunit's own discoverer reads the trait from the arguments of the constructor, which therefore have defaults.</remarks>
[AttributeUsage(AttributeTargets.Class)]
[TraitDiscoverer("Xunit.Sdk.TraitDiscoverer", "xunit.core")]
#pragma warning disable CS9113 // The discoverer reads the parameters from the metadata.
internal sealed class SideBySideAttribute(string name = "Run", string value = "SideBySide") : Attribute, ITraitAttribute;
#pragma warning restore CS9113
