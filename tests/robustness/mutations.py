"""Ways to damage a text, a mesh file or a command line, each decided by a random.Random alone."""

import re
import struct

# Numbers where something overflows, underflows, is none, or is of another kind.
VALUES = ["0", "-1", "1e-300", "1e200", "-1e155", "1e308", "1e400", ".nan", "-.inf", "nan", "1/0", "sqrt(-1)", "0/0", "2147483648",
          "-9223372036854775809", "1e19", "0.5", "1e-9", "''", "~", "[]", "{}", "[[]]", "[1, 2]", "{a: 1}", "true", "x", "t", "pi", "i",
          "sensor.x.y", "control.law.wanted", "1..3", "3..1", "1..1e18", "(" * 300, "-" * 300 + "1", "1" * 400, "2^2^2^2^2^9", "\"{i}\"",
          "*a", "&a 1", "!!binary x", "|", "? x", "ground", "\"\\u0000\"", "\u00e9\u6f22", "9" * 30, "0x1f", "1_000", "if(t>0, 1, 2)"]
TOKEN = re.compile(r"[A-Za-z_][\w-]*|[\d.]+(?:e[+-]?\d+)?|\s+|.", re.S)
NUMBER = re.compile(r"(?<![\w.])-?\d+\.?\d*(?:e[+-]?\d+)?(?![\w.])")
INT32 = [0, -1, 1, 2, 0x7fffffff, -0x80000000, 0x01000000, 255, 15, 92]
INT64 = [0, -1, 1, 2**31, 2**62, -2**63, 2**63 - 1, 10**12]
REALS = [float("nan"), float("inf"), 1e308, 1e200, -1e155, 1e-300, -1.0, 0.0]


def tokens(text, random):
    parts = TOKEN.findall(text)
    words = [k for k, part in enumerate(parts) if not part.isspace()]
    for _ in range(random.choice([1, 1, 1, 2, 4])):
        k, other = random.choice(words), random.choice(words)
        action = random.randrange(4)
        if action == 0:
            parts[k] = ""
        elif action == 1:
            parts[k] += parts[k]
        elif action == 2:
            parts[k], parts[other] = parts[other], parts[k]
        else:
            parts[k] = parts[other]
    return "".join(parts)


def lines(text, random):
    rows = text.split("\n")
    for _ in range(random.choice([1, 1, 2])):
        k, other = random.randrange(len(rows)), random.randrange(len(rows))
        action = random.randrange(6)
        if action == 0:
            rows[k] = ""
        elif action == 1:
            rows.insert(other, rows[k])
        elif action == 2:
            rows[k], rows[other] = rows[other], rows[k]
        elif action == 3:
            rows[k] = random.choice(["  ", " ", "\t", "- ", "# "]) + rows[k]
        elif action == 4:
            rows[k] = rows[k].lstrip()
        else:
            rows[k] = rows[k][: random.randrange(len(rows[k]) + 1)]
    return "\n".join(rows)


def values(text, random):
    found = list(NUMBER.finditer(text))
    for _ in range(random.choice([1, 1, 2])):
        at = random.choice(found)
        text = text[: at.start()] + random.choice(VALUES) + text[at.end():]
        found = list(NUMBER.finditer(text))
        if not found:
            break
    return text


def entries(text, random):
    """Replaces what stands behind a colon."""
    places = list(re.finditer(r": ?([^,{}\n\[\]]+)", text))
    at = random.choice(places)
    return text[: at.start(1)] + random.choice(VALUES + [p.group(1) for p in places]) + text[at.end(1):]


def characters(data, random):
    data = bytearray(data)
    for _ in range(random.choice([1, 1, 2, 8])):
        k = random.randrange(len(data))
        action = random.randrange(6)
        if action == 0:
            data[k] ^= 1 << random.randrange(8)
        elif action == 1:
            data[k] = random.randrange(256)
        elif action == 2:
            del data[k: k + random.choice([1, 1, 4, 50])]
        elif action == 3:
            data[k:k] = bytes(random.choice([b"\xff", b"\x00", b"\t", b"\xe9", b"\n", b"{", b"]", b"\xef\xbb\xbf", b"\r\n", b"-1 ", b"9" * 20]))
        elif action == 4:
            data[k:k] = data[k: k + random.choice([1, 8, 100])]
        else:
            del data[k:]
        if not data:
            return b" "
    return bytes(data)


def words_of_machine(data, random):
    """Overwrites numbers of a binary file."""
    data = bytearray(data)
    for _ in range(random.choice([1, 1, 3])):
        form, choices = random.choice([("<i", INT32), ("<q", INT64), ("<d", REALS)])
        k = random.randrange(max(1, len(data) - 8))
        word = struct.pack(form, random.choice(choices))
        data[k: k + len(word)] = word
    return bytes(data)


def mesh_text(data, random):
    """Mutations of a mesh that is text: numbers of a file are more often wrong than its words."""
    text = data.decode()
    mutation = random.choice([tokens, lines, values, values])
    return mutation(text, random).encode(errors="replace")


def model_text(text, random):
    if random.random() < 0.25:
        return characters(text.encode(), random)
    mutation = random.choice([tokens, lines, values, values, entries])
    return mutation(text, random).encode(errors="replace")


def mesh_bytes(data, binary, random):
    if binary:
        return random.choice([words_of_machine, words_of_machine, characters])(data, random)
    return random.choice([mesh_text, mesh_text, characters])(data, random)
