using System.Globalization;

namespace AsyncProbe.Pool.Diagnosis;

/// <summary>
/// A limit of the pool that helps until the code is changed. It is given as an environment variable, which needs a restart but no
/// deployment, and as a call. The runtime reads the variable as a hexadecimal number, and it takes precedence over calls.
/// </summary>
internal sealed record PoolSetting
{
    // The pool may always grow to this size, whatever set its maximum.
    private const int RaisedMaximum = 1000;

    private PoolSetting(int threads, string environment, string code, string why) =>
        (Threads, Environment, Code, Why) = (threads, environment, code, why);

    public int Threads { get; }

    public string Environment { get; }

    public string Code { get; }

    /// <summary>What the setting does, as a sentence.</summary>
    public string Why { get; }

    public static PoolSetting Minimum(int threads, int now) => new(
        threads,
        Format($"DOTNET_ThreadPool_ForceMinWorkerThreads={threads:X}"),
        Format($"ThreadPool.SetMinThreads({threads}, {threads})"),
        Format($"The pool then has {threads} threads at once instead of adding one or two a second to its minimum of {now}."));

    public static PoolSetting Maximum(int now) => new(
        RaisedMaximum,
        Format($"DOTNET_ThreadPool_ForceMaxWorkerThreads={RaisedMaximum:X}"),
        Format($"ThreadPool.SetMaxThreads({RaisedMaximum}, {RaisedMaximum})"),
        Format($"The pool may then grow beyond its maximum of {now}, and what waits gets a thread."));

    private static string Format(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
