using AsyncProbe.Sample.Upstream;
using Microsoft.AspNetCore.Mvc;

namespace AsyncProbe.Sample.Customers;

/// <summary>Waiting against computing: async pays for the first and not for the second.</summary>
[ApiController]
[Route("[controller]/[action]")]
public sealed class CustomersController(UpstreamClient upstream) : ControllerBase
{
    private const int DelayMs = 200;

    /// <summary>A 200 ms wait that keeps its thread (<c>Task.Delay(200).Wait()</c>).</summary>
    [HttpGet]
    public IReadOnlyList<Customer> SyncGet200MsDelay()
    {
        Task.Delay(DelayMs).Wait();
        return Customer.All;
    }

    /// <summary>The same wait, awaited.</summary>
    [HttpGet]
    public async Task<IReadOnlyList<Customer>> AsyncGet200MsDelay()
    {
        await Task.Delay(DelayMs, HttpContext.RequestAborted);
        return Customer.All;
    }

    /// <summary>1,000,000 random sums on the request's thread.</summary>
    [HttpGet]
    public RandomSums SyncGetCpuBound() => RandomSums.Compute();

    /// <summary>The same sums behind an await: another thread computes, no core is won.</summary>
    [HttpGet]
    public async Task<RandomSums> AsyncGetCpuBound() => await Task.Run(RandomSums.Compute);

    /// <summary>Ten calls at once on ten threads; the first answer wins, the others are cancelled.</summary>
    [HttpGet]
    public FirstAnswer SyncGetFirstOfTen() => FirstOfTen.Get(upstream, HttpContext.RequestAborted);

    /// <summary>The same with no thread held.</summary>
    [HttpGet]
    public Task<FirstAnswer> AsyncGetFirstOfTen() => FirstOfTen.GetAsync(upstream, HttpContext.RequestAborted);
}
