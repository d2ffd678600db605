export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

const BYTE_ORDER_MARKS: [Encoding, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]
const SIGNATURES = ['%PDF', '\u0089PNG', 'GIF8', '\u00ff\u00d8\u00ff', '\u00d0\u00cf\u0011\u00e0', 'PK\u0003\u0004']
/** Stands where bytes were no sign. */
export const UNREADABLE = '\uFFFD'
const LOOKED_AT = 4096
const BINARY_SHARE = 0.05
const ZERO_SHARE = 0.4

/** How the text of a file is written, from its beginning and whether all of it would be UTF-8, undamaged. */
export function encodingOf(head: Uint8Array, isUtf8: boolean): Encoding {
  const marked = BYTE_ORDER_MARKS.find(([, mark]) => mark.every((byte, index) => head[index] === byte))
  return marked?.[0] ?? wideEncodingOf(head) ?? (isUtf8 || isMostlyUtf8(head) ? 'utf-8' : 'windows-1252')
}

/** Whether the bytes are no text at all: a known signature, or too many control characters. */
export function isBinary(head: Uint8Array, encoding: Encoding): boolean {
  const start = String.fromCharCode(...head.subarray(0, 4))
  if (SIGNATURES.some((signature) => start.startsWith(signature))) return true
  if (encoding.startsWith('utf-16')) return false
  const bytes = head.subarray(0, LOOKED_AT)
  return bytes.filter(isControl).length > bytes.length * BINARY_SHARE
}

/** UTF-8 stays bytes, as the parser takes them; everything else becomes text. */
export async function* decode(
  chunks: AsyncIterable<Uint8Array>,
  encoding: Encoding,
): AsyncGenerator<Uint8Array | string> {
  if (encoding === 'utf-8') return yield* chunks
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}

// A few broken signs among whole ones are damage; in Windows-1252 hardly any sign would be a whole one.
function isMostlyUtf8(head: Uint8Array): boolean {
  const signs = new TextDecoder().decode(head).match(/[\u0080-\uFFFF]/g) ?? []
  const broken = signs.filter((sign) => sign === UNREADABLE).length
  return signs.length - broken > broken
}

// Without a mark, UTF-16 shows by the zero half of its digits and separators.
function wideEncodingOf(head: Uint8Array): Encoding | undefined {
  const bytes = head.subarray(0, LOOKED_AT)
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
