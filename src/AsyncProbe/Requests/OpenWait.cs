namespace AsyncProbe.Requests;

/// <summary>A managed wait in progress. The hook derives from this.</summary>
internal abstract class OpenWait;
