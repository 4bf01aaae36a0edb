namespace AsyncProbe.Blocking.Hook;

/// <summary>
/// Whether requests may carry the wait hook. It starts as <see cref="Off"/>, <see cref="Nameless"/> or <see cref="Untested"/>. The tests at
/// startup turn the last two into one of the states below them, and can turn any state into <see cref="NoArrivals"/>. Only <see
/// cref="NoThread"/> is tested again.
/// </summary>
internal enum HookState
{
    /// <summary>Detection is off.</summary>
    Off,

    /// <summary>The hook was asked for, but stacks in this process name no methods. The tests turn this into <see cref="NoMethods"/>.</summary>
    Nameless,

    /// <summary>The hook was asked for, but no test has run.</summary>
    Untested,

    Passed,

    /// <summary>The hook missed a deliberate wait, so call sites will be missing.</summary>
    Blind,

    /// <summary>No pool thread was free to run the self-test.</summary>
    NoThread,

    NoMethods,

    /// <summary>The hook would do harm, because nothing removes it from a thread.</summary>
    NoArrivals,
}
