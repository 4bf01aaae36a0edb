using AsyncProbe.Apps.Tests.Running;

namespace AsyncProbe.Apps.Tests.Zoo;

/// <summary>Many libraries, each used as its documentation shows.</summary>
/// <param name="only">The endpoints that are called, each as often as the others; all of them if it is empty.</param>
internal sealed class ZooApp(params IReadOnlyCollection<string> only) : JudgedApp
{
    private readonly IReadOnlyList<(Call Call, EndpointTruth Truth)> _endpoints =
        [.. ZooTruths.Read().Where(e => only.Count == 0 || only.Contains(e.Call.Path))];

    public override string Name => "Zoo";

    public override Task<IReadOnlyList<Call>> CallsAsync(AppProcess process, Load load, AppSetting setting) =>
        Task.FromResult<IReadOnlyList<Call>>([.. _endpoints.Select(e => only.Count == 0 ? e.Call : e.Call with { Share = 1 })]);

    public override IReadOnlyList<EndpointTruth> Truths() => [.. _endpoints.Select(e => e.Truth)];
}
