using AsyncProbe.Cli.Commands;
using AsyncProbe.Cli.Outcomes;
using AsyncProbe.Cli.Server;

// Read once, when the first socket is used: it must be set before anything else runs.
SocketTuning.Apply();
using var console = Utf8Console.Begin();
return await CommandLine.RunAsync(args, Output.ForConsole());
