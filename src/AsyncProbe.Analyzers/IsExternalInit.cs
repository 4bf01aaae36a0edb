namespace System.Runtime.CompilerServices;

/// <summary>The compiler needs this type for records, and .NET Standard 2.0 doesn't have it.</summary>
internal static class IsExternalInit;
