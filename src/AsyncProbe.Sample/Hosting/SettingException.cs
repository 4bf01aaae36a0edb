namespace AsyncProbe.Sample.Hosting;

/// <summary>A setting is invalid; the message names it and its value, and says what to do.</summary>
public sealed class SettingException(string message) : Exception(message);
