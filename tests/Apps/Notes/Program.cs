using Microsoft.AspNetCore.Authentication;
using Microsoft.AspNetCore.Identity;
using Microsoft.EntityFrameworkCore;
using Notes.Auditing;
using Notes.Authentication;
using Notes.Data;
using Notes.Endpoints;

var builder = WebApplication.CreateBuilder(args);
var probe = builder.Services.AddAsyncProbe();
if (builder.Configuration.GetValue<bool>("StackSnapshots"))
{
    probe.AddStackSnapshots();
}

builder.Services.AddDbContext<NotesDb>(o => o.UseSqlite(builder.Configuration.GetConnectionString("Notes") ?? "Data Source=notes.db"));
builder.Services.AddIdentityApiEndpoints<IdentityUser>().AddEntityFrameworkStores<NotesDb>();
builder.Services.AddAuthentication().AddScheme<AuthenticationSchemeOptions, ApiKeyHandler>(ApiKeyHandler.Scheme, null);
builder.Services.AddAuthorizationBuilder()
    .AddPolicy(ApiKeyHandler.Scheme, p => p.AddAuthenticationSchemes(ApiKeyHandler.Scheme).RequireAuthenticatedUser());
builder.Services.AddScoped<IClaimsTransformation, PlanClaims>();
builder.Services.AddScoped<AuditTrail>();
builder.Services.AddScoped<AsyncAuditTrail>();

var app = builder.Build();
app.UseAsyncProbe();
app.MapAsyncProbe();

await using (var scope = app.Services.CreateAsyncScope())
{
    await scope.ServiceProvider.GetRequiredService<NotesDb>().Database.EnsureCreatedAsync();
}

app.MapGroup("/account").MapIdentityApi<IdentityUser>();
app.MapNotes();
app.MapReports();
app.MapAudited();
app.Run();
