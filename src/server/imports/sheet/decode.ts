export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

const BYTE_ORDER_MARKS: [Encoding, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]
const SIGNATURES = ['%PDF', '\u0089PNG', 'GIF8', '\u00ff\u00d8\u00ff', '\u00d0\u00cf\u0011\u00e0', 'PK\u0003\u0004']
/** What a decoder puts in place of bytes that are no character. */
export const UNREADABLE = '\uFFFD'
const LOOKED_AT = 4096
const BINARY_SHARE = 0.05
const ZERO_SHARE = 0.4

/** The encoding of a text file, from its first bytes and whether all of it is valid UTF-8. */
export function encodingOf(firstBytes: Uint8Array, isUtf8: boolean): Encoding {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => firstBytes[index] === byte))
  return marked?.[0] ?? wideEncodingOf(firstBytes) ?? (isUtf8 || isMostlyUtf8(firstBytes) ? 'utf-8' : 'windows-1252')
}

/** Whether the bytes are not text: a known signature, or too many control characters. */
export function isBinary(firstBytes: Uint8Array, encoding: Encoding): boolean {
  const start = String.fromCharCode(...firstBytes.subarray(0, 4))
  if (SIGNATURES.some((signature) => start.startsWith(signature))) return true
  if (encoding.startsWith('utf-16')) return false
  const bytes = firstBytes.subarray(0, LOOKED_AT)
  return bytes.filter(isControl).length > bytes.length * BINARY_SHARE
}

/** Leaves UTF-8 as bytes, which the parser takes, and turns everything else into text. */
export async function* decode(
  chunks: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<Uint8Array | string> {
  if (encoding === 'utf-8') return yield* chunks
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

// A few broken characters among whole ones are damage; Windows-1252 read as UTF-8 has hardly any whole ones.
function isMostlyUtf8(firstBytes: Uint8Array): boolean {
  const characters = new TextDecoder().decode(firstBytes).match(/[\u0080-\uFFFF]/g) ?? []
  const broken = characters.filter((one) => one === UNREADABLE).length
  return characters.length - broken > broken
}

// Without a byte order mark, UTF-16 is recognized by the zero byte in each digit and separator.
function wideEncodingOf(firstBytes: Uint8Array): Encoding | undefined {
  const bytes = firstBytes.subarray(0, LOOKED_AT)
  const pairs = Math.floor(bytes.length / 2)
  if (pairs === 0) return undefined
  const zeros = (parity: number) => bytes.filter((byte, index) => byte === 0 && index % 2 === parity).length / pairs
  const [even, odd] = [zeros(0), zeros(1)]
  if (odd > ZERO_SHARE && even < BINARY_SHARE) return 'utf-16le'
  return even > ZERO_SHARE && odd < BINARY_SHARE ? 'utf-16be' : undefined
}

function isControl(byte: number): boolean {
  return byte < 0x09 || (byte > 0x0d && byte < 0x20)
}
