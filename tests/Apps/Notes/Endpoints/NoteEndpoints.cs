using System.Security.Claims;
using Microsoft.AspNetCore.Identity;
using Microsoft.EntityFrameworkCore;
using Notes.Data;

namespace Notes.Endpoints;

internal static class NoteEndpoints
{
    public static void MapNotes(this IEndpointRouteBuilder app)
    {
        var notes = app.MapGroup("/notes").RequireAuthorization();

        notes.MapGet("/", async (ClaimsPrincipal user, NotesDb db, ILogger<Note> logger) =>
        {
            logger.LogInformation("Listing notes");
            return await db.Notes.Where(n => n.Owner == user.Identity!.Name).OrderBy(n => n.Id).Take(10).ToListAsync(); // blocks: list
        });

        notes.MapGet(
            "/{id:int}", async (int id, NotesDb db) => await db.Notes.FindAsync(id) is { } note ? Results.Ok(note) : Results.NotFound()); // blocks: find

        notes.MapPost("/", async (NewNote note, ClaimsPrincipal user, NotesDb db) =>
        {
            db.Notes.Add(new Note { Owner = user.Identity!.Name!, Text = note.Text });
            await db.SaveChangesAsync(); // blocks: save
            return Results.NoContent();
        });

        notes.MapPut("/{id:int}", Replace);

        // With SQLite the returned task has already completed, so only SQLite itself may wait here.
        notes.MapGet("/owner", (ClaimsPrincipal user, UserManager<IdentityUser> users) => users.GetUserAsync(user).Result!.Email); // blocks: owner

        notes.MapGet("/export", (ClaimsPrincipal user) =>
        {
            var archive = PackAsync(user.Identity!.Name!).Result; // blocks: export
            return archive.Length;
        });

        notes.MapGet("/preview", async (ClaimsPrincipal user) =>
        {
            var archive = await PackAsync(user.Identity!.Name!);
            return archive.Length;
        });
    }

    // Holds SQLite's only write lock for a while, so that writers wait for each other inside the provider.
    private static async Task<IResult> Replace(int id, NewNote note, ClaimsPrincipal user, NotesDb db)
    {
        await using var transaction = await db.Database.BeginTransactionAsync(); // blocks: begin
        await db.Notes.Where(n => n.Id == id && n.Owner == user.Identity!.Name) // blocks: update
            .ExecuteUpdateAsync(s => s.SetProperty(n => n.Text, note.Text));
        await Task.Delay(10);
        await transaction.CommitAsync(); // blocks: commit
        return Results.NoContent();
    }

    private static async Task<byte[]> PackAsync(string owner)
    {
        await Task.Delay(30);
        return new byte[owner.Length];
    }

    internal sealed record NewNote(string Text);
}
