using System.Reflection;
using AsyncProbe.StackSnapshots.Trace;

namespace AsyncProbe.StackSnapshots.Methods;

/// <summary>
/// Finds the method that an instruction address belongs to. Compiled code doesn't move, so each address is looked up only once. Only
/// unknown addresses need a list of all methods. If the list lacks an address, its code may be a method that the runtime has not finished
/// registering. Such an address is looked up again at growing intervals, and whenever a list is read anyway.
/// </summary>
/// <param name="list">Reads a list of all methods.</param>
/// <param name="clock">Measures how old an entry is.</param>
internal sealed class CodeAddresses(Action<IEventSink> list, TimeProvider clock)
{
    private const int MaxKept = 20_000;

    // The runtime may free code that was generated at run time and reuse its address, so entries expire.
    private static readonly TimeSpan s_keptFor = TimeSpan.FromHours(1);

    // A list costs megabytes of events. Code that no list contains must not cause one at every snapshot.
    private static readonly TimeSpan s_firstPause = TimeSpan.FromSeconds(1);
    private const int PauseGrowth = 4;

    private readonly Dictionary<ulong, KnownCode> _known = [];
    private readonly Dictionary<ulong, Unlisted> _unlisted = [];
    private long _since = clock.GetTimestamp();

    public CodeAddresses()
        : this(SelfSession.ListMethods, TimeProvider.System)
    {
    }

    /// <summary>Looks up the code at each address. The result lacks addresses that no list contains.</summary>
    public IReadOnlyDictionary<ulong, KnownCode> Find(IReadOnlyCollection<ulong> addresses)
    {
        if (_known.Count + _unlisted.Count > MaxKept || clock.GetElapsedTime(_since) > s_keptFor)
        {
            _known.Clear();
            _unlisted.Clear();
            _since = clock.GetTimestamp();
        }

        var unknown = addresses.Where(a => !_known.ContainsKey(a)).Distinct().Order().ToArray();
        if (!Array.Exists(unknown, IsDue))
        {
            return _known;
        }

        var search = new MethodSearch(unknown);
        list(search);
        var modules = new LoadedModules(search.ModulePaths);
        Dictionary<ulong, KnownCode> passing = [];
        foreach (var address in unknown)
        {
            if (!search.Found.TryGetValue(address, out var code))
            {
                var before = _unlisted.GetValueOrDefault(address).Pause;
                _unlisted[address] = new Unlisted(
                    clock.GetTimestamp(), before == default ? s_firstPause : before < s_keptFor ? before * PauseGrowth : before);
                continue;
            }

            _unlisted.Remove(address);
            var place = code.IsNativeCall ? new KnownCode(null, InnermostFrame.NativeCall)
                : modules.MethodOf(code) is { } method
                    ? new KnownCode(new SampledFrame { Method = method, IlOffset = code.IlOffset }, InnermostFrame.Method)
                : new KnownCode(null, InnermostFrame.Unknown);

            // Don't keep a method of a collectible assembly alive. Its address will be reused after the assembly is unloaded.
            (IsCollectible(place.Frame?.Method) ? passing : _known)[address] = place;
        }

        return passing.Count == 0 ? _known : Merge(passing);
    }

    private bool IsDue(ulong address) =>
        !_unlisted.TryGetValue(address, out var asked) || clock.GetElapsedTime(asked.At) >= asked.Pause;

    private static bool IsCollectible(MethodBase? method) => method?.Module.Assembly.IsCollectible == true;

    private Dictionary<ulong, KnownCode> Merge(Dictionary<ulong, KnownCode> passing)
    {
        foreach (var (address, place) in _known)
        {
            passing.TryAdd(address, place);
        }

        return passing;
    }

    private readonly record struct Unlisted(long At, TimeSpan Pause);
}
