using System.Globalization;

namespace AsyncProbe.Stories.Tests.Export;

/// <summary>Debian's Locust, whose package has no version: a master thinks its workers are older and refuses them.</summary>
internal static class LocustProgram
{
    /// <summary>Ends once this many requests are counted: on a busy machine no number of seconds is long enough for even one.</summary>
    private const string Start = """
        import sys
        import gevent
        import locust.runners
        from locust import events
        from locust.main import main

        locust.runners.__version__ = "2.12.0"
        enough = int(sys.argv.pop(1))

        def end(environment):
            while environment.stats.total.num_requests < enough:
                gevent.sleep(0.02)
            environment.runner.quit()

        @events.init.add_listener
        def begin(environment, **_):
            if not isinstance(environment.runner, locust.runners.WorkerRunner):
                gevent.spawn(end, environment)

        main()
        """;

    public static bool IsInstalled()
    {
        var installed = Programs.FindFolder("locust") is not null;
        if (!installed)
        {
            Programs.Missing("locust", "Locust", "python3-locust");
        }

        return installed;
    }

    /// <param name="file">The exported file.</param>
    /// <param name="requests">The number of requests after which it ends.</param>
    /// <param name="arguments">Additional arguments.</param>
    public static Task RunAsync(string file, int requests, params string[] arguments) =>
        RunAsync(
            [requests.ToString(CultureInfo.InvariantCulture), "-f", file, "--headless", "--run-time", "100s", "--stop-timeout", "30",
                "--only-summary", .. arguments]);

    public static Task RunWorkerAsync(string file, string port) => RunAsync(["0", "-f", file, "--worker", "--master-port", port]);

    // Use Debian's Python: another one on the path doesn't find its packages.
    private static Task RunAsync(string[] arguments) =>
        EngineProcess.RunAsync(AppContext.BaseDirectory, "/usr/bin/python3", ["-c", Start, .. arguments]);
}
