// Blocks in a way that the wait hook sees, and in one that it does not.
var builder = WebApplication.CreateBuilder(args);
builder.Configuration["AsyncProbe:AllowLocal"] = "true";
builder.Configuration["AsyncProbe:Detection"] = "Always";
builder.Services.AddAsyncProbe().AddStackSnapshots();

var app = builder.Build();
app.UseAsyncProbe();
app.MapAsyncProbe();
app.MapGet("/wait", () => Task.Delay(1000).Wait());
app.MapGet("/sleep", () => Thread.Sleep(1000));
app.MapGet("/hang", () => Thread.Sleep(TimeSpan.FromMinutes(5)));
app.Run();
