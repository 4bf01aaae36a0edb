using Microsoft.AspNetCore.Mvc;

namespace AsyncProbe.Sample.SyncVsAsync;

/// <summary>Two seconds in the database, and how many threads the pool had left.</summary>
[ApiController]
[Route("api/syncvasync")]
public sealed class SyncVsAsyncController(DatabaseWait database) : ControllerBase
{
    private static readonly TimeSpan Wait = TimeSpan.FromSeconds(2);

    /// <summary>Waits and holds the thread.</summary>
    [HttpGet("sync")]
    [ProducesResponseType<ProblemDetails>(StatusCodes.Status503ServiceUnavailable)]
    public ThreadsLeft GetSync()
    {
        database.Wait(Wait);
        return ThreadsLeft.Now();
    }

    /// <summary>Awaits.</summary>
    [HttpGet("async")]
    [ProducesResponseType<ProblemDetails>(StatusCodes.Status503ServiceUnavailable)]
    public async Task<ThreadsLeft> GetAsync(CancellationToken cancellationToken)
    {
        await database.WaitAsync(Wait, cancellationToken);
        return ThreadsLeft.Now();
    }
}
