using System.Reflection;
using AsyncProbe.Blocking.Code;

namespace AsyncProbe.Blocking.Places;

/// <summary>
/// The wait in application code that a library calls. Optimised code inlines it into the library's method, so that the stack shows only the
/// statement that calls the library. First come the delegates that this statement passes. If the library doesn't wait itself, the method's
/// other delegates follow, and then everything else that the library may call.
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
        IEnumerable<MethodBase>[] candidates =
        [
            Delegates(question, from, to),
            callback.MayWaitItself ? [] : Delegates(question, 0, int.MaxValue),
            callback is { MayWaitItself: false, Library.Method: { } library } ? question.LibraryCallbacks.Find(library) : [],
        ];
        var places = candidates
            .Select(methods =>
                methods.SelectMany(method => question.CallsIn(method, 0, int.MaxValue, callback.Wait)).Distinct().ToList())
            .FirstOrDefault(waits => waits.Count > 0);

        // With several, the statement says more than a method without a line.
        return places is [var only] ? [only with { Beneath = callback.Wait }] : [];
    }

    private static IEnumerable<MethodBase> Delegates(PlaceQuestion question, int from, int to) =>
        MethodCode.Get(question.Method).Delegates.Where(made => made.Offset >= from && made.Offset <= to)
            .Select(made => made.Target).Where(target => question.Frames.UserMethods.IsUserCode(target.Module.Assembly));
}
