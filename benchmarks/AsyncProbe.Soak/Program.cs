using System.Globalization;
using AsyncProbe.Soak;

// "soak [minutes]" loads its own server and prints a table; "serve" is that server. See benchmarks/README.md.
switch (args)
{
    case ["serve", .. var rest]:
        await SoakServer.RunAsync(rest);
        return 0;
    case [] or [_] when double.TryParse(args.FirstOrDefault() ?? "30", CultureInfo.InvariantCulture, out var minutes) && minutes > 0:
        var result = await SoakRun.RunAsync(TimeSpan.FromMinutes(minutes), cycles: 10, Console.Error.WriteLine);
        Console.WriteLine(SoakTable.Of(result));
        foreach (var fault in result.Faults)
        {
            Console.Error.WriteLine(fault);
        }

        return result.Faults.Count == 0 ? 0 : 1;
    default:
        Console.Error.WriteLine("Say for how many minutes, or nothing for 30.");
        return 2;
}
