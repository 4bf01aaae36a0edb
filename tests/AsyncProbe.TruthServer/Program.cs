using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using AsyncProbe.TruthServer;

// Serves endpoints that a test generated and compiled, with AsyncProbe added as its README says and with the platform's default logging.
// --rows <assembly> names them; --snapshots true adds stack snapshots; --urls, --environment and --AsyncProbe:* work as everywhere.
var builder = WebApplication.CreateBuilder(args);
var rows = AssemblyLoadContext.Default.LoadFromAssemblyPath(
    builder.Configuration["rows"] ?? throw new InvalidOperationException("--rows is missing."));
var entry = rows.GetType("Rows", throwOnError: true)!;

// Otherwise two requests that initialize the same clocks at once would wait for each other.
RuntimeHelpers.RunClassConstructor(rows.GetType("OwnClocks", throwOnError: true)!.TypeHandle);
new LedgerCell().End(LedgerCell.Begin());
RuntimeHelpers.RunClassConstructor(typeof(Holder).TypeHandle);
if (rows.GetReferencedAssemblies().Any(a => a.Name?.Contains("EntityFrameworkCore", StringComparison.Ordinal) == true))
{
    await SlowDatabase.WarmAsync();
}

_ = (Later.Ready, SlowBackend.Address, SlowBackend.Client);

builder.Services.AddControllers().AddApplicationPart(rows);
var probe = builder.Services.AddAsyncProbe();
if (builder.Configuration.GetValue<bool>("snapshots"))
{
    probe.AddStackSnapshots();
}

Call("AddServices", builder.Services);

var app = builder.Build();
app.UseAsyncProbe();
app.MapAsyncProbe();
Call("Use", app);
app.MapControllers();
Call("Map", app);

// What really happened, by the endpoints' own clocks.
app.MapGet("/ledger", Ledger.Read);
app.MapGet("/turn/{name}", Turns.Turn);
await app.RunAsync();

void Call(string method, object argument) =>
    entry.GetMethod(method, BindingFlags.Public | BindingFlags.Static)!.Invoke(null, [argument]);
