namespace AsyncProbe.Tests.Shared;

/// <summary>The rooms of an assembly, top to bottom: a type may use its own room and those above it.</summary>
/// <param name="root">The namespace that holds the rooms.</param>
/// <param name="rooms">Their names; a namespace inside a room belongs to it.</param>
internal sealed class RoomOrder(string root, params string[] rooms)
{
    /// <summary>One sentence for each reference to a room below, and for each type that is in no room.</summary>
    public IEnumerable<string> FindViolations(IEnumerable<TypeReference> references)
    {
        foreach (var (user, used) in references)
        {
            if (RoomOf(user) is not { } from || RoomOf(used) is not { } to)
            {
                continue;
            }

            var (at, target) = (Array.IndexOf(rooms, from), Array.IndexOf(rooms, to));
            if (at < 0 || target < 0)
            {
                yield return $"{user} uses {used}, but {(at < 0 ? from : to)} is not one of the rooms {string.Join(", ", rooms)}.";
            }
            else if (target > at)
            {
                yield return $"{user} uses {used}: {from} may use only {(at == 0 ? "itself" : string.Join(", ", rooms[..at]))}, and {to} comes after it.";
            }
        }
    }

    /// <summary>Null for what lies outside of the root or directly in it.</summary>
    private string? RoomOf(string type) =>
        type.StartsWith(root + ".", StringComparison.Ordinal) && type[(root.Length + 1)..].Split('.') is [var room, _, ..] ? room : null;
}
