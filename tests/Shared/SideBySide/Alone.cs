namespace AsyncProbe.Tests.Shared;

/// <summary>Tells xunit to run a collection without others.</summary>
[CollectionDefinition("alone", DisableParallelization = true)]
public sealed class Alone;
