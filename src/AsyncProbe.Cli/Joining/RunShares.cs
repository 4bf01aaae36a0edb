namespace AsyncProbe.Cli.Joining;

/// <summary>What an endpoint's blocked time in a run consists of, as shares from 0 to 1.</summary>
/// <param name="Allowed">The allowed share of all of it.</param>
/// <param name="Locks">The share of the rest spent at locks.</param>
/// <param name="Provider">The share of the rest spent in a database provider that is synchronous internally.</param>
/// <param name="Placed">The share of all of it with a known place.</param>
/// <param name="Unexplained">The share of the rest without a place that could be awaited; null from an older server.</param>
internal readonly record struct RunShares(double Allowed, double Locks, double Provider, double Placed, double? Unexplained);
