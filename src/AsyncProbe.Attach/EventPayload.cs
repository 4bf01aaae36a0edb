using System.Reflection;
using Microsoft.AspNetCore.Http;

namespace AsyncProbe.Attach;

/// <summary>Reads <c>httpContext</c> from the payloads of the server's events, whose type is internal to the server.</summary>
internal sealed class EventPayload
{
    private readonly Type _type;
    private readonly Func<object, HttpContext?> _read;

    private EventPayload(Type type, Func<object, HttpContext?> read) => (_type, _read) = (type, read);

    /// <summary>Returns null if the server's events look different.</summary>
    public static EventPayload? Create(Type type)
    {
        if (type.GetProperty("httpContext", BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance) is not
            { GetMethod: { } getter } property || !property.PropertyType.IsAssignableTo(typeof(HttpContext)))
        {
            return null;
        }

        var reader = (Reader)Activator.CreateInstance(typeof(Reader<>).MakeGenericType(type), getter)!;
        return new(type, reader.Read);
    }

    public bool Fits(object payload) => payload.GetType() == _type;

    public HttpContext? Read(object payload) => _read(payload);

    private abstract class Reader
    {
        public abstract HttpContext? Read(object payload);
    }

    private sealed class Reader<T>(MethodInfo getter) : Reader
        where T : class
    {
        private readonly Func<T, HttpContext?> _getter = getter.CreateDelegate<Func<T, HttpContext?>>();

        public override HttpContext? Read(object payload) => _getter((T)payload);
    }
}
