namespace AsyncProbe.Rules;

/// <summary>Requests a second, as a range. An upper bound has no low end.</summary>
internal readonly record struct Rate(double? Low, double? High)
{
    /// <summary>The end that is safe to promise.</summary>
    public double? Safe => Low ?? High;
}
