using System.ComponentModel.DataAnnotations;
using System.Diagnostics;
using Microsoft.AspNetCore.Mvc;

namespace AsyncProbe.Sample.Jobs;

/// <summary>Asks a job for work and awaits it. These requests never hold a thread, even if the job blocks.</summary>
[ApiController]
[Route("jobs")]
public sealed class JobsController(IServiceProvider services) : ControllerBase
{
    private const int MostMs = 5_000;

    /// <summary>A hosted service that waits on the thread (<c>Task.Wait</c>).</summary>
    /// <param name="ms">How long the work takes, from 0 to 5000 ms.</param>
    [HttpGet("report/sync")]
    public Task<JobAnswer> ReportSync([Range(0, MostMs)] int ms = 200) => AskAsync<NightlyReport>(isBlocking: true, ms);

    /// <summary>A hosted service that awaits.</summary>
    /// <param name="ms">How long the work takes, from 0 to 5000 ms.</param>
    [HttpGet("report/async")]
    public Task<JobAnswer> ReportAsync([Range(0, MostMs)] int ms = 200) => AskAsync<NightlyReport>(isBlocking: false, ms);

    /// <summary>A timer's tick that waits on the thread.</summary>
    /// <param name="ms">How long the work takes, from 0 to 5000 ms.</param>
    [HttpGet("prices/sync")]
    public Task<JobAnswer> PricesSync([Range(0, MostMs)] int ms = 200) => AskAsync<PriceFeed>(isBlocking: true, ms);

    /// <summary>A timer's tick that awaits.</summary>
    /// <param name="ms">How long the work takes, from 0 to 5000 ms.</param>
    [HttpGet("prices/async")]
    public Task<JobAnswer> PricesAsync([Range(0, MostMs)] int ms = 200) => AskAsync<PriceFeed>(isBlocking: false, ms);

    /// <summary>A channel's consumer that waits on the thread, for up to 64 orders at once.</summary>
    /// <param name="ms">How long the work takes, from 0 to 5000 ms.</param>
    [HttpGet("orders/sync")]
    public Task<JobAnswer> OrdersSync([Range(0, MostMs)] int ms = 200) => AskAsync<OrderConsumer>(isBlocking: true, ms);

    /// <summary>A channel's consumer that awaits, for up to 64 orders at once.</summary>
    /// <param name="ms">How long the work takes, from 0 to 5000 ms.</param>
    [HttpGet("orders/async")]
    public Task<JobAnswer> OrdersAsync([Range(0, MostMs)] int ms = 200) => AskAsync<OrderConsumer>(isBlocking: false, ms);

    /// <summary>A hub method that waits on the thread, called over a WebSocket.</summary>
    /// <param name="ms">How long the work takes, from 0 to 5000 ms.</param>
    [HttpGet("hub/sync")]
    public Task<JobAnswer> HubSync([Range(0, MostMs)] int ms = 200) => CallAsync(nameof(JobsHub.Blocks), ms);

    /// <summary>A hub method that awaits, called over a WebSocket.</summary>
    /// <param name="ms">How long the work takes, from 0 to 5000 ms.</param>
    [HttpGet("hub/async")]
    public Task<JobAnswer> HubAsync([Range(0, MostMs)] int ms = 200) => CallAsync(nameof(JobsHub.Awaits), ms);

    private async Task<JobAnswer> AskAsync<TJob>(bool isBlocking, int ms)
        where TJob : Job
    {
        var began = Stopwatch.GetTimestamp();
        await services.GetRequiredService<TJob>().AskAsync(isBlocking, ms, HttpContext.RequestAborted);
        return JobAnswer.After(ms, began);
    }

    private async Task<JobAnswer> CallAsync(string method, int ms)
    {
        var began = Stopwatch.GetTimestamp();
        var connection = HttpContext.Connection;
        var hub = new UriBuilder(
            Request.IsHttps ? "wss" : "ws", $"{connection.LocalIpAddress}", connection.LocalPort, JobServices.HubPath).Uri;
        await HubCaller.CallAsync(hub, method, ms, HttpContext.RequestAborted);
        return JobAnswer.After(ms, began);
    }
}
