using System.Collections;
using System.Data.Common;

namespace AsyncProbe.Tests.Blocking.Alternatives;

/// <summary>As in older providers: all asynchronous methods are the base class's.</summary>
internal sealed class SynchronousReader : DbDataReader
{
    public override int Depth => 0;

    public override int FieldCount => 0;

    public override bool HasRows => false;

    public override bool IsClosed => true;

    public override int RecordsAffected => 0;

    public override object this[int ordinal] => throw new NotSupportedException();

    public override object this[string name] => throw new NotSupportedException();

    public override bool Read() => false;

    public override bool NextResult() => false;

    public override bool GetBoolean(int ordinal) => throw new NotSupportedException();

    public override byte GetByte(int ordinal) => throw new NotSupportedException();

    public override long GetBytes(int ordinal, long dataOffset, byte[]? buffer, int bufferOffset, int length) =>
        throw new NotSupportedException();

    public override char GetChar(int ordinal) => throw new NotSupportedException();

    public override long GetChars(int ordinal, long dataOffset, char[]? buffer, int bufferOffset, int length) =>
        throw new NotSupportedException();

    public override string GetDataTypeName(int ordinal) => throw new NotSupportedException();

    public override DateTime GetDateTime(int ordinal) => throw new NotSupportedException();

    public override decimal GetDecimal(int ordinal) => throw new NotSupportedException();

    public override double GetDouble(int ordinal) => throw new NotSupportedException();

    public override IEnumerator GetEnumerator() => throw new NotSupportedException();

    public override Type GetFieldType(int ordinal) => throw new NotSupportedException();

    public override float GetFloat(int ordinal) => throw new NotSupportedException();

    public override Guid GetGuid(int ordinal) => throw new NotSupportedException();

    public override short GetInt16(int ordinal) => throw new NotSupportedException();

    public override int GetInt32(int ordinal) => throw new NotSupportedException();

    public override long GetInt64(int ordinal) => throw new NotSupportedException();

    public override string GetName(int ordinal) => throw new NotSupportedException();

    public override int GetOrdinal(string name) => throw new NotSupportedException();

    public override string GetString(int ordinal) => throw new NotSupportedException();

    public override object GetValue(int ordinal) => throw new NotSupportedException();

    public override int GetValues(object[] values) => throw new NotSupportedException();

    public override bool IsDBNull(int ordinal) => throw new NotSupportedException();
}
