using Zoo;

var builder = WebApplication.CreateBuilder(args);
var probe = builder.Services.AddAsyncProbe();
if (builder.Configuration.GetValue<bool>("StackSnapshots"))
{
    probe.AddStackSnapshots();
}

builder.Services.AddZoo();

var app = builder.Build();
app.UseAsyncProbe();
app.MapAsyncProbe();
app.MapZoo();
app.Run();
