const HEX = new Uint8Array(512);
for (let i = 0; i < 256; i++) {
  const text = i.toString(16).padStart(2, "0");
  HEX[2 * i] = text.charCodeAt(0);
  HEX[2 * i + 1] = text.charCodeAt(1);
}

/** Writes the 36 characters of a UUID. */
export function writeUuid(bytes: Uint8Array, at: number, out: Uint8Array, to: number): void {
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) out[to++] = 45;
    const byte = bytes[at + i]!;
    out[to++] = HEX[2 * byte]!;
    out[to++] = HEX[2 * byte + 1]!;
  }
}

/** The 16 bytes of a UUID in lower case. */
export function parseUuid(text: string): Uint8Array | undefined {
  if (!/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text)) return undefined;
  const digits = text.replaceAll("-", "");
  return Uint8Array.from({ length: 16 }, (_, i) => parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}

/** Standard base64 with padding. */
export function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x2000) text += String.fromCharCode(...bytes.subarray(i, i + 0x2000));
  return btoa(text);
}

/** Engines of 2025 and later have it. */
const native = Uint8Array as { fromBase64?: (text: string) => Uint8Array<ArrayBuffer> };

/** The bytes of standard base64 with padding. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined;
  if (native.fromBase64) return native.fromBase64(text);
  const units = atob(text);
  const bytes = new Uint8Array(units.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = units.charCodeAt(i);
  return bytes;
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of UTF-8 bytes; undefined if they are none. */
export function decodeText(bytes: Uint8Array): string | undefined {
  // A strict decoder takes longer: it is asked where there is a character that stands for what is wrong.
  const text = utf8.decode(bytes);
  if (!text.includes("\ufffd")) return text;
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

export const encoder = new TextEncoder();
