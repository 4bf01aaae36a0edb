namespace AsyncProbe.Blocking.Methods;

/// <summary>A kind of application code that the framework calls besides or instead of the endpoint's method.</summary>
internal enum UserPart
{
    /// <summary>Middleware, a filter, a controller's constructor, or possibly the endpoint's method.</summary>
    Pipeline,

    /// <summary>A constructor that the container calls.</summary>
    Constructor,

    /// <summary>The disposal of an object that the container created.</summary>
    Disposal,

    ModelBinder,

    ViewComponent,

    HubMethod,

    /// <summary>What a library calls: an override or implementation, such as an interceptor, or a constructor.</summary>
    Callback,
}
