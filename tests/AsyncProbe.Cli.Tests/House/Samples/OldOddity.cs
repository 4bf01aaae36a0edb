namespace AsyncProbe.Cli.Tests.House.Samples;

/// <summary>Deliberately uses old names, for the finder to find.</summary>
internal static class OldOddity
{
    private static readonly TimeSpan s_longPatience = TimeSpan.FromSeconds(1);

    public static TimeSpan Intelligence(TimeSpan pause) => pause + s_longPatience;
}
