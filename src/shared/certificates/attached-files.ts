/** Several times the longest certificate of a hundred records. */
const LARGEST_FILE = 64 * 1024 ** 2
const MOST_UNPACKED = 64 * 1024 ** 2
/** A certificate has one. */
const MOST_FILES = 20
const LONGEST_DICTIONARY = 2000
const MARK = '/EmbeddedFile'
/** From there to the content; `/EmbeddedFiles` lists them elsewhere. */
const TO_CONTENT = /^\/EmbeddedFile\b((?:(?!endobj).)*?>>)\s*stream\r?\n/s
const PACKED = /\/Filter\s*(?:\/FlateDecode|\[\s*\/FlateDecode\s*\])\s*[/>]/
/** Not where it is said elsewhere, as in `/Length 5 0 R`. */
const LENGTH = /\/Length\s+(\d{1,10})(?!\d|\s+\d+\s+R)/
/** Bytes that are unpacked before it is seen how many they make: up to about a thousand times as many. */
const PIECE = 16_384
/** Line ends before `endstream`, which is one of them, or none. */
const LONGEST_LINE_END = 2

/**
 * The files that are attached to a PDF, one after another. Nothing else of it is read: objects can claim to be millions, to be
 * huge once unpacked, or to be part of each other, which would keep a library for PDFs busy until the memory is full.
 */
export async function* attachedFiles(pdf: Uint8Array): AsyncGenerator<Uint8Array> {
  if (pdf.length > LARGEST_FILE) return
  const text = new TextDecoder('latin1').decode(pdf)
  const budget = { left: MOST_UNPACKED, unread: (1 + LONGEST_LINE_END) * pdf.length }
  let at = text.indexOf(MARK)
  for (let count = 0; at >= 0 && count < MOST_FILES && budget.left > 0; count += 1) {
    const found = streamAt(text, at)
    const content = found && (await contentOf(pdf, found, budget))
    if (content) yield content
    at = text.indexOf(MARK, at + MARK.length)
  }
}

interface Budget {
  /** How many bytes may still be unpacked, whether that succeeds or not. */
  left: number
  /** How many bytes may still be read for that. Streams that do not overlap cannot use it up, whichever ends are tried. */
  unread: number
}

interface Stream {
  begin: number
  /** Where it may end; the first one that can be unpacked counts. */
  ends: number[]
  isPacked: boolean
}

/** The stream whose dictionary has something at this place. Streams and their dictionaries are never packed themselves. */
function streamAt(text: string, at: number): Stream | undefined {
  const before = text.slice(Math.max(0, at - LONGEST_DICTIONARY), at)
  const [toContent, after] = TO_CONTENT.exec(text.slice(at, at + LONGEST_DICTIONARY)) ?? []
  if (toContent === undefined || after === undefined) return undefined
  const dictionary = before.slice(before.lastIndexOf('obj')) + after
  const isPacked = PACKED.test(dictionary)
  if (!isPacked && dictionary.includes('/Filter')) return undefined
  const begin = at + toContent.length
  const length = LENGTH.exec(dictionary)?.[1]
  return { begin, ends: length === undefined ? endsIn(text, begin) : [begin + Number(length)], isPacked }
}

/** Without its length, only unpacking tells whether what looks like a line end before `endstream` is the content's last byte. */
function endsIn(text: string, begin: number): number[] {
  const found = text.indexOf('endstream', begin)
  const last = found < 0 ? text.length : found
  const ends = [last]
  while (ends.length <= LONGEST_LINE_END && /[\r\n]/.test(text.charAt(last - ends.length)))
    ends.push(last - ends.length)
  return ends
}

/** undefined if it cannot be unpacked, or to more than is left. However many ends are tried, the longest try is counted. */
async function contentOf(
  pdf: Uint8Array,
  { begin, ends, isPacked }: Stream,
  budget: Budget,
): Promise<Uint8Array | undefined> {
  const most = budget.left
  let left = most
  for (const end of ends) {
    budget.left = most
    const bytes = pdf.subarray(begin, end)
    const content = isPacked ? await unpacked(bytes, budget) : taken(bytes, budget)
    left = Math.min(left, budget.left)
    budget.left = left
    if (content) return content
  }
  return undefined
}

function taken(bytes: Uint8Array, budget: Budget): Uint8Array | undefined {
  if (bytes.length > budget.left) return undefined
  budget.left -= bytes.length
  return bytes
}

async function unpacked(bytes: Uint8Array, budget: Budget): Promise<Uint8Array | undefined> {
  if (bytes.length > budget.unread) return undefined
  budget.unread -= bytes.length
  const inflate = new DecompressionStream('deflate')
  write(inflate.writable.getWriter(), bytes).catch(() => {
    // Whoever reads is told.
  })
  const reader = inflate.readable.getReader()
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      pieces.push(read.value)
      size += read.value.length
      budget.left -= read.value.length
      if (budget.left < 0) return await reader.cancel().then(() => undefined)
    }
  } catch {
    return undefined
  }
  return joined(pieces, size)
}

async function write(writer: WritableStreamDefaultWriter<BufferSource>, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; at += PIECE) await writer.write(Uint8Array.from(bytes.subarray(at, at + PIECE)))
  await writer.close()
}

function joined(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size)
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}
