using Notes.Auditing;

namespace Notes.Endpoints;

/// <summary>Endpoints whose cost comes after the response.</summary>
internal static class AuditedEndpoints
{
    public static void MapAudited(this IEndpointRouteBuilder app)
    {
        app.MapDelete("/drafts/{id:int}", (int id, AuditTrail audit) =>
        {
            audit.Note();
            return Results.NoContent();
        });

        app.MapDelete("/drafts/async/{id:int}", (int id, AsyncAuditTrail audit) =>
        {
            audit.Note();
            return Results.NoContent();
        });

        app.MapGet("/drafts/mailed", (HttpResponse response) =>
        {
            response.OnCompleted(() =>
            {
                Thread.Sleep(15); // blocks: mailed
                return Task.CompletedTask;
            });
            return "mailed";
        });
    }
}
