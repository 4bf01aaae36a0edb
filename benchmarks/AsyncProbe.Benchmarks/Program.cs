using AsyncProbe.Benchmarks;
using BenchmarkDotNet.Running;

// dotnet run -c Release --project benchmarks/AsyncProbe.Benchmarks -- --filter '*'
BenchmarkSwitcher.FromAssembly(typeof(MiddlewareBenchmarks).Assembly).Run(args);
