namespace AsyncProbe.Sample.Hosting;

/// <summary>A setting that cannot be, as a sentence that names it, its value and what to do.</summary>
public sealed class SettingException(string message) : Exception(message);
