using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>
/// Tells the endpoints of <c>MapStaticAssets</c>. Only .NET 9 brought them, and this build runs there too, so it goes by the name.
/// </summary>
internal static class StaticAsset
{
    private const string Descriptor = "Microsoft.AspNetCore.StaticAssets.StaticAssetDescriptor";

    public static bool IsServedBy(Endpoint endpoint)
    {
        foreach (var item in endpoint.Metadata)
        {
            if (item.GetType().FullName == Descriptor)
            {
                return true;
            }
        }

        return false;
    }
}
