using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Options;

namespace AsyncProbe.Wiring;

/// <summary>
/// Checks a configuration section before it is bound. The binder's message names only the type that a value doesn't fit, but an operator
/// needs to know what to write instead.
/// </summary>
internal static class OptionValues
{
    /// <exception cref="OptionsValidationException">A name or a value in the section is invalid.</exception>
    /// <param name="subject">The name for the owner of the options in error messages.</param>
    /// <param name="other">A name in the section that another package reads.</param>
    public static void Check<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicProperties)] TOptions>(
        IConfigurationSection section, string subject, string? other = null)
    {
        var known = typeof(TOptions).GetProperties().ToDictionary(p => p.Name, p => p.PropertyType, StringComparer.OrdinalIgnoreCase);
        List<string> errors = [];
        foreach (var child in section.GetChildren())
        {
            if (known.TryGetValue(child.Key, out var type))
            {
                if (child.Value is { Length: > 0 } value && Allowed(type, value, child.Path) is { } allowed)
                {
                    errors.Add($"{child.Path} is '{value}'. {allowed}");
                }
            }
            else if (!child.Key.Equals(other, StringComparison.OrdinalIgnoreCase))
            {
                errors.Add($"{child.Path} (value '{child.Value}') is not an option of {subject}. "
                    + $"The options are {string.Join(", ", known.Keys.Order())}.");
            }
        }

        if (errors.Count > 0)
        {
            throw new OptionsValidationException(section.Path, typeof(TOptions), errors);
        }
    }

    /// <summary>A sentence about the values that the type allows; null if the value is allowed.</summary>
    private static string? Allowed(Type type, string value, string path) => (Nullable.GetUnderlyingType(type) ?? type) switch
    {
        var t when t == typeof(bool) => bool.TryParse(value, out _) ? null : "Set it to true or false.",
        var t when t == typeof(int) =>
            int.TryParse(value, NumberStyles.Integer, CultureInfo.InvariantCulture, out _) ? null : "Set it to a whole number.",
        var t when t == typeof(double) =>
            double.TryParse(value, NumberStyles.Float, CultureInfo.InvariantCulture, out _) ? null : "Set it to a number, for example 0.5.",
        var t when t == typeof(TimeSpan) => TimeSpan.TryParse(value, CultureInfo.InvariantCulture, out _)
            ? null
            : "Write a time as hours:minutes:seconds, for example 00:00:00.050 for 50 ms.",
        { IsEnum: true } t => Enum.TryParse(t, value, ignoreCase: true, out _) ? null : $"Set it to {Choices(Enum.GetNames(t))}.",
        var t when t != typeof(string) && typeof(IEnumerable).IsAssignableFrom(t) =>
            $"It is a list, so its first value belongs under {path}:0 (in the environment, {path.Replace(":", "__", StringComparison.Ordinal)}__0).",
        _ => null,
    };

    private static string Choices(string[] names) => string.Join(", ", names[..^1]) + " or " + names[^1];
}
