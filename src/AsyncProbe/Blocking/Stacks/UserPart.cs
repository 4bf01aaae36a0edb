namespace AsyncProbe.Blocking.Stacks;

/// <summary>What of the application the framework calls, beside or instead of the endpoint's own method.</summary>
internal enum UserPart
{
    /// <summary>Middleware, filters, or the endpoint's method after all.</summary>
    Pipeline,

    /// <summary>What the container makes.</summary>
    Constructor,

    /// <summary>The end of what the container has made.</summary>
    Disposal,

    ModelBinder,

    ViewComponent,

    HubMethod,
}
