namespace Warehouse.Modules.Inventory;

public sealed class InventoryModule : Module
{
    public override void AddServices(IServiceCollection services)
    {
        services.AddSingleton<Catalogue>();
        services.AddHostedService<CatalogueRefresh>();
    }

    public override void Use(IApplicationBuilder app) =>
        app.UseWhen(c => c.Request.Path.StartsWithSegments("/inventory/audited"), branch => branch.UseMiddleware<AuditMiddleware>());

    public override void Map(IEndpointRouteBuilder app)
    {
        var inventory = app.MapGroup("/inventory");
        inventory.MapGet("/", (Catalogue catalogue) => catalogue.Articles);
        inventory.MapGet("/yield", async (ILogger<InventoryModule> logger) =>
        {
            logger.LogInformation("Before the yield");
            await Task.Yield();
            logger.LogInformation("After the yield");
            return "y";
        });
        inventory.MapGet("/audited/{article}", (string article) => article);
        inventory.MapGet("/count", (Catalogue catalogue) => catalogue.Count());
        inventory.MapGet("/weigh/{rounds:int}", (int rounds) => Scale.Weigh(rounds));
        inventory.MapGet("/weigh-later/{rounds:int}", async (int rounds) =>
        {
            await Task.Delay(2);
            return Scale.Weigh(rounds);
        });
        inventory.MapGet("/file", (Catalogue catalogue) => catalogue.ReadSlowly()); // blocks: file-caller
    }
}
