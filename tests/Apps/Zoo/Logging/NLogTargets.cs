using NLog;
using NLog.Config;
using NLog.Targets;

namespace Zoo.Logging;

internal static class NLogTargets
{
    private static readonly Logger s_logger = Configure().GetLogger("zoo");
    private static readonly Logger s_mail = s_logger.Factory.GetLogger("mail");

    public static void Map(IEndpointRouteBuilder app)
    {
        // truth: GET /nlog/file: fine, libraries
        app.MapGet("/nlog/file", () =>
        {
            s_logger.Info("Sold {Number}", 42); // blocks: Lock, perhaps, by NLog
            return "logged";
        });

        // NLog calls a target under the target's lock. This one is slow, so the threads wait for each other there.
        // truth: GET /nlog/slow: lockContention|asyncWillHelp, needs others
        app.MapGet("/nlog/slow", () =>
        {
            s_mail.Warn("Out of stock"); // blocks: Lock, for 5 ms, by NLog
            return "logged";
        });
    }

    private static LogFactory Configure()
    {
        var factory = new LogFactory();
        var configuration = new LoggingConfiguration(factory);
        configuration.AddRuleForAllLevels(
            new FileTarget { FileName = Path.Combine(Path.GetTempPath(), $"zoo-{Environment.ProcessId}-nlog.log"), KeepFileOpen = true }, "zoo");
        configuration.AddRuleForAllLevels(new MailTarget(), "mail");
        factory.Configuration = configuration;
        return factory;
    }

    private sealed class MailTarget : TargetWithLayout
    {
        protected override void Write(LogEventInfo logEvent) => Thread.Sleep(5); // blocks: Sleep, in NLogTargets.MailTarget.Write, from /nlog/slow, for 5 ms, snapshots
    }
}
