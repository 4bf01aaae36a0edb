using Grpc.Core;
using Grpc.Net.Client;
using Zoo.Backends;

namespace Zoo.Http;

internal static class GrpcClient
{
    private static readonly Marshaller<byte[]> s_bytes = Marshallers.Create(bytes => bytes, bytes => bytes);
    private static readonly Method<byte[], byte[]> s_method = new(MethodType.Unary, "zoo.Stock", "Get", s_bytes, s_bytes);
    private static readonly CallInvoker s_invoker = GrpcChannel.ForAddress(GrpcBackend.Address).CreateCallInvoker();

    public static void Map(IEndpointRouteBuilder app)
    {
        // The method that the generated client's synchronous methods call.
        // truth: GET /grpc: asyncWillHelp
        app.MapGet("/grpc", () =>
        {
            var stock = s_invoker.BlockingUnaryCall(s_method, null, default, []); // blocks: Task.GetResult, for 15 ms
            return stock.Length;
        });

        // truth: GET /grpc/async: alreadyAsync|fine
        app.MapGet("/grpc/async", async () => (await s_invoker.AsyncUnaryCall(s_method, null, default, [])).Length);
    }
}
