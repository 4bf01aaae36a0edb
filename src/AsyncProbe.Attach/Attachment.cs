using System.Net.Sockets;
using AsyncProbe.Common;
using AsyncProbe.Reporting.Lifeline;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncProbe.Attach;

/// <summary>
/// The probe in a process that a tool attached to. It has its own services and a socket for the tool, and ends when the last tool has
/// disconnected. It can start without a pool thread.
/// </summary>
internal sealed class Attachment(AttachedOptions options)
{
    private const string Hold = "/hold";
    private const string Detach = "/detach";

    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(200);

    private readonly Tools _tools = new(options.Settings.IsKept);
    private volatile PackageReport? _package;

    // Null until the probe listens.
    private LifelineListener? _listener;

    /// <summary>Attaches, and returns after detaching.</summary>
    public void Run()
    {
        EventHandler onExit = (_, _) => options.CleanUp();
        AppDomain.CurrentDomain.ProcessExit += onExit;
        try
        {
            _package = PackageReport.Find();
            if (_package is { } package)
            {
                Run(package);
            }
            else
            {
                using var services = AttachedServices.Create();
                Run(services, new AttachedProbe(services));
            }
        }
        finally
        {
            AppDomain.CurrentDomain.ProcessExit -= onExit;

            // If the probe couldn't listen, the hook leaves the reason next to the files, and the tool removes all of them.
            if (_listener is not null)
            {
                options.CleanUp();
            }
        }
    }

    private void Run(PackageReport package)
    {
        using var listener = _listener = Listen(package.Answer, _ => { }, new Faults(NullLogger<Faults>.Instance));
        AwaitEnd(listener, () => { });
    }

    private void Run(ServiceProvider services, AttachedProbe probe)
    {
        try
        {
            probe.Start(options.Settings);
            var own = services.GetRequiredService<LifelineService>();
            using var listener = _listener = Listen(
                request => _package is { } package ? package.Answer(request) : own.Answer(request), probe.Serve,
                services.GetRequiredService<Faults>());
            AwaitEnd(listener, () => Look(probe));
        }
        finally
        {
            if (_package is null)
            {
                probe.Stop();
            }
        }
    }

    // An application that was started with the probe begins to measure itself later, when its host starts.
    private void Look(AttachedProbe probe)
    {
        if (_package is not null)
        {
            return;
        }

        if (PackageReport.Find() is { } package)
        {
            probe.Stop();
            _package = package;
        }
        else
        {
            probe.Look();
        }
    }

    private LifelineListener Listen(Func<LifelineRequest, LifelineAnswer> answer, Action<ToolSettings> serve, Faults faults)
    {
        File.Delete(options.Socket);
        var socket = new Socket(AddressFamily.Unix, SocketType.Stream, ProtocolType.Unspecified);
        return new(socket, new UnixDomainSocketEndPoint(options.Socket), request => Answer(request, answer, serve), faults);
    }

    private LifelineAnswer Answer(LifelineRequest request, Func<LifelineRequest, LifelineAnswer> answer, Action<ToolSettings> serve)
    {
        if (request is not { Status: 200, Path: Hold or Detach, Origin: null })
        {
            return answer(request);
        }

        if (request.Path == Hold)
        {
            var settings = ToolSettings.Read(request.Query);
            if (!_tools.TryAdd(settings))
            {
                return new(404, LifelineAnswer.Json, [], []);
            }

            serve(settings);
            return new(200, LifelineAnswer.Json, [], []) { IsHeld = true };
        }

        _tools.Dismiss();
        return new(200, LifelineAnswer.Json, [], []);
    }

    private void AwaitEnd(LifelineListener listener, Action look)
    {
        while (!_tools.HaveLeft(listener.Held))
        {
            Thread.Sleep(s_look);
            look();
        }
    }
}
