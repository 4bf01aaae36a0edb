using System.Reflection;
using System.Text.RegularExpressions;
using AsyncProbe.Common;

namespace AsyncProbe.Tests.House;

/// <summary>
/// Inside the package a time is a <see cref="Duration"/> or a <see cref="Timestamp"/>, never a number whose unit you have to know.
/// </summary>
[Trait(Logic.Category, Logic.Name)]
public sealed partial class TimesTests
{
    private static readonly Type[] s_numbers = [typeof(long), typeof(ulong), typeof(double), typeof(long?), typeof(double?)];

    /// <summary>The places where times become numbers, and numbers become times.</summary>
    private static readonly string[] s_edges =
    [
        nameof(Duration), nameof(Timestamp), nameof(Counter), "Timespec", "LinuxThreadClock", "MacThreadClock", "WindowsThreadClock",
        "ServerTimingText",
    ];

    [Fact]
    public void Number_IsNoTime_InsideThePackage() => Find(typeof(AsyncProbeOptions).Assembly).ShouldBeEmpty();

    [Theory]
    [InlineData("_startedAt")]
    [InlineData("queueDelayNs")]
    [InlineData("duration")]
    [InlineData("Blocked")]
    public void Name_IsThatOfATime(string name) => TimeName().IsMatch(name).ShouldBeTrue();

    private static IEnumerable<string> Find(Assembly assembly)
    {
        const BindingFlags All = BindingFlags.DeclaredOnly | BindingFlags.Instance | BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic;
        foreach (var type in assembly.GetTypes()
            .Where(type => type.FullName?.StartsWith("AsyncProbe.", StringComparison.Ordinal) == true && !s_edges.Contains(type.Name)))
        {
            var named = type.GetFields(All).Select(field => (field.Name, field.FieldType))
                .Concat(
                    type.GetMethods(All).SelectMany(method => method.GetParameters())
                        .Select(parameter => (Name: parameter.Name ?? "", parameter.ParameterType)));
            foreach (var (name, _) in named.Where(member => s_numbers.Contains(member.Item2) && TimeName().IsMatch(member.Item1))
                .Distinct())
            {
                yield return $"{type.FullName}: {name}";
            }
        }
    }

    [GeneratedRegex("[a-z](Ns|Nanoseconds|Ticks|At)$|(?i)^<?_?(now|since|duration|held|cpu|cpuWait|gc|gcPause|blocked|delay|queueDelay|elapsed|at)(>|$)")]
    private static partial Regex TimeName();
}
