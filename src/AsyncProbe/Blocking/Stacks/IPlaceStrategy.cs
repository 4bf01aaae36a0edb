namespace AsyncProbe.Blocking.Stacks;

/// <summary>One way to find the place of a wait.</summary>
internal interface IPlaceStrategy
{
    /// <summary>The places that the wait may be at; empty when this way knows none.</summary>
    IEnumerable<Place> Find(PlaceQuestion question);
}
