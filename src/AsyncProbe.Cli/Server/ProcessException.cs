namespace AsyncProbe.Cli.Server;

/// <summary>
/// A process can't be started, attached to or read, so nothing is measured; the message is a sentence for the person who tried.
/// </summary>
internal sealed class ProcessException(string message, Exception? cause = null) : Exception(message, cause);
