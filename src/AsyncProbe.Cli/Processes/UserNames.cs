using System.Globalization;

namespace AsyncProbe.Cli.Processes;

/// <summary>Finds the names that this machine has for users.</summary>
internal static class UserNames
{
    public static string Find(uint? userId)
    {
        if (userId is not { } id)
        {
            return "somebody else";
        }

        var number = id.ToString(CultureInfo.InvariantCulture);
        try
        {
            return File.ReadLines("/etc/passwd").Select(line => line.Split(':')).FirstOrDefault(user => user is [_, _, var uid, ..] && uid == number)?[0]
                ?? number;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return number;
        }
    }
}
