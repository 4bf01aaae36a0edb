using System.Globalization;

namespace AsyncProbe.Sample.Sins;

/// <summary>Reads the parameters of every sin: how long, and where in the request.</summary>
internal static class SinQuery
{
    private const int DefaultMs = 50;
    private const int MostMs = 10_000;

    public static bool TryRead(string? ms, string? position, out int duration, out SinPosition place, out IResult problem)
    {
        problem = Results.Empty;
        place = SinPosition.First;
        duration = DefaultMs;
        if (ms is not null
            && (!int.TryParse(ms, NumberStyles.None, CultureInfo.InvariantCulture, out duration) || duration > MostMs))
        {
            problem = Problem("ms", $"ms is '{ms}'. Give whole milliseconds from 0 to {MostMs}.");
            return false;
        }

        if (position is not null && (!Enum.TryParse(position, ignoreCase: true, out place) || !Enum.IsDefined(place)))
        {
            problem = Problem("position", $"position is '{position}'. Give first, later or library.");
            return false;
        }

        return true;
    }

    private static IResult Problem(string name, string sentence) =>
        Results.ValidationProblem(new Dictionary<string, string[]> { [name] = [sentence] });
}
