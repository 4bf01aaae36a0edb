using System.Net;
using Microsoft.AspNetCore.Server.Kestrel.Core;

namespace Zoo.Backends;

/// <summary>Answers one gRPC method with an empty message.</summary>
internal static class GrpcBackend
{
    private static readonly Lazy<Uri> s_address = new(() => new Uri(Start().Urls.First()));

    public static Uri Address => s_address.Value;

    private static WebApplication Start()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.Logging.ClearProviders();
        builder.WebHost.ConfigureKestrel(o => o.Listen(IPAddress.Loopback, 0, listen => listen.Protocols = HttpProtocols.Http2));
        var app = builder.Build();
        app.MapPost("/zoo.Stock/Get", async context =>
        {
            await Task.Delay(Backend.Milliseconds);
            context.Response.ContentType = "application/grpc";
            await context.Response.Body.WriteAsync(new byte[5]);
            context.Response.AppendTrailer("grpc-status", "0");
        });
        app.Start();
        return app;
    }
}
