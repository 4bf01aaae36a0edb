using MessagePack;
using MessagePack.Resolvers;
using ProtoBuf;
using YamlDotNet.Serialization;

namespace Zoo.Formats;

public static class Serializers
{
    private static readonly Good[] s_goods = [.. Enumerable.Range(0, 3000).Select(i => new Good { Name = $"good {i}", Stock = i })];
    private static readonly MessagePackSerializerOptions s_options = ContractlessStandardResolver.Options;

    public static void Map(IEndpointRouteBuilder app)
    {
        // truth: GET /messagepack: cpuBound|fine
        app.MapGet("/messagepack", () => MessagePackSerializer.Deserialize<Good[]>(MessagePackSerializer.Serialize(s_goods, s_options), s_options).Length);

        // truth: GET /protobufnet: cpuBound|fine
        app.MapGet("/protobufnet", () =>
        {
            using var stream = new MemoryStream();
            ProtoBuf.Serializer.Serialize(stream, s_goods);
            stream.Position = 0;
            return ProtoBuf.Serializer.Deserialize<Good[]>(stream).Length;
        });

        // truth: GET /yamldotnet: cpuBound
        app.MapGet("/yamldotnet", () => new SerializerBuilder().Build().Serialize(s_goods.Take(200).ToList()).Length);
    }

    [ProtoContract]
    public sealed class Good
    {
        [ProtoMember(1)]
        public string Name { get; set; } = "";

        [ProtoMember(2)]
        public int Stock { get; set; }
    }
}
