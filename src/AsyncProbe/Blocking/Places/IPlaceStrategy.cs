namespace AsyncProbe.Blocking.Places;

/// <summary>One way to find the place of a wait.</summary>
internal interface IPlaceStrategy
{
    /// <summary>The places where the wait may be; empty when this strategy finds none.</summary>
    IEnumerable<Place> Find(PlaceQuestion question);
}
