namespace AsyncProbe.Tests.Shared;

/// <summary>A type of an assembly that uses another one of it. Nested and generated types count as the type that contains them.</summary>
internal readonly record struct TypeUse(string User, string Used);
