using System.Buffers.Binary;
using System.Reflection;
using System.Reflection.Emit;

namespace AsyncProbe.Blocking.Code;

/// <summary>One instruction of a method's IL.</summary>
/// <param name="Offset">The offset of its first byte.</param>
/// <param name="Code">Its operation code.</param>
/// <param name="Operand">A token, a number or an index; 0 if it has none, or one longer than four bytes.</param>
internal readonly record struct Instruction(int Offset, OpCode Code, int Operand)
{
    private const byte Prefix = 0xFE;

    private static readonly OpCode?[] s_short = new OpCode?[256];
    private static readonly OpCode?[] s_long = new OpCode?[256];

    static Instruction()
    {
        foreach (var field in typeof(OpCodes).GetFields(BindingFlags.Public | BindingFlags.Static))
        {
            if (field.GetValue(null) is OpCode code)
            {
                (code.Size == 1 ? s_short : s_long)[code.Value & 0xFF] = code;
            }
        }
    }

    public bool IsNew => Code == OpCodes.Newobj;

    public bool IsVirtualCall => Code == OpCodes.Callvirt;

    public bool IsCall => Code == OpCodes.Call || Code == OpCodes.Callvirt || IsNew;

    /// <summary>Whether execution doesn't fall through to the next instruction.</summary>
    public bool EndsStraightLine => Code.FlowControl is FlowControl.Branch or FlowControl.Return or FlowControl.Throw;

    /// <summary>The instructions up to the first invalid one.</summary>
    public static IEnumerable<Instruction> Decode(byte[] code)
    {
        for (var at = 0; at < code.Length;)
        {
            var isLong = code[at] == Prefix && at + 1 < code.Length;
            if ((isLong ? s_long[code[at + 1]] : s_short[code[at]]) is not { } instruction)
            {
                yield break;
            }

            var operand = at + instruction.Size;
            var length = LengthOf(instruction.OperandType, code, operand);
            if (operand + length > code.Length)
            {
                yield break;
            }

            yield return new Instruction(at, instruction, Read(code.AsSpan(operand, length)));
            at = operand + length;
        }
    }

    private static int Read(ReadOnlySpan<byte> operand) => operand.Length switch
    {
        1 => operand[0],
        2 => BinaryPrimitives.ReadUInt16LittleEndian(operand),
        4 => BinaryPrimitives.ReadInt32LittleEndian(operand),
        _ => 0,
    };

    private static int LengthOf(OperandType operand, byte[] code, int at) => operand switch
    {
        OperandType.InlineNone => 0,
        OperandType.ShortInlineBrTarget or OperandType.ShortInlineI or OperandType.ShortInlineVar => 1,
        OperandType.InlineVar => 2,
        OperandType.InlineI8 or OperandType.InlineR => 8,
        OperandType.InlineSwitch when at + 4 <= code.Length =>
            4 + (4 * BinaryPrimitives.ReadInt32LittleEndian(code.AsSpan(at))),
        _ => 4,
    };
}
