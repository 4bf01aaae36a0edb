namespace AsyncProbe.Cli.Server;

/// <summary>What an endpoint's blocked time in a run consists of, as shares from 0 to 1.</summary>
/// <param name="Allowed">The allowed share of all of it.</param>
/// <param name="Locks">The share of the rest that was spent at locks.</param>
/// <param name="Provider">The share of the rest that was spent in a database provider that is synchronous inside.</param>
/// <param name="Placed">The share of all of it that has a known place.</param>
/// <param name="Unexplained">The share of the rest without a place that could be awaited; null from an older server.</param>
internal readonly record struct RunShares(double Allowed, double Locks, double Provider, double Placed, double? Unexplained);
