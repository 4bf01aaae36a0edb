using System.Diagnostics;
using Microsoft.EntityFrameworkCore;

namespace AsyncProbe.Sample.Products;

/// <summary>How often the catalogue was read, and how many articles that were in total.</summary>
public sealed record LongReadResult(int Rounds, int Articles);

/// <summary>A read that takes so long that the client may disconnect before it ends.</summary>
public sealed partial class LongRead(ProductContext products, ILogger<LongRead> logger)
{
    private const int Rounds = 200;

    /// <summary>Returns null if the client disconnected. Without the token, the database would continue to work for nothing.</summary>
    public async Task<LongReadResult?> ReadAsync(CancellationToken cancellation)
    {
        var began = Stopwatch.GetTimestamp();
        var rounds = 0;
        try
        {
            var articles = 0;
            for (; rounds < Rounds; rounds++)
            {
                await QueryTime.PassAsync(products, QueryTime.One, cancellation);
                articles += await products.Products.CountAsync(cancellation);
            }

            return new LongReadResult(rounds, articles);
        }
        catch (OperationCanceledException) when (cancellation.IsCancellationRequested)
        {
            Left(logger, rounds, Stopwatch.GetElapsedTime(began).TotalMilliseconds);
            return null;
        }
    }

    [LoggerMessage(7, LogLevel.Information, "499: the client of /Product/longread left, stopped in round {Rounds} after {Ms:F0} ms.")]
    private static partial void Left(ILogger logger, int rounds, double ms);
}
