using AsyncProbe.Analyzers.CodeFixes;
using static AsyncProbe.Analyzers.Tests.Reported;

namespace AsyncProbe.Analyzers.Tests;

public sealed class AwaitCodeFixTests
{
    private const string Head = """
        using System;
        using System.Collections.Generic;
        using System.Data.Common;
        using System.IO;
        using System.Linq;
        using System.Threading;
        using System.Threading.Tasks;
        class Store
        {
            readonly object _gate = new();
            static Task<int> CountAsync() => Task.FromResult(1);
            static void Take(Func<Task> f) { }
            static void Take<T>(Func<Task<T>> f) { }
            public void Send(string text, int ms) { }
            public Task SendAsync(string text, int ms, CancellationToken token = default) => Task.CompletedTask;
            public string Receive() => "";
            public Task<object> ReceiveAsync() => Task.FromResult<object>(1);
            public int Post(int n) => n;
            public Task<int> PostAsync(long n) => Task.FromResult(1);
            public void Close() { }
            public void CloseAsync() { }
        """;

    private static readonly int s_line = Head.Split('\n').Length + 2;

    [Theory]
    [InlineData("Task task", "task.Wait();", "Task.Wait", "await", "await task;")]
    [InlineData("", "var n = CountAsync().Result;", "Task.Result", "await", "var n = await CountAsync();")]
    [InlineData("", "var s = CountAsync().Result.ToString();", "Task.Result", "await", "var s = (await CountAsync()).ToString();")]
    [InlineData("Task<int[]> task", "var n = task.Result[0] + 1;", "Task.Result", "await", "var n = (await task)[0] + 1;")]
    [InlineData("ValueTask<int> task", "Console.Write(-task.Result);", "ValueTask", "await", "Console.Write(-await task);")]
    [InlineData("Task<int> task", "task.GetAwaiter().GetResult();", "Task.GetResult", "await", "await task;")]
    [InlineData(
        "Task task", "task.ConfigureAwait(false).GetAwaiter().GetResult();", "Task.GetResult", "await",
        "await task.ConfigureAwait(false);")]
    [InlineData("SemaphoreSlim gate", "gate.Wait();", "SemaphoreSlim", "WaitAsync", "await gate.WaitAsync();")]
    [InlineData("", "Thread.Sleep(5);", "Sleep", "Task.Delay", "await Task.Delay(5);")]
    [InlineData("Task a, Task b", "Task.WaitAll(a, b);", "Task.WaitAll/Any", "Task.WhenAll", "await Task.WhenAll(a, b);")]
    [InlineData("Task a, Task b", "Task.WaitAny(a, b);", "Task.WaitAll/Any", "Task.WhenAny", "await Task.WhenAny(a, b);")]
    [InlineData(
        "DbCommand command", "using var reader = command.ExecuteReader();", "SyncDb", "ExecuteReaderAsync",
        "using var reader = await command.ExecuteReaderAsync();")]
    [InlineData(
        "DbCommand command", "if (command.ExecuteReader().Read()) return;", "SyncDb", "ExecuteReaderAsync",
        "if ((await command.ExecuteReaderAsync()).Read()) return;")]
    [InlineData(
        "Stream stream, byte[] to", "var n = stream.Read(to, 0, 9);", "SyncIO", "ReadAsync", "var n = await stream.ReadAsync(to, 0, 9);")]
    [InlineData("", "Send(ms: 1, text: \"a\"); // sent", "(other)", "SendAsync", "await SendAsync(ms: 1, text: \"a\"); // sent")]
    [InlineData("", "Receive();", "(other)", "ReceiveAsync", "await ReceiveAsync();")]
    [InlineData(
        "", "lock (_gate) { } try { CountAsync().Wait(); } finally { }", "Task.Wait", "await",
        "lock (_gate) { } try { await CountAsync(); } finally { }")]
    public async Task Fix_AwaitsTheTwin(string parameters, string line, string kind, string twin, string expected)
    {
        var fixedSource = (await Fixed.FirstAsync(Async(parameters, line), Site("Store.Load", s_line, kind, twin)))!.Value;

        fixedSource.Source.ShouldBe(Async(parameters, expected));
        fixedSource.Title.ShouldBe(twin == "await" ? "Await it" : "Await " + twin);
    }

    [Fact]
    public async Task Fix_LeavesTheRestOfAChain_WhereItIs()
    {
        const string line = "var n = new Store().PostAsync(1)\n            .Result\n            .ToString();";

        (await Fixed.FirstAsync(Async("", line), Site("Store.Load", s_line, "Task.Result")))!.Value.Source
            .ShouldContain("var n = (await new Store().PostAsync(1))\n            .ToString();");
    }

    [Theory]
    [InlineData("async () => { CountAsync().Wait(); }", "async () => { await CountAsync(); }")]
    [InlineData("async () => await Task.FromResult(CountAsync().Result)", "async () => await Task.FromResult(await CountAsync())")]
    public async Task Fix_IsOffered_InAnAsyncLambda(string lambda, string expected)
    {
        var kind = lambda.Contains("Result)", StringComparison.Ordinal) ? "Task.Result" : "Task.Wait";
        var source = $"{Head}\n    void Load() {{ Take({lambda}); }}\n}}";

        (await Fixed.FirstAsync(source, Site("Store.Load", s_line - 1, kind)))!.Value.Source
            .ShouldBe($"{Head}\n    void Load() {{ Take({expected}); }}\n}}");
    }

    [Theory]
    [InlineData("void Load(Task t) { t.Wait(); }")]
    [InlineData("async Task Load(Task t) { await t; Action a = () => t.Wait(); }")]
    [InlineData("async Task Load(Task t) { await t; void Local() { } lock (_gate) { t.Wait(); } }")]
    [InlineData("async Task Load(Task t) { await t; Monitor.Enter(_gate); t.Wait(); Monitor.Exit(_gate); }")]
    [InlineData("async Task Load(Task t) { await t; try { t.Wait(); } catch (AggregateException) { } }")]
    [InlineData("async Task Load(Task t) { await t; unsafe { t.Wait(); } }")]
    [InlineData("async Task Load(Task t) { await t; t?.Wait(); }")]
    [InlineData("async Task Load(Task t) { await t; t.Wait(5); }")]
    [InlineData("async Task Load(Task t) { await t; t.Wait(CancellationToken.None); }")]
    [InlineData("async Task Load(Task t) { await t; t /* why */ .Wait(); }")]
    [InlineData("async Task Load(Task<int> t) { await t; Take(async () => t.Wait()); }")]
    public async Task Fix_IsNotOffered_WhereTheTaskCannotBeAwaitedSafely(string method) =>
        (await Fixed.FirstAsync($"{Head}\n    {method}\n}}", Site("Store.Load", s_line - 1))).ShouldBeNull();

    [Theory]
    [InlineData("async Task Load(Task<int> t) { await t; var q = from a in new[] { 1 } from b in new[] { t.Result } select b; }")]
    [InlineData("async Task Load(Task<int> t) { await t; try { } catch (Exception) when (t.Result == 1) { } }")]
    [InlineData("async Task Load(Task<int> t, int[] n) { await t; n.AsSpan()[0] = t.Result; }")]
    [InlineData("async Task Load(Task<int> t, int[] n) { await t; First(n) = t.Result; ref int First(int[] a) => ref a[0]; }")]
    public async Task Fix_IsNotOffered_WhereTheResultCannotBeAwaited(string method) =>
        (await Fixed.FirstAsync($"{Head}\n    {method}\n}}", Site("Store.Load", s_line - 1, "Task.Result"))).ShouldBeNull();

    [Theory]
    [InlineData("var s = Receive();", "ReceiveAsync")]
    [InlineData("var n = Post(1);", "PostAsync")]
    [InlineData("Close();", "CloseAsync")]
    [InlineData("var n = Stream.Null.Read(new byte[9]);", "ReadAsync")]
    [InlineData("Directory.GetFiles(\".\");", "GetFilesAsync")]
    public async Task Fix_IsNotOffered_WhenTheTwinIsNotTheSame(string line, string twin) =>
        (await Fixed.FirstAsync(Async("", line), Site("Store.Load", s_line, "(other)", twin))).ShouldBeNull();

    [Fact]
    public void Fix_IsForRulesThatExist() =>
        new AwaitCodeFixProvider().FixableDiagnosticIds.ShouldBeSubsetOf(Rules.Waits.Select(rule => rule.Id));

    private static string Async(string parameters, string line) =>
        $"{Head}\n    async Task Load({parameters}) {{ await Task.Yield();\n        {line}\n    }}\n}}";
}
