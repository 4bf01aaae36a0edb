using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Mvc.Abstractions;
using Microsoft.AspNetCore.Mvc.Infrastructure;
using Microsoft.AspNetCore.Routing;
using Microsoft.AspNetCore.Routing.Patterns;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Requests;

/// <summary>
/// Names requests of <c>UseMvc</c> with <c>EnableEndpointRouting = false</c>, where routing sets only route values and no endpoint. The
/// values are looked up among the app's actions, because a client may write a controller's name in any case.
/// </summary>
internal sealed class LegacyActions
{
    private readonly IActionDescriptorCollectionProvider? _actions;
    private Index? _index;

    public LegacyActions(IServiceProvider services)
    {
        // An app without MVC never loads it.
        if (services.GetService<IServiceProviderIsService>()?.IsService(typeof(IActionDescriptorCollectionProvider)) == true)
        {
            _actions = ProviderOf(services);
        }
    }

    public bool AreUsed => _actions is not null;

    /// <summary>An endpoint for the action that the route values name; null if there is none.</summary>
    public RouteEndpoint? Find(RouteValueDictionary values)
    {
        if (_actions is null)
        {
            return null;
        }

        var actions = _actions.ActionDescriptors;
        var index = _index;
        if (index?.Version != actions.Version)
        {
            _index = index = new Index(actions);
        }

        return index.Find(values);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static IActionDescriptorCollectionProvider? ProviderOf(IServiceProvider services) =>
        services.GetRequiredService<IOptions<MvcOptions>>().Value.EnableEndpointRouting
            ? null
            : services.GetRequiredService<IActionDescriptorCollectionProvider>();

    private sealed class Index(ActionDescriptorCollection actions)
    {
        private readonly Dictionary<Key, RouteEndpoint> _endpoints = actions.Items
            .GroupBy(action => Key.From(name => action.RouteValues.TryGetValue(name, out var value) ? value : null))
            .ToDictionary(group => group.Key, group => Create(group.Key, [.. group]));

        public int Version { get; } = actions.Version;

        public RouteEndpoint? Find(RouteValueDictionary values) =>
            _endpoints.GetValueOrDefault(Key.From(name => values.TryGetValue(name, out var value) ? value as string : null));

        private static RouteEndpoint Create(Key key, ActionDescriptor[] actions)
        {
            // Several actions may share one name and differ by method or template.
            var template = actions.Select(action => action.AttributeRouteInfo?.Template).Distinct().Count() == 1
                ? actions[0].AttributeRouteInfo?.Template
                : null;
            var metadata = actions.Length == 1 ? [.. actions[0].EndpointMetadata, actions[0]] : Array.Empty<object>();
            return new RouteEndpoint(
                static _ => Task.CompletedTask, RoutePatternFactory.Parse(template ?? key.Path), 0,
                new EndpointMetadataCollection(metadata), null);
        }
    }

    private readonly record struct Key(string? Area, string? Controller, string? Action, string? Page)
    {
        public string Path =>
            string.Join('/', new[] { Area, Controller, Action, Page?.TrimStart('/') }.Where(part => !string.IsNullOrEmpty(part)));

        public static Key From(Func<string, string?> valueOf) =>
            new(valueOf("area"), valueOf("controller"), valueOf("action"), valueOf("page"));

        public bool Equals(Key other) =>
            Same(Area, other.Area) && Same(Controller, other.Controller) && Same(Action, other.Action) && Same(Page, other.Page);

        public override int GetHashCode() => HashCode.Combine(HashOf(Area), HashOf(Controller), HashOf(Action), HashOf(Page));

        private static bool Same(string? one, string? other) => string.Equals(one ?? "", other ?? "", StringComparison.OrdinalIgnoreCase);

        private static int HashOf(string? text) => StringComparer.OrdinalIgnoreCase.GetHashCode(text ?? "");
    }
}
