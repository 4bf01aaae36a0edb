namespace AsyncProbe.Cli.Outcomes;

/// <summary>The exit codes of the contract; scripts rely on them.</summary>
internal static class ExitCode
{
    public const int Done = 0;
    public const int Usage = 2;
    public const int NothingMeasured = 3;
    public const int ServerFiguresMissing = 4;
    public const int ThresholdFailed = 99;
    public const int Interrupted = 130;
}
