using System.Globalization;

namespace AsyncProbe.Reporting;

/// <summary>Where the lifeline listens. The report shows it in advance, because a starved pool can't.</summary>
internal sealed class LifelineAddress
{
    private volatile string? _url;

    /// <summary>Null while the lifeline isn't listening.</summary>
    public string? Url => _url;

    public void Set(int port) => _url = string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{port}/");

    public void Clear() => _url = null;
}
