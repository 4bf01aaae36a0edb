using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>
/// Recognizes the endpoints of <c>MapStaticAssets</c>. They were added in .NET 9, where this .NET 8 build can also run, so it checks the
/// type's name.
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
