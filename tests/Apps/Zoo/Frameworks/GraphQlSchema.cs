using GraphQL;
using GraphQL.SystemTextJson;
using GraphQL.Types;

namespace Zoo.Frameworks;

internal static class GraphQlSchema
{
    private static readonly Schema s_schema = new() { Query = new Query() };

    public static void Map(IEndpointRouteBuilder app)
    {
        // A resolver waits, in an asynchronous execution.
        // truth: GET /graphql: asyncWillHelp
        app.MapGet("/graphql", async () => await s_schema.ExecuteAsync(o => o.Query = "{ stock }")); // calls: GraphQlSchema.ReadStock
    }

    private static int ReadStock()
    {
        Task.Delay(15).Wait(); // blocks: Task.Wait, in GraphQlSchema.ReadStock, from /graphql, for 15 ms
        return 42;
    }

    private sealed class Query : ObjectGraphType
    {
        public Query() => Field<IntGraphType>("stock").Resolve(_ => ReadStock());
    }
}
