using System.Collections;
using Microsoft.AspNetCore.Hosting.Server.Abstractions;
using Microsoft.AspNetCore.Http.Features;

namespace AsyncProbe.Peers;

/// <summary>A short list, like the one that Kestrel's connections keep for unknown features; it is cleared for each request.</summary>
internal sealed class LoopFeatures<TContext> : IFeatureCollection, IHostContextContainer<TContext>
    where TContext : notnull
{
    private readonly List<KeyValuePair<Type, object>> _features = new(24);
    private readonly HttpRequestFeature _request = new();
    private readonly StreamResponseBodyFeature _body = new(Stream.Null);
    private readonly HttpRequestLifetimeFeature _lifetime = new();

    public LoopResponse Response { get; } = new();

    public TContext? HostContext { get; set; }

    public bool IsReadOnly => false;

    public int Revision { get; private set; }

    public object? this[Type key]
    {
        get
        {
            foreach (var feature in _features)
            {
                if (feature.Key == key)
                {
                    return feature.Value;
                }
            }

            return null;
        }

        set
        {
            Revision++;
            for (var i = 0; i < _features.Count; i++)
            {
                if (_features[i].Key == key)
                {
                    if (value is null)
                    {
                        _features.RemoveAt(i);
                    }
                    else
                    {
                        _features[i] = new(key, value);
                    }

                    return;
                }
            }

            if (value is not null)
            {
                _features.Add(new(key, value));
            }
        }
    }

    public TFeature? Get<TFeature>() => (TFeature?)this[typeof(TFeature)];

    public void Set<TFeature>(TFeature? instance) => this[typeof(TFeature)] = instance;

    public void Reset(string path)
    {
        _features.Clear();
        Revision++;
        _request.Method = "GET";
        _request.Scheme = "http";
        _request.Protocol = "HTTP/1.1";
        _request.Path = path;
        _request.PathBase = "";
        _request.QueryString = "";
        Response.Reset();
        Set<IHttpRequestFeature>(_request);
        Set<IHttpResponseFeature>(Response);
        Set<IHttpResponseBodyFeature>(_body);
        Set<IHttpRequestLifetimeFeature>(_lifetime);
        Set<IHttpActivityFeature>(null);
    }

    public IEnumerator<KeyValuePair<Type, object>> GetEnumerator() => _features.GetEnumerator();

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
