using System.Globalization;
using AsyncProbe.Sample.Hosting;
using AsyncProbe.Sample.Sins;
using AsyncProbe.Sample.Upstream;

try
{
    if (args.Contains(UpstreamServer.Argument))
    {
        await UpstreamServer.RunAsync();
        return 0;
    }

    if (args is [Nap.Argument, var ms])
    {
        Thread.Sleep(int.Parse(ms, CultureInfo.InvariantCulture));
        return 0;
    }

    await using var app = SampleApp.Build(args);
    await app.RunAsync();
    return 0;
}
catch (SettingException e)
{
    await Console.Error.WriteLineAsync(e.Message);
    return 2;
}
