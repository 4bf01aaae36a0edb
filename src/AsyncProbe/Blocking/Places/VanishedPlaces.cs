using System.Reflection;
using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Methods;

namespace AsyncProbe.Blocking.Places;

/// <summary>
/// Calls in the application methods of one kind, any of which may have been inlined into the framework or a library. Used only when the
/// stack shows no application method: one that is shown is never passed over for another.
/// </summary>
internal sealed class VanishedPlaces : IPlaceStrategy
{
    public IEnumerable<Place> Find(PlaceQuestion question) =>
        question.Part is { } part ? In(question, MethodsOf(question, part)) : [];

    /// <summary>The places of the call in some methods, if these may have been inlined.</summary>
    public static IEnumerable<Place> In(PlaceQuestion question, IEnumerable<MethodBase> methods) =>
        methods.Where(MayVanish).SelectMany(own => question.CallsIn(own, 0, int.MaxValue))
            .Where(place => MayVanish(place.Method)).Distinct();

    private static bool MayVanish(MethodBase method) => !Handlers.Catches(method);

    private static IEnumerable<MethodBase> MethodsOf(PlaceQuestion question, UserPart part) =>
        part == UserPart.Callback
            ? question.LibraryCallbacks.Find(question.Method)
            : question.Frames.UserMethods.Find(part).Where(own => MayCall(question.Method, own));

    // The name of reflection's stub contains that of the constructor's type.
    private static bool MayCall(MethodBase caller, MethodBase own) =>
        !FrameRoles.IsStub(caller) || caller.Name == $"{FrameRoles.Stub}{own.DeclaringType?.Name}.{own.Name}";
}
