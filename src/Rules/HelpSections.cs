namespace AsyncProbe.Rules;

/// <summary>Sections of docs/blocking.md that are about more than one kind of wait.</summary>
internal static class HelpSections
{
    /// <summary>About contended locks.</summary>
    public const string Lock = "lock";

    /// <summary>About blocking without a managed wait.</summary>
    public const string Unnamed = "blocked-time-without-a-line";

    /// <summary>About database providers that wait inside their asynchronous methods.</summary>
    public const string Provider = "providers-that-are-synchronous-inside";

    /// <summary>About files where the operating system has no asynchronous file I/O.</summary>
    public const string Files = "files-on-linux-and-macos";
}
