namespace AsyncProbe.Tests.Shared;

/// <summary>The rooms of an assembly, top to bottom: a type may use its own room and the rooms above it.</summary>
/// <param name="roomOf">The room of a type; null for a type that every room may use and that uses none.</param>
/// <param name="rooms">Their names.</param>
internal sealed class RoomOrder(Func<string, string?> roomOf, params string[] rooms)
{
    /// <summary>The rooms are the namespaces in <paramref name="root"/>, with everything in them.</summary>
    public static RoomOrder In(string root, params string[] rooms) => new(
        type => type.StartsWith(root + ".", StringComparison.Ordinal) && type[(root.Length + 1)..].Split('.') is [var room, _, ..]
            ? room
            : null,
        rooms);

    /// <summary>One sentence for each reference to a room below, and for each type that is in no room.</summary>
    public IEnumerable<string> FindViolations(IEnumerable<TypeUse> references)
    {
        foreach (var (user, used) in references)
        {
            if (roomOf(user) is not { } from || roomOf(used) is not { } to)
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
                yield return $"{user} uses {used}: {from} may use only {(at == 0 ? "itself" : string.Join(", ", rooms[..at]))}, and {to} "
                    + "comes after it.";
            }
        }
    }
}
