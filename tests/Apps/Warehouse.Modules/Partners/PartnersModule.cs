using Microsoft.AspNetCore.Hosting.Server;
using Microsoft.AspNetCore.Hosting.Server.Features;

namespace Warehouse.Modules.Partners;

/// <summary>Calls other services; here they are endpoints of the same process.</summary>
public sealed class PartnersModule : Module
{
    public override void AddServices(IServiceCollection services)
    {
        services.AddHttpClient<PartnerClient>((provider, client) =>
            client.BaseAddress = new Uri(
                provider.GetRequiredService<IServer>().Features.Get<IServerAddressesFeature>()!.Addresses.First()));
    }

    public override void Map(IEndpointRouteBuilder app)
    {
        app.MapGet("/partner/offer", async () =>
        {
            await Task.Delay(12);
            return "offer";
        });
        app.MapGet("/partner/offer-in-parts", async (HttpResponse response) =>
        {
            await response.WriteAsync("of");
            await response.Body.FlushAsync();
            await Task.Delay(12);
            await response.WriteAsync("fer");
        });

        var partners = app.MapGroup("/partners");
        partners.MapGet("/send", (PartnerClient client) => client.Send()); // blocks: send-caller
        partners.MapGet("/result", (PartnerClient client) => client.Result()); // blocks: result-caller
        partners.MapGet("/read", (PartnerClient client) => client.ReadAsync());
        partners.MapGet("/awaited", (PartnerClient client) => client.AwaitAsync());
    }
}
