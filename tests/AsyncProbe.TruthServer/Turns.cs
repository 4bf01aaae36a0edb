using System.Collections.Concurrent;

namespace AsyncProbe.TruthServer;

/// <summary>Endpoints that change their behaviour once <c>/turn/{name}</c> is requested.</summary>
public static class Turns
{
    private static readonly ConcurrentDictionary<string, bool> s_turned = new(StringComparer.Ordinal);

    public static bool HasTurned(string name) => s_turned.ContainsKey(name);

    public static void Turn(string name) => s_turned.TryAdd(name, true);
}
