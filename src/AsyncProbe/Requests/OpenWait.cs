namespace AsyncProbe.Requests;

/// <summary>A managed wait that a thread is in. Whoever put it into the thread's slot knows more about it.</summary>
internal abstract class OpenWait;
