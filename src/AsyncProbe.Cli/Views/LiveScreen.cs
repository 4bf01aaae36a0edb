using System.Globalization;
using AsyncProbe.Cli.Load;
using AsyncProbe.Cli.Sessions;
using AsyncProbe.Cli.Snapshots;
using AsyncProbe.Cli.Statistics;
using Spectre.Console;
using Spectre.Console.Rendering;

namespace AsyncProbe.Cli.Views;

/// <summary>
/// The screen during a run. Keys: <c>p</c> pauses the screen, <c>r</c> restarts its curves, <c>q</c> ends the run and prints what was
/// measured. None of the keys changes what is measured.
/// </summary>
internal sealed class LiveScreen(IAnsiConsole console) : RunObserver
{
    private const int LongestSparkline = 60;

    /// <summary>The length of the longest text next to a sparkline.</summary>
    private const int LongestText = 50;

    private readonly Lock _lock = new();
    private readonly CancellationTokenSource _quit = new();
    private readonly ManualResetEventSlim _ended = new();
    private readonly List<SecondFigures> _seconds = [];
    private Thread? _thread;
    private string _plan = "";
    private RunSoFar? _soFar;
    private ServerSnapshot? _server;
    private bool _paused;

    public override CancellationToken QuitToken => _quit.Token;

    public override void WaitForReport(Uri report, TimeSpan longest) => console.Line(ServerText.Wait(report, longest));

    public override void Begin(PreparedSession session, TimeSpan warmup)
    {
        _plan = $"{session.Name}: {LoadText.Plan(session.Settings)}";
        _thread = new Thread(Show) { IsBackground = true, Name = "asyncprobe screen" };
        _thread.Start();
    }

    public override void Second(SecondFigures second, RunSoFar soFar, ServerSnapshot? server)
    {
        lock (_lock)
        {
            _seconds.Add(second);
            _soFar = soFar;
            _server = server;
        }
    }

    public override void End()
    {
        _ended.Set();
        _thread?.Join();
    }

    public override void Dispose()
    {
        End();
        _quit.Dispose();
        _ended.Dispose();
        base.Dispose();
    }

    private void Show() => console.Live(Render()).AutoClear(true).Start(context =>
    {
        while (!_ended.Wait(TimeSpan.FromMilliseconds(200)))
        {
            ReadKeys();
            if (!_paused)
            {
                context.UpdateTarget(Render());
            }
        }
    });

    private void ReadKeys()
    {
        while (Console.KeyAvailable)
        {
            var key = char.ToLowerInvariant(Console.ReadKey(intercept: true).KeyChar);
            if (key == 'q')
            {
                _quit.Cancel();
            }
            else if (key == 'p')
            {
                _paused = !_paused;
            }
            else if (key == 'r')
            {
                lock (_lock)
                {
                    _seconds.Clear();
                }
            }
        }
    }

    private int SparklineLength => Math.Clamp(console.Profile.Width - LongestText, 5, LongestSparkline);

    private Rows Render()
    {
        lock (_lock)
        {
            var lines = new List<IRenderable> { new Spectre.Console.Text(SafeText.From(_plan), new Style(decoration: Decoration.Bold)) };
            if (_soFar is { } soFar && _seconds is [.., var now])
            {
                lines.Add(new Spectre.Console.Text(Progress(soFar, now)));
                lines.Add(
                    new Spectre.Console.Text(
                        $"req/s {Sparkline.Draw(_seconds.TakeLast(SparklineLength).Select(second => second.RequestsPerSecond))} {FigureText.Rate(now.RequestsPerSecond)}"));
                lines.Add(
                    new Spectre.Console.Text(
                        $"p95   {Sparkline.Draw(_seconds.TakeLast(SparklineLength).Select(second => second.P95Ms ?? 0))} "
                            + $"p50 {FigureText.Ms(now.P50Ms)}  p95 {FigureText.Ms(now.P95Ms)}  p99 {FigureText.Ms(now.P99Ms)} ms"));
                lines.Add(
                    new Spectre.Console.Text(
                        $"failed {FigureText.Number(soFar.Failed)}", soFar.Failed > 0 ? new Style(Color.Red) : Style.Plain));
            }

            if (_server is { } server)
            {
                lines.Add(new Spectre.Console.Text(SafeText.From(PoolText.Describe(server))));
            }

            lines.Add(
                new Spectre.Console.Text(
                    "p pause the screen   r restart the curves   q stop and print", new Style(decoration: Decoration.Dim)));
            return new Rows(lines);
        }
    }

    private static string Progress(RunSoFar soFar, SecondFigures now)
    {
        var of = soFar.Total is { } total ? string.Create(CultureInfo.InvariantCulture, $" of {total.TotalSeconds:0} s") : " s";
        return string.Create(CultureInfo.InvariantCulture,
            $"{soFar.Elapsed.TotalSeconds:0}{of}{(now.WarmingUp ? " (warm-up)" : "")}, {soFar.Requests:N0} requests");
    }
}
