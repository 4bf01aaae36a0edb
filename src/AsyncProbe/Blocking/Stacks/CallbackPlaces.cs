using System.Reflection;

namespace AsyncProbe.Blocking.Stacks;

/// <summary>
/// The wait in application code that a library calls. Optimised code inlines it into the library's method, so that the stack shows only the
/// statement that calls the library. First come the delegates that this statement passes, then everything else that the library may call.
/// </summary>
internal sealed class CallbackPlaces : IPlaceStrategy
{
    public IEnumerable<Place> Find(PlaceQuestion question)
    {
        if (question.Callback is not { } callback || !question.IsOwnPlace)
        {
            return [];
        }

        var (from, to) = question.Statement;
        var passed = WaitsIn(
            MethodCode.Get(question.Method).Delegates.Where(made => made.Offset >= from && made.Offset <= to)
                .Select(made => made.Target).Where(target => question.Frames.UserMethods.IsUserCode(target.Module.Assembly)));
        var places = passed.Count > 0 || callback.Library.Method is not { } library
            ? passed
            : WaitsIn(question.Frames.Callbacks.Find(library));

        // With several, the statement says more than a method without a line.
        return places.Count == 1 ? places : [];

        List<Place> WaitsIn(IEnumerable<MethodBase> methods) =>
            [.. methods.SelectMany(method => question.CallsIn(method, 0, int.MaxValue, callback.Wait)).Distinct()];
    }
}
