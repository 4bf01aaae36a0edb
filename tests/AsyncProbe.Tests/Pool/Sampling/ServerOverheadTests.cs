using AsyncProbe.Clocks;
using AsyncProbe.Common;
using AsyncProbe.Pool.Sampling;
using AsyncProbe.Requests.Counts;
using AsyncProbe.Requests.Endpoints;
using Microsoft.Extensions.Logging.Abstractions;

namespace AsyncProbe.Tests.Pool.Sampling;

[Trait(Logic.Category, Logic.Name)]
public sealed class ServerOverheadTests
{
    private const int Requests = 1000;

    private static Duration Ms => Duration.Millisecond;

    private readonly EndpointTable _endpoints = new(10, 10);
    private readonly ServerOverhead _overhead;

    public ServerOverheadTests() => _overhead = new ServerOverhead(_endpoints, new Faults(NullLogger<Faults>.Instance));

    // The ceiling of a fresh server was once 904, but 4,502 requests a second were reached.
    [Fact]
    public void Overhead_IsFreeOfTheJitsTime()
    {
        for (var second = 1; second <= 3; second++)
        {
            Load();
            _overhead.OnSecond(processCpu: 2000 * Ms, compiled: second * 1400 * Ms);
        }

        // Of 2,000 ms, 500 belonged to the requests and 1,400 to the JIT.
        _overhead.PerRequest!.Value.TotalMilliseconds.ShouldBe(100.0 / Requests, 0.001);
    }

    [Fact]
    public void Overhead_IsUnknown_BeforeThereWasLoadForSomeSeconds()
    {
        Load();
        _overhead.OnSecond(processCpu: 2000 * Ms);

        _overhead.PerRequest.ShouldBeNull();
    }

    private void Load()
    {
        var split = HeldSplit.AllCpu(Ms / 2);
        for (var request = 0; request < Requests; request++)
        {
            _endpoints.Unmatched.Begin();
            _endpoints.Unmatched.End(split, split, segments: 1, split.Held, RequestOutcome.None);
        }
    }
}
