using Zoo.Caching;
using Zoo.Containers;
using Zoo.Data;
using Zoo.Formats;
using Zoo.Http;
using Zoo.Logging;

namespace Zoo;

/// <summary>
/// Endpoints over many libraries, each used as its documentation shows. A comment above an endpoint states the verdict that is true of it
/// (truth), and a comment at a line states how that line blocks (blocks). <c>ZooTruths</c> reads both.
/// </summary>
internal static class ZooEndpoints
{
    public static void MapZoo(this IEndpointRouteBuilder app)
    {
        RestSharpClient.Map(app);
        FlurlClient.Map(app);
        RefitClient.Map(app);
        PollyPipeline.Map(app);
        DapperOverNpgsql.Map(app);
        SqliteCommands.Map(app);
        RedisKeys.Map(app);
        LiteDbDocuments.Map(app);
        FusionCaches.Map(app);
        AutofacContainer.Map(app);
        SimpleInjectorContainer.Map(app);
        NLogTargets.Map(app);
        SerilogFile.Map(app);
        Log4NetAppender.Map(app);
        Documents.Map(app);
    }
}
