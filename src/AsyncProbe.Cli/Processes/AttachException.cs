namespace AsyncProbe.Cli.Processes;

/// <summary>Why a process cannot be attached to, as a sentence for the person who tried.</summary>
internal sealed class AttachException(string message, Exception? cause = null) : Exception(message, cause);
