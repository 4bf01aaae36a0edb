namespace AsyncProbe.Cli.Sessions;

/// <summary>A session that cannot be loaded, saved or run; the message is a sentence for the user and leads to exit code 2.</summary>
internal sealed class SessionException(string message) : Exception(message);
