using AsyncProbe.Common;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Reporting.Access;

/// <summary>
/// Logs, after the host has started, where the live page is, or why no caller can see it and how to change that. Without this, a bare
/// 404 looks like a bug.
/// </summary>
internal sealed class ReportAccessNotice(
    IServiceProvider services, IOptions<AsyncProbeOptions> options, ReportAccess access, PageAddress address,
    ILogger<ReportAccessNotice> logger)
{
    private readonly AsyncProbeOptions _options = options.Value;

    /// <summary>Distinguishes the report's own route from the routes beneath it.</summary>
    public static object Root { get; } = new RootMetadata();

    /// <summary>Call it once the server has started: only then do the pipeline and its list of endpoints exist.</summary>
    public void Say()
    {
        string closed, pages, all;
        string? withPort;
        try
        {
            all = Routes(_ => true);
            closed = Routes(access.IsClosed);
            withPort = _options.ManagementPort is { } port ? address.AddressesWith(port) : null;
            pages = address.Find(IsRoot, PortOf);
        }
        catch (Exception e)
        {
            // One of the app's endpoints can't be built. The app itself will fail with that when a request needs it.
            Log.EndpointsUnknown(logger, e);
            return;
        }

        if (!_options.Enabled)
        {
            Log.SwitchedOff(logger, all);
            return;
        }

        if (withPort is not null)
        {
            Log.ManagementPortUnused(logger, _options.ManagementPort!.Value, withPort);
        }

        if (closed.Length > 0)
        {
            Log.ReportClosed(logger, closed);
        }

        if (pages.Length > 0)
        {
            Log.PageAt(logger, pages);
        }
    }

    private static bool IsRoot(Endpoint endpoint) => endpoint.Metadata.GetMetadata<RootMetadata>() is not null;

    /// <summary>The only port that opens a page; null if every port does, and <see cref="PageAddress.NoPort"/> if none does.</summary>
    private int? PortOf(Endpoint page) => access.NeedsManagementPort(page.Metadata) ? _options.ManagementPort ?? PageAddress.NoPort : null;

    private string Routes(Func<EndpointMetadataCollection, bool> isMeant) =>
        string.Join(
            " and ",
            (services.GetService<EndpointDataSource>()?.Endpoints ?? []).OfType<RouteEndpoint>()
                .Where(e => IsRoot(e) && isMeant(e.Metadata))
                .Select(e => "/" + e.RoutePattern.RawText?.Trim('/')));

    private sealed class RootMetadata;
}
