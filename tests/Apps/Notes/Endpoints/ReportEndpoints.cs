using Microsoft.EntityFrameworkCore;
using Notes.Authentication;
using Notes.Data;

namespace Notes.Endpoints;

/// <summary>Endpoints for machines, which send a key instead of signing in.</summary>
internal static class ReportEndpoints
{
    public static void MapReports(this IEndpointRouteBuilder app)
    {
        var reports = app.MapGroup("/reports").RequireAuthorization(ApiKeyHandler.Scheme);

        // Not to blame for what its authentication does.
        reports.MapGet("/status", () => "ok");

        app.MapGet("/figures/checksum", () =>
        {
            var sum = 17u;
            for (var i = 0; i < 12_000_000; i++)
            {
                sum = (sum * 31) ^ (uint)i;
            }

            return sum;
        });

        app.MapGet("/figures/longest", (NotesDb db) =>
        {
            var longest = db.Database.SqlQuery<int>( // blocks: longest
                $"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60000) SELECT max(i) AS Value FROM n").ToList();
            return longest[0];
        });
    }
}
