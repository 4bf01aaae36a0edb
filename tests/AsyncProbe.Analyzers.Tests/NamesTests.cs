using AsyncProbe.Analyzers.Reports;
using static AsyncProbe.Analyzers.Tests.Reported;

namespace AsyncProbe.Analyzers.Tests;

/// <summary>The names that reports and stacks give to the places where a wait can be.</summary>
public sealed class NamesTests
{
    [Theory]
    [InlineData("Store.<Load>d__1.MoveNext", "Store.Load")]
    [InlineData("Store+<Load>d__1.MoveNext", "Store.Load")]
    [InlineData("Store.<Load>g__Read|1_0", "Store.Load.Read")]
    [InlineData("Store.<<Load>g__Read|1_0>d.MoveNext", "Store.Load.Read")]
    [InlineData("Store.<>c.<Load>b__1_0", "Store.Load")]
    [InlineData("Store.<>c__DisplayClass1_0.<<Load>b__0>d.MoveNext", "Store.Load")]
    [InlineData("Store.Load", "Store.Load")]
    [InlineData("<Module>.Main", "<Module>.Main")]
    [InlineData("Store.<", "Store.<")]
    [InlineData("", "")]
    public void GeneratedName_IsTheSources(string generated, string expected) => GeneratedNames.ToSource(generated).ShouldBe(expected);

    [Theory]
    [InlineData("Store.Load", "async Task Load() { await Task.Yield(); WAIT; }")]
    [InlineData("Store.<Load>d__1.MoveNext", "async Task Load() { await Task.Yield(); WAIT; }")]
    [InlineData("Store.Load", "void Load() { System.Action run = () => WAIT; run(); }")]
    [InlineData("Store.Load", "void Load() { System.Func<Task> run = async () => { await Task.Yield(); WAIT; }; run(); }")]
    [InlineData("Store.Load.Read", "void Load() { Read(); void Read() { WAIT; } }")]
    [InlineData("Store.Load.Read", "void Load() { System.Action run = () => { Read(); void Read() { WAIT; } }; run(); }")]
    [InlineData("Store.Load", "void Load() { Read(); void Read() { System.Action run = () => WAIT; run(); } }")]
    [InlineData("Store.Load", "void Load() => WAIT;")]
    [InlineData("Store.Name", "string Name { get { WAIT; return \"\"; } }")]
    [InlineData("Store.Item", "int this[int i] { get { WAIT; return i; } }")]
    [InlineData("Store.ctor", "Store() { WAIT; }")]
    [InlineData("Store.cctor", "static Store() { WAIT; }")]
    [InlineData("Store.ctor", "bool _done = Task.Delay(1).Wait(1);")]
    [InlineData("Store.Inner.Load", "class Inner { void Load() { WAIT; } }")]
    [InlineData("Store.Load", "void Load<T>() { WAIT; }")]
    [InlineData("Store.Dispose",
        "} class Other : System.IDisposable { void System.IDisposable.Dispose() { } } partial class Store : System.IDisposable { void "
            + "System.IDisposable.Dispose() { WAIT; }")]
    public async Task Place_IsFound(string at, string member)
    {
        var source = "using System.Threading.Tasks;\npartial class Store {\n"
            + member.Replace("WAIT", "Task.Delay(1).Wait()", StringComparison.Ordinal) + "\n}";

        (await Compiled.From(source).With(Server(Site(at, 3))).WarnAsync()).Single().ShouldStartWith("Store.cs:3 BlockingTaskWait ");
    }

    [Fact]
    public async Task TopLevelStatement_IsFound()
    {
        var warnings = await Compiled.From(
            "using System.Threading.Tasks;\n\nTask.Delay(1).Wait();\nvoid Read() { Task.Delay(1).Wait(); }\nRead();", "/repo/Program.cs")
            .With(Server(Site("Program.Main", 3, file: "Program.cs"), Site("Program.Main.Read", 4, file: "Program.cs"))).WarnAsync();

        warnings.Select(w => w.Split(' ')[0]).ShouldBe(["Program.cs:3", "Program.cs:4"]);
    }

    [Theory]
    [InlineData("Task.Result", "await", "var x = Task.FromResult(1).Result;")]
    [InlineData("Task.GetResult", "await", "Task.Delay(1).ConfigureAwait(false).GetAwaiter().GetResult();")]
    [InlineData("ValueTask", "await", "new ValueTask().AsTask().Wait();")]
    [InlineData("Task.WaitAll/Any", "Task.WhenAll", "Task.WaitAll(Task.Delay(1));")]
    [InlineData("SemaphoreSlim", "WaitAsync", "new SemaphoreSlim(1).Wait();")]
    [InlineData("WaitHandle", null, "new ManualResetEvent(true).WaitOne();")]
    [InlineData("Lock", null, "lock (this) { }")]
    [InlineData("Lock", null, "var x = new System.Lazy<int>().Value;")]
    [InlineData("Monitor.Wait", null, "Monitor.Wait(this);")]
    [InlineData("Join", null, "new Thread(() => { }).Join();")]
    [InlineData("Sleep", "Task.Delay", "Thread.Sleep(1);")]
    [InlineData("Process", "WaitForExitAsync", "new System.Diagnostics.Process().WaitForExit();")]
    [InlineData("SyncIO", "ReadAsync", "new System.IO.MemoryStream().Read(new byte[1]);")]
    [InlineData("SyncHttp", "SendAsync", "new System.Net.Http.HttpClient().Send(new());")]
    [InlineData("SyncDb", "ExecuteReaderAsync", "((System.Data.Common.DbCommand)null!).ExecuteReader();")]
    [InlineData("SyncDb", null, "System.Convert.ToInt32(1);")]
    [InlineData("Task.Wait", null, "System.Convert.ToInt32(1);")]
    [InlineData("EfCore", "ToListAsync", "new int[1].ToList();")]
    [InlineData("native", null, "System.Math.Abs(1);")]
    [InlineData("a newer kind", null, "System.Math.Abs(1);")]
    public async Task Kind_IsFoundAtItsCall(string kind, string? awaitable, string line)
    {
        var source = "using System.Linq; using System.Threading; using System.Threading.Tasks;\nclass Store { void Load() {\n" + line
            + "\n} }";

        (await Compiled.From(source).With(Server(Site("Store.Load", 3, kind, awaitable))).WarnAsync()).Single()
            .ShouldStartWith($"Store.cs:3 {Rules.Get(Rules.FindKind(kind)).Id} ");
    }

    [Theory]
    [InlineData("Join", "var x = string.Join(\",\", \"\");", null)]
    [InlineData("Sleep", "Store.Sleep();", "Task.Delay")]
    [InlineData("Task.Result", "var x = new { Result = 1 }.Result;", "await")]
    public async Task Analyzer_IsSilent_WhenAnotherTypesCallHasTheName(string kind, string line, string? awaitable)
    {
        var source = "using System.Threading.Tasks;\nclass Store { static void Sleep() { } void Load() {\n" + line + "\n} }";

        (await Compiled.From(source).With(Server(Site("Store.Load", 3, kind, awaitable))).WarnAsync()).ShouldBeEmpty();
    }
}
