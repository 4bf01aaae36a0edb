using System.Diagnostics;
using Microsoft.AspNetCore.Http.Features;

namespace Shop;

/// <summary>What happens to a failed request outside the exception handler.</summary>
internal static class Failures
{
    public static void Use(IApplicationBuilder app)
    {
        // An APM agent subscribes to this event as well.
        app.ApplicationServices.GetRequiredService<DiagnosticListener>()
            .Subscribe(new Agent(), name => name == "Microsoft.AspNetCore.Diagnostics.HandledException");
        app.Use(async (HttpContext context, RequestDelegate next) =>
        {
            if (context.Request.Path == "/large")
            {
                context.Features.GetRequiredFeature<IHttpMaxRequestBodySizeFeature>().MaxRequestBodySize = 1;
                await context.Request.Body.CopyToAsync(Stream.Null);
            }

            await next(context);
            if (context.Request.Path == "/handled")
            {
                Thread.Sleep(200);
            }
        });
    }

    private sealed class Agent : IObserver<KeyValuePair<string, object?>>
    {
        public void OnNext(KeyValuePair<string, object?> value)
        {
        }

        public void OnCompleted()
        {
        }

        public void OnError(Exception error)
        {
        }
    }
}
