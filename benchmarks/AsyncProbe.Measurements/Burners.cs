using System.Diagnostics;

namespace AsyncProbe.Measurements;

/// <summary>Processes that constantly use a core.</summary>
internal sealed class Burners : IDisposable
{
    private readonly List<Process> _processes;

    public Burners(int count, int core) =>
        _processes = [.. Enumerable.Range(0, count).Select(_ => Server.Start(core, ["sh", "-c", "while :; do :; done"]))];

    public void Dispose()
    {
        foreach (var process in _processes)
        {
            process.Kill(entireProcessTree: true);
            process.Dispose();
        }
    }
}
