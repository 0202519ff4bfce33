"""Reads an event file of TensorBoard, checksums too, and prints step, tag and value a line."""
import struct
import sys


def crc32c(data):
    code = 0xFFFFFFFF
    for byte in data:
        code ^= byte
        for _ in range(8):
            code = code >> 1 ^ (0x82F63B78 if code & 1 else 0)
    return code ^ 0xFFFFFFFF


def unmasked(stored):
    rotated = (stored - 0xA282EAD8) & 0xFFFFFFFF
    return (rotated >> 17 | rotated << 15) & 0xFFFFFFFF


def fields(message):
    at = 0

    def varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = message[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(message):
        key = varint()
        kind = key & 7
        size = {1: 8, 5: 4}.get(kind)
        if kind == 0:
            yield key >> 3, varint()
            continue
        size = varint() if kind == 2 else size
        yield key >> 3, message[at:at + size]
        at += size


assert crc32c(b"123456789") == 0xE3069283
data = open(sys.argv[1], "rb").read()
while data:
    (length,), (check,) = struct.unpack("<Q", data[:8]), struct.unpack("<I", data[8:12])
    assert unmasked(check) == crc32c(data[:8])
    message, (check,) = data[12:12 + length], struct.unpack("<I", data[12 + length:16 + length])
    assert unmasked(check) == crc32c(message)
    data = data[16 + length:]
    event = dict(fields(message))
    print("time", struct.unpack("<d", event[1])[0])
    if 3 in event:
        print("version", event[3].decode())
    for number, value in fields(event.get(5, b"")):
        scalar = dict(fields(value))
        print(event[2], scalar[1].decode(), struct.unpack("<f", scalar[2])[0])
