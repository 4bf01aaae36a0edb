using System.Diagnostics;

namespace AsyncProbe.Sample.Sins;

/// <summary>Maps each sin to its own route and keeps a list of them.</summary>
internal sealed class SinGroup(IEndpointRouteBuilder routes)
{
    private const string Prefix = "/sins/";
    private readonly List<Sin> _sins = [];

    /// <summary>All sins so far.</summary>
    public IReadOnlyList<Sin> All => _sins;

    /// <summary>A sin that the wait hook names.</summary>
    public void Blocks(string name, string kind, string does, Func<int, int> act) =>
        Blocks(name, kind, does, (_, ms) => Task.FromResult(act(ms)));

    /// <summary>A sin that needs the HTTP context, or an await before it blocks.</summary>
    public void Blocks(
        string name, string kind, string does, Func<HttpContext, int, Task> act, string seenBy = "hook", string? needs = null) =>
        Map(new Sin(Prefix + name, does, kind, seenBy, IsReported: true, needs), act);

    /// <summary>A sin without a managed wait.</summary>
    public void BlocksUnseen(string name, string kind, string does, Func<int, int> act) =>
        Blocks(name, kind, does, (_, ms) => Task.FromResult(act(ms)), seenBy: "clock");

    /// <summary>Looks like a sin and must not be reported.</summary>
    public void Innocent(string name, string does, Func<int, int> act) => Innocent(name, does, (_, ms) => Task.FromResult(act(ms)));

    /// <summary>Looks like a sin and must not be reported.</summary>
    public void Innocent(string name, string does, Func<HttpContext, int, Task> act, string? needs = null) =>
        Map(new Sin(Prefix + name, does, null, null, IsReported: false, needs), act);

    /// <summary>Blocks with permission: counted under its reason, without a warning.</summary>
    public void Allowed(string name, string does, Func<HttpContext, int, Task> act, params object[] metadata) =>
        Map(new Sin(Prefix + name, does, "Task.Wait", "allowed", IsReported: false, Needs: null), act, metadata);

    /// <summary>Lists a sin whose route is mapped elsewhere.</summary>
    public void List(Sin sin) => _sins.Add(sin);

    private void Map(Sin sin, Func<HttpContext, int, Task> act, params object[] metadata)
    {
        _sins.Add(sin);
        var methods = sin.Needs == SinNeeds.SlowBody ? HttpMethods.Post : HttpMethods.Get;
        routes.MapMethods(
            sin.Route, [methods], (HttpContext context, string? ms, string? position) => AnswerAsync(context, sin, act, ms, position))
            .WithTags("Sins")
            .WithMetadata(metadata)
            .WithSummary(sin.Does)
            .WithDescription(sin.IsReported ? $"Blocks; reported as {sin.Kind}." : "Must not be reported.");
    }

    private static async Task<IResult> AnswerAsync(
        HttpContext context, Sin sin, Func<HttpContext, int, Task> act, string? ms, string? position)
    {
        if (!SinQuery.TryRead(ms, position, out var duration, out var place, out var problem))
        {
            return problem;
        }

        await place.ReachAsync();
        var began = Stopwatch.GetTimestamp();
        await act(context, duration);
        return context.Response.HasStarted
            ? Results.Empty
            : Results.Ok(new SinAnswer(sin.Route, duration, Math.Round(Stopwatch.GetElapsedTime(began).TotalMilliseconds, 1)));
    }
}
