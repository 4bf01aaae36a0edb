using Microsoft.AspNetCore.Http;
using Microsoft.AspNetCore.StaticAssets;

namespace AsyncProbe.Requests.Endpoints;

/// <summary>Recognizes the endpoints of <c>MapStaticAssets</c>.</summary>
internal static class StaticAsset
{
    public static bool IsServedBy(Endpoint endpoint) => endpoint.Metadata.GetMetadata<StaticAssetDescriptor>() is not null;
}
