using log4net;
using log4net.Appender;
using log4net.Core;
using log4net.Layout;

namespace Zoo.Logging;

internal static class Log4NetAppender
{
    private static readonly ILog s_log = Configure();

    public static void Map(IEndpointRouteBuilder app)
    {
        // log4net calls an appender under the appender's lock. This one is slow, so the threads wait for each other there.
        // truth: GET /log4net: lockContention|asyncWillHelp, needs others
        app.MapGet("/log4net", () =>
        {
            s_log.Warn("Out of stock"); // blocks: Lock, for 5 ms, by log4net
            return "logged";
        });
    }

    private static ILog Configure()
    {
        var appender = new MailAppender { Layout = new PatternLayout("%message%newline") };
        appender.ActivateOptions();
        log4net.Config.BasicConfigurator.Configure(LogManager.GetRepository(typeof(Log4NetAppender).Assembly), appender);
        return LogManager.GetLogger(typeof(Log4NetAppender));
    }

    private sealed class MailAppender : AppenderSkeleton
    {
        protected override void Append(LoggingEvent loggingEvent) => Thread.Sleep(5); // blocks: Sleep, in Log4NetAppender.MailAppender.Append, from /log4net, for 5 ms, snapshots
    }
}
