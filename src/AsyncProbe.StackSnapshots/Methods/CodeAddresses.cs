using System.Reflection;
using AsyncProbe.StackSnapshots.Trace;

namespace AsyncProbe.StackSnapshots.Methods;

/// <summary>
/// Knows which method an instruction address belongs to. Compiled code does not move, so an address is asked for once; only unknown ones
/// cost a list of all methods. One that a list lacks may be of code that the runtime had not finished entering: it is asked for again, at
/// growing intervals, and whenever a list is read anyway.
/// </summary>
/// <param name="list">Reads a list of all methods, and says how many bytes that were.</param>
/// <param name="clock">Tells how long something has been known.</param>
internal sealed class CodeAddresses(Func<IEventSink, long> list, TimeProvider clock)
{
    private const int MaxKept = 20_000;

    // Code that was made at run time may be freed and its address used again, so nothing is believed for ever.
    private static readonly TimeSpan s_keptFor = TimeSpan.FromHours(1);

    // A list costs megabytes of events, and code that no list ever has must not cost one with each snapshot.
    private static readonly TimeSpan s_firstPause = TimeSpan.FromSeconds(1);
    private const int PauseGrowth = 4;

    private readonly Dictionary<ulong, KnownCode> _known = [];
    private readonly Dictionary<ulong, Unlisted> _unlisted = [];
    private long _since = clock.GetTimestamp();

    public CodeAddresses()
        : this(SelfSession.ListMethods, TimeProvider.System)
    {
    }

    /// <summary>Bytes that the last call had to read.</summary>
    public long LastBytes { get; private set; }

    /// <summary>
    /// Looks up the code at each address. An address that no list contains is missing from the answer.
    /// </summary>
    public IReadOnlyDictionary<ulong, KnownCode> Find(IReadOnlyCollection<ulong> addresses)
    {
        if (_known.Count + _unlisted.Count > MaxKept || clock.GetElapsedTime(_since) > s_keptFor)
        {
            _known.Clear();
            _unlisted.Clear();
            _since = clock.GetTimestamp();
        }

        LastBytes = 0;
        var unknown = addresses.Where(a => !_known.ContainsKey(a)).Distinct().Order().ToArray();
        if (!Array.Exists(unknown, IsDue))
        {
            return _known;
        }

        var search = new MethodSearch(unknown);
        LastBytes = list(search);
        var modules = new LoadedModules(search.ModulePaths);
        Dictionary<ulong, KnownCode> passing = [];
        foreach (var address in unknown)
        {
            if (!search.Found.TryGetValue(address, out var code))
            {
                var before = _unlisted.GetValueOrDefault(address);
                _unlisted[address] = new Unlisted(
                    clock.GetTimestamp(), before.Pause == default ? s_firstPause : before.Pause * PauseGrowth);
                continue;
            }

            _unlisted.Remove(address);
            var place = code.IsNativeCall ? new KnownCode(null, InnermostFrame.NativeCall)
                : modules.MethodOf(code) is { } method
                    ? new KnownCode(new SampledFrame { Method = method, IlOffset = code.IlOffset }, InnermostFrame.Method)
                : new KnownCode(null, InnermostFrame.Unknown);

            // What can be unloaded must not be kept alive, and its address will be another's.
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
