using System.Buffers.Binary;
using System.Runtime.InteropServices;
using AsyncProbe.StackSnapshots.Trace;

namespace AsyncProbe.StackSnapshots.Methods;

/// <summary>A position in a method, as the runtime identifies it.</summary>
/// <param name="ModuleId">The module that declares the method.</param>
/// <param name="Token">The method's metadata token in that module.</param>
/// <param name="IlOffset">The position in the method's IL; -1 when it is unknown.</param>
/// <param name="IsNativeCall">Whether it is a stub that the runtime generated for a native call.</param>
/// <param name="Type">The runtime's name for the method's type.</param>
/// <param name="Method">The method's name.</param>
internal readonly record struct CodePlace(
    ulong ModuleId, int Token, int IlOffset, bool IsNativeCall, string Type = "", string Method = "");

/// <summary>Finds those methods in a rundown whose code contains one of the addresses: a few out of thousands.</summary>
/// <param name="addresses">The addresses in ascending order.</param>
internal sealed class MethodSearch(ulong[] addresses) : IEventSink
{
    // Offsets of the fields in the runtime's events, in bytes.
    private const int MethodModule = 8;
    private const int MethodStart = 16;
    private const int MethodSize = 24;
    private const int MethodToken = 28;
    private const int MethodEnd = 32;
    private const int MethodNames = 36;
    private const int MapCount = 17;
    private const int MapEntries = 19;
    private const int ModulePath = 24;

    private byte[] _map = [];
    private int _mapLength;

    public Dictionary<ulong, CodePlace> Found { get; } = [];

    /// <summary>The path of each module, by its id.</summary>
    public Dictionary<ulong, string> ModulePaths { get; } = [];

    public void OnEvent(EventKind kind, long threadId, long time, ReadOnlySpan<byte> stack, ReadOnlySpan<byte> payload)
    {
        switch (kind)
        {
            case EventKind.IlToNativeMap:
                Keep(payload);
                break;
            case EventKind.Method when payload.Length >= MethodEnd:
                OnMethod(payload);
                break;
            case EventKind.Module when payload.Length > ModulePath:
                var path = MemoryMarshal.Cast<byte, char>(payload[ModulePath..]);
                ModulePaths[UInt64(payload)] = new string(path[..Math.Max(0, path.IndexOf('\0'))]);
                break;
        }
    }

    // The map of a compiled method comes right before the method itself. Most maps aren't needed.
    private void Keep(ReadOnlySpan<byte> payload)
    {
        if (payload.Length > _map.Length)
        {
            _map = new byte[payload.Length * 2];
        }

        payload.CopyTo(_map);
        _mapLength = payload.Length;
    }

    private void OnMethod(ReadOnlySpan<byte> method)
    {
        var start = UInt64(method[MethodStart..]);
        var end = start + BinaryPrimitives.ReadUInt32LittleEndian(method[MethodSize..]);

        // A return address is the instruction after the call, which may already be the first one of other code.
        var first = Array.BinarySearch(addresses, start + 1);
        for (var i = first < 0 ? ~first : first; i < addresses.Length && addresses[i] <= end; i++)
        {
            var (type, name) = Names(method);
            Found[addresses[i]] = new CodePlace(
                UInt64(method[MethodModule..]),
                BinaryPrimitives.ReadInt32LittleEndian(method[MethodToken..]),
                IlOffset(UInt64(method), (int)(addresses[i] - start - 1)),
                name.StartsWith("IL_STUB_PInvoke", StringComparison.Ordinal)
                    || name.StartsWith("IL_STUB_CLRtoCOM", StringComparison.Ordinal),
                type, name);
        }
    }

    // The method's name follows the name of its type.
    private static (string Type, string Method) Names(ReadOnlySpan<byte> method)
    {
        var names = method.Length > MethodNames ? MemoryMarshal.Cast<byte, char>(method[MethodNames..]) : [];
        var type = Text(names);
        return (type.ToString(), Text(names[Math.Min(names.Length, type.Length + 1)..]).ToString());
    }

    private static ReadOnlySpan<char> Text(ReadOnlySpan<char> names) => names.IndexOf('\0') is >= 0 and var end ? names[..end] : names;

    /// <summary>
    /// The IL offset that the map has for the nearest position at or before the offset in the compiled code; -1 when none is known.
    /// </summary>
    private int IlOffset(ulong methodId, int nativeOffset)
    {
        ReadOnlySpan<byte> map = _map.AsSpan(0, _mapLength);
        if (map.Length < MapEntries || UInt64(map) != methodId)
        {
            return -1;
        }

        int count = BinaryPrimitives.ReadUInt16LittleEndian(map[MapCount..]);
        if (map.Length < MapEntries + (count * 2 * sizeof(int)))
        {
            return -1;
        }

        var (best, bestNative) = (-1, -1);
        for (var i = 0; i < count; i++)
        {
            var il = BinaryPrimitives.ReadInt32LittleEndian(map[(MapEntries + (i * sizeof(int)))..]);
            var native = BinaryPrimitives.ReadInt32LittleEndian(map[(MapEntries + ((count + i) * sizeof(int)))..]);

            // Negative offsets mean the prolog, the epilog, and code without an IL instruction.
            if (il >= 0 && native <= nativeOffset && native >= bestNative)
            {
                (best, bestNative) = (il, native);
            }
        }

        return best;
    }

    private static ulong UInt64(ReadOnlySpan<byte> bytes) => BinaryPrimitives.ReadUInt64LittleEndian(bytes);
}
