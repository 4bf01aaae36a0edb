namespace AsyncProbe.Cli.Server;

/// <summary>The server under test could not be started; the message is a sentence for the user.</summary>
internal sealed class ServerStartException(string message) : Exception(message);
