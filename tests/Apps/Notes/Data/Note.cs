namespace Notes.Data;

internal sealed class Note
{
    public int Id { get; set; }

    public required string Owner { get; set; }

    public required string Text { get; set; }
}
