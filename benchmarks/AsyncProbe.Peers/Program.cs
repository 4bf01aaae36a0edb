using System.Globalization;
using AsyncProbe.Peers;

// The parent starts each variant in its own process, because listeners for activities and meters are process-wide.
return args switch
{
    ["--variant", var name] => await Worker.RunAsync(Variants.Find(name)),
    ["--second-core"] => await SecondCore.RunAsync(rounds: 40),
    ["--short"] => await Comparison.RunAsync(rounds: 3, TimeSpan.FromMilliseconds(1), fewest: 10, warmUps: 0),
    [] => await Comparison.RunAsync(rounds: 40, TimeSpan.FromMilliseconds(20), fewest: 400, warmUps: 8),
    [var rounds, .. var names] => await Comparison.RunAsync(
        int.Parse(rounds, CultureInfo.InvariantCulture), TimeSpan.FromMilliseconds(20), fewest: 400, warmUps: 8, names),
    _ => Usage(),
};

static int Usage()
{
    Console.Error.WriteLine("Usage: AsyncProbe.Peers [--short | --second-core | rounds [variant…]]");
    return 2;
}
