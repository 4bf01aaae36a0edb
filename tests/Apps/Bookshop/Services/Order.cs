namespace Bookshop.Services;

public sealed record Order(string Number);
