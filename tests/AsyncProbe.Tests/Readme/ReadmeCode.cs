using Microsoft.AspNetCore.Builder;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncProbe.Tests.Readme;

/// <summary>The C# of the README, compiled. <see cref="ReadmeTests"/> holds the two together.</summary>
internal static class ReadmeCode
{
    public static WebApplication ThreeLines(string[] args)
    {
        var builder = WebApplication.CreateBuilder(args);
        builder.Services.AddAsyncProbe();        // 1

        var app = builder.Build();
        app.UseAsyncProbe();                     // 2: anywhere in the pipeline
        app.MapAsyncProbe();                     // 3: the report and its live page at /_threadpool
        return app;
    }
}
