using System.Globalization;
using System.Runtime.CompilerServices;
using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Pool.Diagnosis;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Requests;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Primitives;

namespace AsyncProbe.Reporting.Http;

/// <summary>Adds the pool's and the request's figures to a response that is about to start.</summary>
internal sealed class ResponseHeaders(PoolMonitor pool, IHostEnvironment environment)
{
    private readonly bool _namesSites = environment.IsDevelopment();
    private ServerTimingText _lastTiming = new(0, 0, 0, 0, null);
    private CountText _lastWorkers = new(0);
    private CountText _lastIo = new(0);
    private PoolTexts _lastPool = new(pool.Latest);

    public void Write(IHeaderDictionary headers, RequestProbe probe)
    {
        var sample = WritePool(headers);
        var soFar = probe.SoFarOnAllThreads();
        if (ThreadClock.IsWithdrawn)
        {
            return;
        }

        headers["X-AsyncProbe-Held-Ms"] = Tenths.Format(soFar.Held);
        if (_namesSites && probe.Waits?.LongestAt is { } site)
        {
            headers["X-AsyncProbe-Blocked-At"] = site.HeaderText;
        }

        if (!ThreadClock.HasCpu)
        {
            return;
        }

        headers["X-AsyncProbe-Cpu-Ms"] = Tenths.Format(soFar.Cpu);
        headers["X-AsyncProbe-Blocked-Ms"] = Tenths.Format(soFar.Blocked);
        var timing = ServerTiming(soFar, sample?.QueueDelay);
        headers["Server-Timing"] = StringValues.Concat(headers["Server-Timing"], timing);
    }

    /// <returns>The sample that the figures are from; null if nothing watches the pool.</returns>
    public PoolSample? WritePool(IHeaderDictionary headers)
    {
        // This takes less than a nanosecond, so these two figures are live. The others come from the watcher, at most 100 ms old.
        ThreadPool.GetAvailableThreads(out var workers, out var io);
        headers["X-ThreadPool-Available-Workers"] = Text(ref _lastWorkers, workers);
        headers["X-ThreadPool-Available-IO"] = Text(ref _lastIo, io);
        if (!pool.IsWatching)
        {
            return null;
        }

        var sample = pool.Latest;
        var texts = _lastPool;
        if (!ReferenceEquals(texts.Sample, sample))
        {
            _lastPool = texts = new PoolTexts(sample);
        }

        headers["X-ThreadPool-Threads"] = texts.Threads;
        headers["X-ThreadPool-Pending"] = texts.Pending;
        headers["X-ThreadPool-Queue-Delay-Ms"] = texts.QueueDelay;
        return sample;
    }

    // Consecutive responses mostly carry the same figures, so reuse the last text.
    private static string Text(ref CountText last, int count)
    {
        var text = last;
        if (text.Count != count)
        {
            last = text = new CountText(count);
        }

        return text.Text;
    }

    private string ServerTiming(HeldSplit split, Duration? queueDelay)
    {
        var (held, cpu, cpuWait, blocked) =
            (Tenths.Round(split.Held), Tenths.Round(split.Cpu), Tenths.Round(split.CpuWait), Tenths.Round(split.Blocked));
        long? delay = queueDelay is { } measured ? Tenths.Round(measured) : null;
        var last = _lastTiming;
        if (!last.Is(held, cpu, cpuWait, blocked, delay))
        {
            _lastTiming = last = new ServerTimingText(held, cpu, cpuWait, blocked, delay);
        }

        return last.Text;
    }

    private sealed class CountText(int count)
    {
        public int Count { get; } = count;

        public string Text { get; } = count.ToString(CultureInfo.InvariantCulture);
    }

    private sealed class PoolTexts(PoolSample sample)
    {
        public PoolSample Sample { get; } = sample;

        public string Threads { get; } = sample.Threads.ToString(CultureInfo.InvariantCulture);

        public string Pending { get; } = sample.Pending.ToString(CultureInfo.InvariantCulture);

        public string QueueDelay { get; } = Tenths.Format(sample.QueueDelay);
    }

    private sealed class ServerTimingText(long held, long cpu, long cpuWait, long blocked, long? delay)
    {
        public string Text { get; } = Format(held, cpu, cpuWait, blocked, delay);

        public bool Is(long otherHeld, long otherCpu, long otherCpuWait, long otherBlocked, long? otherDelay) =>
            held == otherHeld && cpu == otherCpu && cpuWait == otherCpuWait && blocked == otherBlocked && delay == otherDelay;

        // Leaves out what was not measured; 0 would be wrong.
        private static string Format(long held, long cpu, long cpuWait, long blocked, long? delay)
        {
            var text = new DefaultInterpolatedStringHandler(literalLength: 64, formattedCount: 10, CultureInfo.InvariantCulture);
            Add(ref text, "held;dur=", held);
            Add(ref text, ", cpu;dur=", cpu);
            if (ThreadClock.HasCpuWait)
            {
                Add(ref text, ", cpuwait;dur=", cpuWait);
            }

            Add(ref text, ", blocked;dur=", blocked);
            if (delay is { } tenths)
            {
                Add(ref text, ", delay;dur=", tenths);
            }

            return text.ToStringAndClear();
        }

        private static void Add(ref DefaultInterpolatedStringHandler text, string name, long tenths)
        {
            text.AppendLiteral(name);
            text.AppendFormatted(tenths / 10);
            text.AppendLiteral(".");
            text.AppendFormatted(tenths % 10);
        }
    }
}
