namespace AsyncProbe.Tests.Shared;

/// <summary>What xunit looks at to run a collection by itself.</summary>
[CollectionDefinition("alone", DisableParallelization = true)]
public sealed class Alone;
