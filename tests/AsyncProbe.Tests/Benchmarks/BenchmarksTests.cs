using System.Reflection;
using AsyncProbe.Benchmarks;
using BenchmarkDotNet.Attributes;

namespace AsyncProbe.Tests.Benchmarks;

/// <summary>Runs every benchmark once, so that none breaks unnoticed between two measurements.</summary>
public sealed class BenchmarksTests
{
    public static TheoryData<string, string> All()
    {
        var all = new TheoryData<string, string>();
        foreach (var type in typeof(MiddlewareBenchmarks).Assembly.GetExportedTypes())
        {
            foreach (var method in type.GetMethods().Where(m => m.GetCustomAttribute<BenchmarkAttribute>() is not null))
            {
                all.Add(type.Name, method.Name);
            }
        }

        return all;
    }

    [Theory]
    [MemberData(nameof(All))]
    public async Task Benchmark_Runs(string type, string method)
    {
        var benchmarks = typeof(MiddlewareBenchmarks).Assembly.GetExportedTypes().Single(t => t.Name == type);
        var instance = Activator.CreateInstance(benchmarks);

        // Otherwise its hosts would keep listening to the activities of other tests.
        using var disposed = instance as IDisposable;
        foreach (var setup in benchmarks.GetMethods().Where(m => m.GetCustomAttribute<GlobalSetupAttribute>() is not null))
        {
            setup.Invoke(instance, null);
        }

        if (benchmarks.GetMethod(method)!.Invoke(instance, null) is Task task)
        {
            await task.WaitAsync(ProbedApp.Timeout);
        }
    }
}
