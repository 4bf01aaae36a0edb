using System.Diagnostics.CodeAnalysis;
using AsyncProbe;
using AsyncProbe.Reporting.Access;
using AsyncProbe.Reporting.Http;
using AsyncProbe.Reporting.Page;
using AsyncProbe.Requests.Endpoints;
using AsyncProbe.Wiring;
using Microsoft.AspNetCore.Authorization;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Routing;
using Microsoft.Extensions.DependencyInjection;

namespace Microsoft.AspNetCore.Builder;

/// <summary>Maps AsyncProbe's report.</summary>
public static class AsyncProbeEndpointRouteBuilderExtensions
{
    /// <summary>
    /// Maps the report at <c>GET <paramref name="pattern"/></c>: JSON, or a live page for browsers. <c>GET <paramref
    /// name="pattern"/>/help</c> explains each way to block a thread, <c>GET <paramref name="pattern"/>/profile</c> exports blocked time by
    /// stack, <c>GET <paramref name="pattern"/>/metrics</c> serves the metrics for Prometheus, and <c>POST <paramref
    /// name="pattern"/>/reset</c> resets the counts. With an <see cref="IStackSource"/>, <c>POST <paramref name="pattern"/>/snapshot</c>
    /// shows where threads are blocked now. Outside Development these routes return 404 until the app says who may see the report: add
    /// <c>RequireAuthorization()</c>, or set <see cref="AsyncProbeOptions.ManagementPort"/>, <see cref="AsyncProbeOptions.AllowLocal"/> or
    /// <see cref="AsyncProbeOptions.AllowRemote"/>.
    /// </summary>
    /// <param name="endpoints">The route builder to add the report to.</param>
    /// <param name="pattern">The route. Default <c>/_threadpool</c>.</param>
    /// <returns>A builder for conventions that apply to all of the report's routes.</returns>
    /// <exception cref="InvalidOperationException"><c>AddAsyncProbe</c> was not called.</exception>
    /// <exception cref="ArgumentException"><paramref name="pattern"/> is empty or white space.</exception>
    /// <example>
    /// <code>
    /// var builder = WebApplication.CreateBuilder(args);
    /// builder.Services.AddAsyncProbe();
    /// builder.Services.AddAuthentication();
    /// builder.Services.AddAuthorizationBuilder().AddPolicy("operators", policy =&gt; policy.RequireRole("operator"));
    ///
    /// var app = builder.Build();
    /// app.UseAsyncProbe();
    /// app.MapAsyncProbe("/ops/threadpool").RequireAuthorization("operators");
    /// app.Run();
    /// </code>
    /// </example>
    public static IEndpointConventionBuilder MapAsyncProbe(
        this IEndpointRouteBuilder endpoints, [StringSyntax("Route")] string pattern = ReportEndpoint.DefaultPath)
    {
        ArgumentNullException.ThrowIfNull(endpoints);
        ArgumentException.ThrowIfNullOrWhiteSpace(pattern);
        if (endpoints.ServiceProvider.GetService<EndpointTable>() is null)
        {
            throw new InvalidOperationException(
                "MapAsyncProbe needs the services of AsyncProbe. Call 'builder.Services.AddAsyncProbe()' before 'builder.Build()'.");
        }

        var report = ActivatorUtilities.CreateInstance<ReportEndpoint>(endpoints.ServiceProvider);
        endpoints.ServiceProvider.GetRequiredService<ProbeDemand>().IsShown = true;
        var group = endpoints.MapGroup(pattern);
        group.WithMetadata(NotCountedMetadata.Instance).ExcludeFromDescription();

        // Finally runs after the app's own conventions, so none of them can override these.
        var access = endpoints.ServiceProvider.GetRequiredService<ReportAccess>();

        // Created now, because the conventions run at the application's first request, which an exception would fail.
        var anonymous = new AllowAnonymousAttribute();
        ((IEndpointConventionBuilder)group).Finally(endpoint =>
        {
            if (access.IsAnonymous(endpoint.Metadata))
            {
                endpoint.Metadata.Add(anonymous);
            }

            endpoint.Metadata.Add(NeverStored.Policy);
            endpoint.Metadata.Add(NeverStored.Attribute);
        });
        group.Map("", report.Get).WithMetadata(ReportAccessNotice.Root);
        foreach (var part in PageFiles.Parts)
        {
            group.Map("/" + part, context => report.GetPart(context, part));
        }

        group.Map("/" + HelpPage.Name, report.GetHelp);
        group.Map("/profile", report.GetProfile);
        group.Map("/metrics", report.GetMetrics);
        group.Map("/reset", report.Reset);
        group.Map("/snapshot", report.Snapshot);
        return group;
    }
}
