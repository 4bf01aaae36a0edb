using System.Diagnostics;
using System.Reflection;
using AsyncProbe.StackSnapshots.Trace;

namespace AsyncProbe.StackSnapshots.Methods;

/// <summary>
/// Knows which method an instruction address belongs to. Compiled code does not move, so an address is asked for once; only unknown ones
/// cost a list of all methods.
/// </summary>
internal sealed class CodeAddresses
{
    private const int MaxKept = 20_000;

    // Code that was made at run time may be freed and its address used again, so nothing is believed for ever.
    private static readonly TimeSpan s_keptFor = TimeSpan.FromHours(1);

    private readonly Dictionary<ulong, SampledFrame?> _known = [];
    private long _since = Stopwatch.GetTimestamp();

    /// <summary>Bytes that the last call had to read.</summary>
    public long LastBytes { get; private set; }

    /// <summary>The places of addresses; those without a method are missing.</summary>
    public IReadOnlyDictionary<ulong, SampledFrame?> Find(IReadOnlyCollection<ulong> addresses)
    {
        if (_known.Count > MaxKept || Stopwatch.GetElapsedTime(_since) > s_keptFor)
        {
            _known.Clear();
            _since = Stopwatch.GetTimestamp();
        }

        LastBytes = 0;
        var unknown = addresses.Where(a => !_known.ContainsKey(a)).Distinct().Order().ToArray();
        if (unknown.Length == 0)
        {
            return _known;
        }

        var search = new MethodSearch(unknown);
        LastBytes = SelfSession.ListMethods(search);
        var modules = new LoadedModules(search.ModulePaths);
        Dictionary<ulong, SampledFrame?> passing = [];
        foreach (var address in unknown)
        {
            SampledFrame? place = search.Found.TryGetValue(address, out var code) && modules.MethodOf(code) is { } method
                ? new SampledFrame { Method = method, IlOffset = code.IlOffset }
                : null;

            // What can be unloaded must not be kept alive, and its address will be another's.
            (IsCollectible(place?.Method) ? passing : _known)[address] = place;
        }

        return passing.Count == 0 ? _known : Merge(passing);
    }

    private static bool IsCollectible(MethodBase? method) => method?.Module.Assembly.IsCollectible == true;

    private Dictionary<ulong, SampledFrame?> Merge(Dictionary<ulong, SampledFrame?> passing)
    {
        foreach (var (address, place) in _known)
        {
            passing.TryAdd(address, place);
        }

        return passing;
    }
}
