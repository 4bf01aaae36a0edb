using Serilog;

namespace Zoo.Logging;

internal static class SerilogFile
{
    private static readonly Serilog.Core.Logger s_logger = new LoggerConfiguration()
        .WriteTo.File(Path.Combine(Path.GetTempPath(), $"zoo-{Environment.ProcessId}-serilog.log"))
        .CreateLogger();

    public static void Map(IEndpointRouteBuilder app)
    {
        // truth: GET /serilog: fine, libraries
        app.MapGet("/serilog", () =>
        {
            for (var i = 0; i < 10; i++)
            {
                s_logger.Information("Sold {Number}", i); // blocks: Lock, perhaps, by Serilog.Sinks.File
            }

            return "logged";
        });
    }
}
