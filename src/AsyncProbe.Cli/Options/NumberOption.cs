using System.CommandLine;
using System.Globalization;

namespace AsyncProbe.Cli.Options;

/// <summary>Options that take a whole number within limits and report any other value.</summary>
internal static class NumberOption
{
    public static Option<int?> Create(string name, string? alias, int least, int most, string description, string helpName = "N")
    {
        var option = new Option<int?>(name, alias is null ? [] : [alias]) { HelpName = helpName, Description = description };
        option.CustomParser = result => (int?)Parse(result, name, least, most);
        return option;
    }

    public static Option<long?> CreateLong(string name, long least, string description)
    {
        var option = new Option<long?>(name) { HelpName = "N", Description = description };
        option.CustomParser = result => Parse(result, name, least, long.MaxValue);
        return option;
    }

    private static long? Parse(System.CommandLine.Parsing.ArgumentResult result, string name, long least, long most)
    {
        var text = result.Tokens.Count == 0 ? "" : result.Tokens[0].Value;
        var isNumber = long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var value);
        if (isNumber && value >= least && value <= most)
        {
            return value;
        }

        var range = most == long.MaxValue ? $"at least {Text(least)}" : $"{Text(least)} to {Text(most)}";
        result.AddError(
            isNumber ? $"{name} is {Text(value)}; it must be {range}." : $"{name} is \"{text}\"; it takes a whole number, {range}.");
        return null;

        static string Text(long number) => number.ToString("N0", CultureInfo.InvariantCulture);
    }
}
