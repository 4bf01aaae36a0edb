namespace Warehouse.Modules.Partners;

internal sealed class PartnerClient(HttpClient http)
{
    private static readonly Uri s_offer = new("/partner/offer", UriKind.Relative);
    private static readonly Uri s_parts = new("/partner/offer-in-parts", UriKind.Relative);

    public string Send()
    {
        using var request = new HttpRequestMessage(HttpMethod.Get, s_offer);
        using var response = http.Send(request); // blocks: send
        return response.StatusCode.ToString();
    }

    public string Result() => http.GetStringAsync(s_offer).Result; // blocks: result

    public async Task<string> ReadAsync()
    {
        await using var body = await http.GetStreamAsync(s_parts);
        using var reader = new StreamReader(body);
        return reader.ReadToEnd(); // blocks: read
    }

    public async Task<string> AwaitAsync() => await http.GetStringAsync(s_offer);
}
