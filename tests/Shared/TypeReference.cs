namespace AsyncProbe.Tests.Shared;

/// <summary>One type of an assembly uses another one of it. Nested and generated types count as the type that holds them.</summary>
internal readonly record struct TypeReference(string User, string Used);
