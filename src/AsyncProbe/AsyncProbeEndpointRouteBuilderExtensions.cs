using System.Diagnostics.CodeAnalysis;
using AsyncProbe;
using AsyncProbe.Reporting;
using AsyncProbe.Requests;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;

namespace Microsoft.AspNetCore.Builder;

/// <summary>Maps the report of AsyncProbe.</summary>
public static class AsyncProbeEndpointRouteBuilderExtensions
{
    /// <summary>
    /// Maps the report at <c>GET <paramref name="pattern"/></c>, JSON or for browsers a live page, and its reset at <c>POST <paramref name="pattern"/>/reset</c>.
    /// With an <see cref="IStackSource"/>, <c>POST <paramref name="pattern"/>/snapshot</c> says where threads are blocked now. Outside Development only direct callers on this machine are answered; add <c>RequireAuthorization()</c>, or set
    /// <c>AllowRemote</c> or <c>ManagementPort</c>, to let others in.
    /// </summary>
    /// <param name="endpoints">Where to map.</param>
    /// <param name="pattern">The route. Default <c>/_threadpool</c>.</param>
    /// <returns>A builder for conventions that hold for all of the report's routes.</returns>
    /// <exception cref="InvalidOperationException"><c>AddAsyncProbe</c> was not called.</exception>
    public static IEndpointConventionBuilder MapAsyncProbe(
        this IEndpointRouteBuilder endpoints, [StringSyntax("Route")] string pattern = "/_threadpool")
    {
        ArgumentNullException.ThrowIfNull(endpoints);
        ArgumentException.ThrowIfNullOrWhiteSpace(pattern);
        if (endpoints.ServiceProvider.GetService<EndpointTable>() is null)
        {
            throw new InvalidOperationException(
                "MapAsyncProbe needs the services of AsyncProbe. Call 'builder.Services.AddAsyncProbe()' before 'builder.Build()'.");
        }

        var report = ActivatorUtilities.CreateInstance<ReportEndpoint>(endpoints.ServiceProvider);
        var group = endpoints.MapGroup(pattern);
        group.WithMetadata(NotCountedMetadata.Instance);
        group.MapGet("", (RequestDelegate)report.Get);
        foreach (var part in PageFiles.Parts)
        {
            group.MapGet("/" + part, (RequestDelegate)(context => report.GetPart(context, part)));
        }

        group.MapPost("/reset", (RequestDelegate)report.Reset);
        group.MapPost("/snapshot", (RequestDelegate)report.Snapshot);
        return group;
    }
}
