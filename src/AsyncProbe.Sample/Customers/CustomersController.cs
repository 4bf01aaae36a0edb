using AsyncProbe.Sample.Upstream;
using Microsoft.AspNetCore.Mvc;

namespace AsyncProbe.Sample.Customers;

/// <summary>Compares waiting with computing: async helps with waiting but not with computing.</summary>
[ApiController]
[Route("[controller]/[action]")]
public sealed class CustomersController(UpstreamClient upstream) : ControllerBase
{
    private const int DelayMs = 200;

    /// <summary>Waits 200 ms and holds the thread (<c>Task.Delay(200).Wait()</c>).</summary>
    [HttpGet]
    public IReadOnlyList<Customer> SyncGet200MsDelay()
    {
        Task.Delay(DelayMs).Wait();
        return Customer.All;
    }

    /// <summary>Awaits the same 200 ms.</summary>
    [HttpGet]
    public async Task<IReadOnlyList<Customer>> AsyncGet200MsDelay()
    {
        await Task.Delay(DelayMs, HttpContext.RequestAborted);
        return Customer.All;
    }

    /// <summary>Computes 1,000,000 random sums on the request's thread.</summary>
    [HttpGet]
    public RandomSums SyncGetCpuBound() => RandomSums.Compute();

    /// <summary>Awaits the same sums on another thread, which doesn't save any CPU time.</summary>
    [HttpGet]
    public async Task<RandomSums> AsyncGetCpuBound() => await Task.Run(RandomSums.Compute);

    /// <summary>Makes ten calls at once on ten threads; the first answer wins, and the others are cancelled.</summary>
    [HttpGet]
    public FirstAnswer SyncGetFirstOfTen() => FirstOfTen.Get(upstream, HttpContext.RequestAborted);

    /// <summary>Does the same without holding a thread.</summary>
    [HttpGet]
    public Task<FirstAnswer> AsyncGetFirstOfTen() => FirstOfTen.GetAsync(upstream, HttpContext.RequestAborted);
}
