namespace AsyncProbe.Truth.Tests.Generator;

/// <summary>Whether the endpoint's methods are so small that the JIT compiler may inline them.</summary>
internal enum Style
{
    /// <summary>The statement is between readings of the endpoint's own clocks.</summary>
    Clocked,

    /// <summary>There is only the statement.</summary>
    Bare,
}

internal enum Temperature
{
    /// <summary>A few requests, including the first of the process.</summary>
    Cold,

    /// <summary>So many requests that the code is recompiled while they run.</summary>
    Warm,
}

/// <summary>Whether an endpoint's behaviour changes over time.</summary>
internal enum Course
{
    Steady,

    /// <summary>Many requests skip the statement; the later ones run it.</summary>
    TurnsOn,

    /// <summary>Many requests run the statement; the later ones skip it.</summary>
    TurnsOff,
}

/// <summary>One endpoint: a statement somewhere in an application, and the requests to it.</summary>
internal sealed record Row(int Number, Shape Shape, Position Position, Wait Wait, Style Style, Temperature Temperature, int Clients)
{
    public string Name => $"R{Number}";

    public string Route => $"/r{Number}";

    public string Endpoint => $"GET {Route}";

    public int Ms => Wait.Ms;

    /// <summary>Whether it lasts long enough for a stack snapshot to see it.</summary>
    public bool IsLong => Ms > 100;

    public Course Course { get; init; }

    /// <summary>The number of requests before the turn.</summary>
    public int RequestsBefore => Course switch { Course.TurnsOn => 400, Course.TurnsOff => 60, _ => 0 };

    public int RequestsPerClient => Course != Course.Steady ? RequestsBefore + 60 : (IsLong, Temperature, Clients) switch
    {
        (true, _, _) => 12,
        (_, Temperature.Cold, 1) => 12,
        (_, Temperature.Cold, < 10) => 6,
        (_, Temperature.Cold, _) => 3,
        (_, _, 1) => 60,
        (_, _, < 10) => 20,
        _ => 8,
    };

    /// <summary>The number of requests beyond the planned ones, for a row whose wait only stack snapshots can see.</summary>
    public int MoreRequests { get; init; }

    public int Requests => (RequestsPerClient * Clients) + MoreRequests;

    public string Note =>
        $"{Wait.Name}, {Position.Name}, in {Shape.Name}, {Style}, {Temperature}, {Clients} "
            + $"clients{(Course == Course.Steady ? "" : $", {Course}")}";

    /// <summary>The method that contains the statement, as the report names it.</summary>
    public string Method
    {
        get
        {
            var method = Shape.MethodOf(Name);
            var type = method[..method.IndexOf('.', StringComparison.Ordinal)];
            return Position.InMethod is { } inner ? $"{type}.{inner}"
                : Position.IsInLambda ? string.Join('.', method.Split('.').Take(2))
                : method;
        }
    }

    public bool IsPossible =>
        (Shape.MayAwait || (Position.Awaits == 0 && !Wait.IsAsync))
        && !(Wait.IsParallel && Clients > 4)
        // A snapshot finds one long wait while it lasts; with many clients the rows would take minutes.
        && (!IsLong || Clients < 10);
}
