using Carter;
using Coravel;
using FastEndpoints;
using Quartz;
using Zoo.Caching;
using Zoo.Computing;
using Zoo.Containers;
using Zoo.Data;
using Zoo.Formats;
using Zoo.Frameworks;
using Zoo.Http;
using Zoo.Logging;
using Zoo.Messaging;

namespace Zoo;

/// <summary>
/// Endpoints over many libraries, each used as its documentation shows. A comment above an endpoint states the verdict that is true of it
/// (truth), and a comment at a line states how that line blocks (blocks). <c>ZooTruths</c> reads both.
/// </summary>
internal static class ZooEndpoints
{
    public static void AddZoo(this IServiceCollection services)
    {
        services.AddQueue();
        services.AddQuartz();
        services.AddHybridCache();
        services.AddCarter(configurator: c => c.WithModule<CarterStock>());
        services.AddFastEndpoints();
    }

    public static void MapZoo(this WebApplication app)
    {
        RestSharpClient.Map(app);
        FlurlClient.Map(app);
        RefitClient.Map(app);
        PollyPipeline.Map(app);
        GrpcClient.Map(app);
        MailKitSender.Map(app);
        SshConnection.Map(app);
        DapperOverNpgsql.Map(app);
        SqliteCommands.Map(app);
        OtherSqlite.Map(app);
        EfCorePostgres.Map(app);
        EfCoreInMemory.Map(app);
        MySqlConnections.Map(app);
        MongoCollection.Map(app);
        RedisKeys.Map(app);
        LiteDbDocuments.Map(app);
        FusionCaches.Map(app);
        FrameworkCaches.Map(app);
        AutofacContainer.Map(app);
        SimpleInjectorContainer.Map(app);
        Decorators.Map(app);
        NLogTargets.Map(app);
        SerilogFile.Map(app);
        Log4NetAppender.Map(app);
        RabbitMqConnection.Map(app);
        MqttConnection.Map(app);
        Mediators.Map(app);
        AkkaActors.Map(app);
        JobQueues.Map(app);
        ReactiveStreams.Map(app);
        Documents.Map(app);
        Serializers.Map(app);
        Mappers.Map(app);
        Templates.Map(app);
        Computations.Map(app);
        GraphQlSchema.Map(app);
        app.MapCarter();
        app.MapFastEndpoints();
    }
}
