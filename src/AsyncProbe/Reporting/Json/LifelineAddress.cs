using System.Globalization;

namespace AsyncProbe.Reporting.Json;

/// <summary>Where the lifeline listens. The report says it beforehand: a starved pool can tell nobody.</summary>
internal sealed class LifelineAddress
{
    private volatile string? _url;

    /// <summary>Null while nothing listens.</summary>
    public string? Url => _url;

    public void Set(int port) => _url = string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{port}/");

    public void Clear() => _url = null;
}
