using System.Security.Cryptography;
using System.Text;

namespace Zoo;

/// <summary>CPU work that neither allocates nor waits.</summary>
internal static class Work
{
    private static readonly byte[] s_text = Encoding.UTF8.GetBytes(new string('z', 64 * 1024));

    /// <summary>Computes for about that long on an idle core of an ordinary machine; the amount of work is fixed.</summary>
    public static int ForMilliseconds(int milliseconds)
    {
        Span<byte> hash = stackalloc byte[SHA512.HashSizeInBytes];
        for (var i = 0; i < milliseconds * 8; i++)
        {
            SHA512.HashData(s_text, hash);
        }

        return hash[0];
    }
}
