using Bookshop.Filters;
using Bookshop.Services;

var builder = WebApplication.CreateBuilder(args);
var probe = builder.Services.AddAsyncProbe();
if (builder.Configuration.GetValue<bool>("StackSnapshots"))
{
    probe.AddStackSnapshots();
}

// Routing as in ASP.NET Core 2, which still works.
var isLegacy = builder.Configuration.GetValue<bool>("LegacyRouting");
builder.Services.AddControllersWithViews(o =>
{
    o.EnableEndpointRouting = !isLegacy;
    o.Filters.Add<TimingFilter>();
});
builder.Services.AddRazorPages();
builder.Services.AddOutputCache();
builder.Services.AddSingleton<Recommender>();
builder.Services.AddSingleton<Stock>();
builder.Services.AddSingleton<SlowPermissionFilter>();
builder.Services.AddSingleton<TrackingResultFilter>();
builder.Services.AddScoped<Basket>();

var app = builder.Build();
app.UseAsyncProbe();
app.MapAsyncProbe();
app.UseExceptionHandler("/Home/Error");
app.UseStaticFiles();
if (isLegacy)
{
    app.UseMvc(routes => routes.MapRoute("default", "{controller=Home}/{action=Index}/{id?}"));
}
else
{
    app.UseRouting();
    app.UseOutputCache();
    app.MapControllerRoute("default", "{controller=Home}/{action=Index}/{id?}");
    app.MapRazorPages();
}

app.Run();
