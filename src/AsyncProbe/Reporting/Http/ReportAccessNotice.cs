using AsyncProbe.Common;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

namespace AsyncProbe.Reporting.Http;

/// <summary>
/// Says once, when the host has started, where the live page is (in Development), or that a mapped report is seen by nobody, and what to
/// do: a bare 404 looks like a mistake.
/// </summary>
internal sealed class ReportAccessNotice(
    IServiceProvider services, IHostEnvironment environment, ReportAccess access, PageAddress address, Faults faults,
    ILogger<ReportAccessNotice> logger) : IHostedLifecycleService
{
    /// <summary>Marks the report's own address among the routes beneath it.</summary>
    public static object Root { get; } = new RootMetadata();

    /// <summary>Whether <c>MapAsyncProbe</c> was called: an app that did not call it has its endpoints left alone.</summary>
    public bool IsMapped { get; set; }

    // The pipeline, and with it the list of endpoints, is there only when the server has started.
    public Task StartedAsync(CancellationToken cancellationToken)
    {
        if (IsMapped)
        {
            // A logging provider that throws must not keep the host from starting.
            faults.Guard(Say);
        }

        return Task.CompletedTask;
    }

    private void Say()
    {
        string? closed, pages;
        try
        {
            closed = access.IsClosed(Microsoft.AspNetCore.Http.EndpointMetadataCollection.Empty) ? ClosedRoutes() : null;
            pages = environment.IsDevelopment() ? address.Find(IsRoot) : null;
        }
        catch (Exception e)
        {
            // One of the app's endpoints cannot be built. That is for the app to say, when a request needs it.
            Log.EndpointsUnknown(logger, e);
            return;
        }

        if (closed is { Length: > 0 })
        {
            Log.ReportClosed(logger, closed);
        }
        else if (pages is { Length: > 0 })
        {
            Log.PageAt(logger, pages);
        }
    }

    private static bool IsRoot(Microsoft.AspNetCore.Http.Endpoint endpoint) => endpoint.Metadata.GetMetadata<RootMetadata>() is not null;

    private string ClosedRoutes() =>
        string.Join(
            " and ",
            (services.GetService<EndpointDataSource>()?.Endpoints ?? []).OfType<RouteEndpoint>()
                .Where(e => IsRoot(e) && access.IsClosed(e.Metadata))
                .Select(e => "/" + e.RoutePattern.RawText?.Trim('/')));

    public Task StartingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppingAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    private sealed class RootMetadata;
}
