using Warehouse.Modules;
using Warehouse.Modules.Inventory;
using Warehouse.Modules.Live;
using Warehouse.Modules.Orders;
using Warehouse.Modules.Partners;

Module[] modules = [new InventoryModule(), new OrdersModule(), new PartnersModule(), new LiveModule()];

var builder = WebApplication.CreateBuilder(args);
var probe = builder.Services.AddAsyncProbe();
if (builder.Configuration.GetValue<bool>("StackSnapshots"))
{
    probe.AddStackSnapshots();
}
builder.Services.AddHealthChecks();
foreach (var module in modules)
{
    module.AddServices(builder.Services);
}

var app = builder.Build();
app.UseAsyncProbe();
app.MapAsyncProbe();
app.MapHealthChecks("/health");
foreach (var module in modules)
{
    module.Use(app);
    module.Map(app);
}

app.Run();
