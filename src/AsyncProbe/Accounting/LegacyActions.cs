using System.Runtime.CompilerServices;
using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Mvc.Abstractions;
using Microsoft.AspNetCore.Mvc.ActionConstraints;
using Microsoft.AspNetCore.Mvc.Infrastructure;
using Microsoft.AspNetCore.Routing;
using Microsoft.AspNetCore.Routing.Patterns;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Accounting;

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
    /// <param name="values">The request's route values.</param>
    /// <param name="method">The request's method, because actions of one name may answer different methods.</param>
    public RouteEndpoint? Find(RouteValueDictionary values, string method)
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

        return index.Find(values, method);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static IActionDescriptorCollectionProvider? ProviderOf(IServiceProvider services) =>
        services.GetRequiredService<IOptions<MvcOptions>>().Value.EnableEndpointRouting
            ? null
            : services.GetRequiredService<IActionDescriptorCollectionProvider>();

    private sealed class Index(ActionDescriptorCollection actions)
    {
        private readonly Dictionary<Key, Overloads> _actions = actions.Items
            .GroupBy(action => Key.From(name => action.RouteValues.TryGetValue(name, out var value) ? value : null))
            .ToDictionary(group => group.Key, group => new Overloads(group.Key, [.. group]));

        public int Version { get; } = actions.Version;

        public RouteEndpoint? Find(RouteValueDictionary values, string method) =>
            _actions.GetValueOrDefault(Key.From(name => values.TryGetValue(name, out var value) ? value as string : null))
                ?.Find(values, method);
    }

    /// <summary>The actions of one name. They may differ by method and by template.</summary>
    private sealed class Overloads(Key key, ActionDescriptor[] actions)
    {
        private readonly Overload[] _all = [.. actions.Select(action => new Overload(action, key))];

        // Counts the requests that fit several actions equally well, or none.
        private readonly RouteEndpoint _any = Create(TemplateOf(key, actions), []);

        public RouteEndpoint Find(RouteValueDictionary values, string method)
        {
            if (_all.Length == 1)
            {
                return _all[0].Endpoint;
            }

            var (best, most) = (_any, -1);
            foreach (var overload in _all)
            {
                if (overload.FitOf(values, method) is { } fit && fit >= most)
                {
                    (best, most) = (fit > most ? overload.Endpoint : _any, fit);
                }
            }

            return best;
        }

        private static string TemplateOf(Key key, ActionDescriptor[] actions) =>
            actions.Select(action => action.AttributeRouteInfo?.Template).Distinct().Count() == 1
                ? actions[0].AttributeRouteInfo?.Template ?? key.Path
                : key.Path;
    }

    private sealed class Overload(ActionDescriptor action, Key key)
    {
        private readonly string[] _methods =
            [.. action.ActionConstraints?.OfType<HttpMethodActionConstraint>().SelectMany(c => c.HttpMethods) ?? []];

        public RouteEndpoint Endpoint { get; } =
            Create(action.AttributeRouteInfo?.Template ?? key.Path, [.. action.EndpointMetadata, action]);

        /// <summary>
        /// How well the action fits; null if it can't have answered. Routing prefers the template with the most parameters that the path
        /// has. MVC then prefers an action that names the request's method.
        /// </summary>
        public int? FitOf(RouteValueDictionary values, string method)
        {
            if (_methods.Length > 0 && !_methods.Contains(method, StringComparer.OrdinalIgnoreCase))
            {
                return null;
            }

            var count = 0;
            foreach (var parameter in Endpoint.RoutePattern.Parameters)
            {
                if (values.ContainsKey(parameter.Name))
                {
                    count++;
                }
                else if (parameter is { IsOptional: false, Default: null })
                {
                    return null;
                }
            }

            return (count * 2) + (_methods.Length > 0 ? 1 : 0);
        }
    }

    private static RouteEndpoint Create(string template, IEnumerable<object> metadata) => new(
        static _ => Task.CompletedTask, RoutePatternFactory.Parse(template), 0, new EndpointMetadataCollection(metadata), null);

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
