namespace AsyncProbe.Truth.Tests.Generator;

/// <summary>Every way to block, to work, to await and to do nothing, as statements.</summary>
internal static class Waits
{
    private const string AsyncWillHelp = "asyncWillHelp";
    private const string Number = "private static async Task<int> Number() { await Task.Delay($MS); return 1; }";
    private const string NumberValue = "private static async ValueTask<int> NumberValue() { await Task.Delay($MS); return 1; }";
    private const string Items = "private static async IAsyncEnumerable<int> Items() { await Task.Delay($MS); yield return 1; }";

    public static IReadOnlyList<Wait> All { get; } =
    [
        Hook(Family.Task, "Task.Wait", "task.Wait()", "Task.Delay($MS).Wait();"),
        Hook(Family.Task, "Task.Wait", "task.Wait(timeout)", "Task.Delay($MS).Wait(TimeSpan.FromSeconds(30));"),
        Hook(Family.Task, "Task.Wait", "task.Wait(token)", "Task.Delay($MS).Wait(CancellationToken.None);"),
        Hook(Family.Task, "Task.Result", "task.Result", "_ = Number().Result;", members: Number),
        Hook(Family.Task, "Task.GetResult", "task.GetAwaiter().GetResult()", "Task.Delay($MS).GetAwaiter().GetResult();"),
        Hook(Family.Task, "Task.GetResult", "taskOfT.GetAwaiter().GetResult()", "_ = Number().GetAwaiter().GetResult();", members: Number),
        Hook(
            Family.Task, "Task.GetResult", "task.ConfigureAwait(false).GetAwaiter().GetResult()",
            "Task.Delay($MS).ConfigureAwait(false).GetAwaiter().GetResult();"),
        Hook(Family.Task, "Task.WaitAll/Any", "Task.WaitAll", "Task.WaitAll(Task.Delay($MS), Task.Delay(1));"),
        Hook(Family.Task, "Task.WaitAll/Any", "Task.WaitAny", "Task.WaitAny(Task.Delay($MS), Task.Delay(5000));"),
        Hook(Family.Task, "Task.Wait", "Task.Run(f).Wait()", "Task.Run(() => Task.Delay($MS)).Wait();"),
        Hook(
            Family.Task, "Task.Wait", "ToBlockingEnumerable", "foreach (var item in Items().ToBlockingEnumerable()) { _ = item; }",
            members: Items),
        Hook(Family.ValueTask, "ValueTask", "valueTask.AsTask().Wait()", "new ValueTask(Task.Delay($MS)).AsTask().Wait();"),
        Hook(Family.ValueTask, "ValueTask", "valueTask.Result", "_ = NumberValue().Result;", members: NumberValue),
        Hook(
            Family.ValueTask, "ValueTask", "valueTask.GetAwaiter().GetResult()", "_ = NumberValue().GetAwaiter().GetResult();",
            members: NumberValue),
        Hook(
            Family.Signal, "SemaphoreSlim", "semaphoreSlim.Wait()", "gate.Wait();",
            "var gate = new SemaphoreSlim(0); Later.Do($MS, () => gate.Release());"),
        Hook(
            Family.Signal, "WaitHandle", "manualResetEventSlim.Wait()", "signal.Wait();",
            "var signal = new ManualResetEventSlim(); Later.Do($MS, signal.Set);"),
        Hook(
            Family.Signal, "WaitHandle", "manualResetEvent.WaitOne()", "signal.WaitOne();",
            "var signal = new ManualResetEvent(false); Later.Do($MS, () => signal.Set());"),
        Hook(
            Family.Signal, "WaitHandle", "autoResetEvent.WaitOne(timeout)", "signal.WaitOne($MS);",
            "var signal = new AutoResetEvent(false);"),
        Hook(
            Family.Signal, "WaitHandle", "WaitHandle.WaitAny", "WaitHandle.WaitAny(signals, $MS);",
            "WaitHandle[] signals = [new ManualResetEvent(false), new AutoResetEvent(false)];"),
        Hook(
            Family.Signal, "WaitHandle", "countdownEvent.Wait()", "countdown.Wait();",
            "var countdown = new CountdownEvent(1); Later.Do($MS, () => countdown.Signal());"),
        Hook(
            Family.Signal, "WaitHandle", "blockingCollection.Take()", "_ = queue.Take();",
            "var queue = new BlockingCollection<int>(); Later.Do($MS, () => queue.Add(1));"),
        Hook(Family.Signal, "WaitHandle", "semaphore.WaitOne()", "semaphore.WaitOne($MS);", "var semaphore = new Semaphore(0, 1);"),
        Hook(Family.Signal, "Monitor.Wait", "Monitor.Wait", "lock (signal) { Monitor.Wait(signal, $MS); }", "var signal = new object();"),
        Locked(
            "lock (gate), contended", "lock (gate) { }",
            "var gate = new object(); Holder.Hold($MS, () => Monitor.Enter(gate), () => Monitor.Exit(gate));"),
        Locked(
            "lock (System.Threading.Lock), contended", "lock (gate) { }",
            "var gate = new Lock(); Holder.Hold($MS, gate.Enter, gate.Exit);"),
        Locked(
            "Monitor.TryEnter(gate, timeout)", "Monitor.TryEnter(gate, 5000);",
            "var gate = new object(); Holder.Hold($MS, () => Monitor.Enter(gate), () => Monitor.Exit(gate));"),
        Locked(
            "readerWriterLockSlim.EnterReadLock()", "gate.EnterReadLock();",
            "var gate = new ReaderWriterLockSlim(); Holder.Hold($MS, gate.EnterWriteLock, gate.ExitWriteLock);"),
        Hook(Family.Thread, "Join", "thread.Join()", "thread.Join();", "var thread = Holder.Start($MS);"),
        Hook(
            Family.Network, "SyncHttp", "httpClient.Send",
            "using var answer = SlowBackend.Client.Send(new HttpRequestMessage(HttpMethod.Get, SlowBackend.Head($MS)));"),
        Hook(
            Family.Network, "Task.Result", "httpClient.GetStringAsync().Result",
            "_ = SlowBackend.Client.GetStringAsync(SlowBackend.Head($MS)).Result;"),
        Hook(Family.Network, "SyncIO", "stream.Read of an HTTP response", "_ = stream.Read(new byte[8]);",
            "using var answer = await SlowBackend.Client.GetAsync(SlowBackend.Body($MS), HttpCompletionOption.ResponseHeadersRead); using "
                + "var stream = await answer.Content.ReadAsStreamAsync();") with { Awaits = 1 },
        Clock(Family.Sleep, "Sleep", "Thread.Sleep", "Thread.Sleep($MS);"),
        Clock(Family.LongSleep, "Sleep", "Thread.Sleep, long enough for a snapshot", "Thread.Sleep($MS);") with { Ms = 400 },
        Clock(Family.File, "SyncIO", "a synchronous read of a slow file", "_ = file.ReadByte();", "using var file = SlowFile.Open($MS);") with
        {
            Verdict = "providerIsSynchronous",
        },
        Clock(
            Family.File, "SyncIO", "a synchronous read of a slow file, long enough for a snapshot", "_ = file.ReadByte();",
            "using var file = SlowFile.Open($MS);") with { Ms = 400, Verdict = "providerIsSynchronous" },
        Clock(Family.Native, "native", "a P/Invoke that waits", "Native.Sleep($MS);"),
        Clock(Family.Native, "native", "a P/Invoke that waits, long enough for a snapshot", "Native.Sleep($MS);") with { Ms = 400 },
        Hook(
            Family.Allowed, "Task.Wait", "an allowed wait",
            "using (BlockingScope.Allow(\"the reason\")) { Task.Delay($MS).Wait(); }") with { Allowed = "the reason", Verdict = "fine" },
        Hook(
            Family.Allowed, "SemaphoreSlim", "an allowed semaphore",
            "using (BlockingScope.Allow(\"the reason\")) { new SemaphoreSlim(0).Wait($MS); "
                + "}") with { Allowed = "the reason", Verdict = "fine" },
        Hook(Family.Parallel, "Task.Wait", "Parallel.For over waits", "Parallel.For(0, 3, Slow.Wait20);"),
        Database("EfCore", "a synchronous command of EF Core over SQLite", "db.Database.ExecuteSqlRaw(\"SELECT wait($MS)\");"),
        Database(
            "EfCore", "an awaited command of EF Core over SQLite",
            "await db.Database.ExecuteSqlRawAsync(\"SELECT wait($MS)\");") with { SeenBy = SeenBy.Perhaps },
        new Wait { Name = "CPU work", Family = Family.Cpu, Code = "Cpu.Burn($MS);", Verdict = "cpuBound", CpuMs = 20 },
        new Wait
        {
            Name = "CPU work behind an await",
            Family = Family.Cpu,
            Code = "Cpu.Burn($MS);",
            Setup = "await Task.Delay(3);",
            Awaits = 1,
            Verdict = "cpuBound",
            CpuMs = 20,
        },
        new Wait
        {
            Name = "await Task.Delay",
            Family = Family.Await,
            Code = "await Task.Delay($MS);",
            Awaits = 1,
            Verdict = "alreadyAsync",
        },
        new Wait
        {
            Name = "await httpClient.GetStringAsync",
            Family = Family.Await,
            Code = "await SlowBackend.Client.GetStringAsync(SlowBackend.Head($MS));",
            Awaits = 1,
            Verdict = "alreadyAsync",
        },
        new Wait
        {
            Name = "await semaphore.WaitAsync",
            Family = Family.Await,
            Code = "await gate.WaitAsync();",
            Setup = "var gate = new SemaphoreSlim(0); Later.Do($MS, () => gate.Release());",
            Awaits = 1,
            Verdict = "alreadyAsync",
        },
        new Wait
        {
            Name = "await foreach",
            Family = Family.Await,
            Code = "await foreach (var item in Items()) { _ = item; }",
            Members = Items,
            Awaits = 1,
            Verdict = "alreadyAsync",
        },
        new Wait
        {
            Name = "await Task.Run",
            Family = Family.Await,
            Code = "await Task.Run(() => Task.Delay($MS));",
            Awaits = 1,
            Verdict = "alreadyAsync",
        },
        Innocent("nothing", "_ = 0;"),
        Innocent("Result of a completed task", "_ = Task.FromResult(1).Result;"),
        Innocent("Wait of a completed task", "Task.CompletedTask.Wait();"),
        Innocent("Wait(0)", "Task.Delay(5000).Wait(0);"),
        Innocent("a free lock", "lock (gate) { }", "var gate = new object();"),
        Innocent("a free semaphore", "gate.Wait();", "var gate = new SemaphoreSlim(1);"),
        Innocent("an event that is set", "signal.Wait();", "var signal = new ManualResetEventSlim(true);"),
        Innocent("Thread.Sleep(0)", "Thread.Sleep(0);"),
        Innocent("await Task.Yield", "await Task.Yield();") with { Awaits = 1 },
        Innocent("a collection", "GC.Collect(0);") with { Verdict = "fine|cpuBound" },
    ];

    private static Wait Hook(Family family, string kind, string name, string code, string setup = "", string members = "") =>
        new() { Name = name, Family = family, Code = code, Setup = setup, Members = members, Kind = kind, Verdict = AsyncWillHelp };

    private static Wait Locked(string name, string code, string setup) =>
        Hook(Family.Lock, "Lock", name, code, setup) with { Verdict = "lockContention" };

    private static Wait Clock(Family family, string kind, string name, string code, string setup = "", string members = "") =>
        Hook(family, kind, name, code, setup, members) with { SeenBy = SeenBy.Snapshot };

    private static Wait Database(string kind, string name, string code) =>
        Hook(Family.Database, kind, name, code, "using var db = SlowDatabase.Open();") with { Verdict = "providerIsSynchronous" };

    private static Wait Innocent(string name, string code, string setup = "") =>
        new() { Name = name, Family = Family.Nothing, Code = code, Setup = setup, Verdict = "fine", Ms = 0 };
}
