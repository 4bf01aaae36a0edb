namespace Shop;

/// <summary>A builder that adds nothing by itself: no configuration, no logging, no server, no routing.</summary>
internal static class EmptyHost
{
    public static WebApplicationBuilder CreateBuilder(string[] args)
    {
        var builder = WebApplication.CreateEmptyBuilder(new());
        builder.Configuration.AddCommandLine(args);
        builder.WebHost.UseKestrelCore().UseUrls(builder.Configuration["urls"]!);
        builder.Services.AddRouting();
        return builder;
    }
}
