using AsyncProbe.Blocking.Code;
using AsyncProbe.Blocking.Kinds;
using AsyncProbe.Blocking.Methods;
using AsyncProbe.Blocking.Stacks;

namespace AsyncProbe.Blocking.Places;

/// <summary>
/// The wait in a constructor, when the reported statement asks the container for an object. Optimised code inlines small constructors into
/// code that the container makes at run time, and a stack snapshot has no name for that code. Without a constructor that waits, the result
/// is code that the method calls.
/// </summary>
internal sealed class ContainerPlaces : IPlaceStrategy
{
    public IEnumerable<Place> Find(PlaceQuestion question)
    {
        var (from, to) = question.Statement;
        if (!question.IsOwnPlace || question.StatementCalls.Count > 0
            || question.Call is not { Owner: FrameOwner.Core, Kind: not (WaitKind.Other or WaitKind.Lock) })
        {
            return [];
        }

        var asks = CallSiteIl.Calls(question.Method, from, to).Select(call => call.Target).Where(FrameRoles.AsksContainer).ToList();
        if (asks.Count == 0)
        {
            return [];
        }

        var made = question.Frames.UserMethods.Find(UserPart.Constructor).ToList();
        var requested = asks.Where(ask => ask.IsGenericMethod).SelectMany(ask => ask.GetGenericArguments()).ToList();
        var own = made.FindAll(one => requested.Exists(type => type.IsAssignableFrom(one.DeclaringType)));
        var places = VanishedPlaces.In(question, own).ToList();
        if (places.Count == 0)
        {
            places = [.. VanishedPlaces.In(question, made)];
        }

        return places.Count > 0 ? places : [new Place(question.Method, SiteFrame.Unknown) { IsGuess = true, IsCaller = true }];
    }
}
