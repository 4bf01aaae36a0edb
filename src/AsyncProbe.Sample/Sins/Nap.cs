using System.Diagnostics;
using System.Globalization;
using AsyncProbe.Sample.Hosting;

namespace AsyncProbe.Sample.Sins;

/// <summary>A process that does nothing for a while: this program, started with <c>--nap</c> and a time in milliseconds.</summary>
internal static class Nap
{
    public const string Argument = "--nap";

    public static Process Start(int ms)
    {
        var command = OwnProgram.Command(Argument, ms.ToString(CultureInfo.InvariantCulture));
        return Process.Start(command)!;
    }
}
