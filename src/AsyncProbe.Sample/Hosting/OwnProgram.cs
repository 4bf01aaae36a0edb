using System.Diagnostics;

namespace AsyncProbe.Sample.Hosting;

/// <summary>Starts another process of this program, whether it runs directly, through <c>dotnet</c> or inside another host.</summary>
internal static class OwnProgram
{
    public static ProcessStartInfo Command(params IEnumerable<string> arguments)
    {
        var name = typeof(OwnProgram).Assembly.GetName().Name!;
        var own = Path.Combine(AppContext.BaseDirectory, OperatingSystem.IsWindows() ? name + ".exe" : name);
        var command = File.Exists(own)
            ? new ProcessStartInfo(own)
            : new ProcessStartInfo("dotnet") { ArgumentList = { Path.Combine(AppContext.BaseDirectory, name + ".dll") } };
        foreach (var argument in arguments)
        {
            command.ArgumentList.Add(argument);
        }

        return command;
    }
}
