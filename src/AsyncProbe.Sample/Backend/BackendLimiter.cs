using System.Threading.RateLimiting;
using Microsoft.AspNetCore.RateLimiting;

namespace AsyncProbe.Sample.Backend;

/// <summary>Limits concurrent calls and the queue, so that overload is rejected early instead of piling up.</summary>
internal static class BackendLimiter
{
    public const string Policy = "backend";
    public const int AtOnce = 16;
    public const int Queued = 32;

    public static void AddBackendLimiter(this IServiceCollection services) =>
        services.AddRateLimiter(limits =>
        {
            limits.RejectionStatusCode = StatusCodes.Status503ServiceUnavailable;
            limits.AddConcurrencyLimiter(Policy, limit =>
            {
                limit.PermitLimit = AtOnce;
                limit.QueueLimit = Queued;
                limit.QueueProcessingOrder = QueueProcessingOrder.OldestFirst;
            });
        });
}
