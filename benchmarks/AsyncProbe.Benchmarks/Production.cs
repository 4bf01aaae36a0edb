using Microsoft.Extensions.FileProviders;
using Microsoft.Extensions.Hosting;

namespace AsyncProbe.Benchmarks;

/// <summary>The environment that the benchmarks run in.</summary>
internal sealed class Production : IHostEnvironment
{
    public string EnvironmentName { get; set; } = "Production";

    public string ApplicationName { get; set; } = "benchmarks";

    public string ContentRootPath { get; set; } = "/";

    public IFileProvider ContentRootFileProvider { get; set; } = new NullFileProvider();
}
