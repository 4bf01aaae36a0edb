using System.Collections;

namespace AsyncProbe.FaultHost;

/// <summary>Numbers whose disposal waits.</summary>
internal sealed class WaitingNumbers : IEnumerator<int>
{
    public int Current => 0;

    object IEnumerator.Current => Current;

    public static IEnumerator<int> Make() => new WaitingNumbers();

    public bool MoveNext() => false;

    public void Reset()
    {
    }

    public void Dispose() => Task.Delay(20).Wait();
}
