using System.Globalization;

namespace AsyncProbe.Peers;

/// <summary>What one request cost in one round; a worker reports it as one line.</summary>
internal readonly record struct Measured(double Microseconds, double Bytes)
{
    public static Measured Parse(string line)
    {
        var parts = line.Split(' ');
        return new Measured(double.Parse(parts[0], CultureInfo.InvariantCulture), double.Parse(parts[1], CultureInfo.InvariantCulture));
    }

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Microseconds:R} {Bytes:R}");
}
