// Zero-width, direction and control characters, and what is drawn as nothing. U+2800 is an empty Braille pattern.
const UNSEEN = String.raw`[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]`
const INVISIBLE = new RegExp(UNSEEN, 'u')
const INVISIBLE_ALL = new RegExp(String.raw`(?![\t\n])${UNSEEN}`, 'gu')
const VISIBLE = /(?![\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800])[^]/u

/** Characters that change the direction of text or have no width, except joiners, which Persian words and emoji need. */
const DIRECTION_MARKS = /[\p{Bidi_Control}\u200B\u2060\uFEFF]/gu

/**
 * A dot between a possible host name, which may be emoji, and a top-level domain; also after www, if a letter or digit
 * follows.
 */
const DOT_OF_HOST =
  /(?<=[\p{L}\p{M}\p{N}\p{So}\p{Extended_Pictographic}\p{Emoji_Modifier}_-])\.(?=\p{L}[\p{L}\p{M}])|(?<=\bwww)\.(?=[\p{L}\p{N}])/giu
const SCHEME = /:\/\/+/g
/** Two backslashes begin a Windows share, which Outlook turns into a link. */
const SHARE = /\\\\+/g
const LINK = new RegExp(`${DOT_OF_HOST.source}|${SCHEME.source}|${SHARE.source}`, 'iu')
/** Browsers read it as a dot; before Chinese, Japanese and Korean text it ends a sentence. */
const OTHER_DOT =
  /\u3002(?=(?![\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}])[\p{L}\p{N}])/gu

/** Whether the text has any visible character. */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text)
}

/** Whether the text has an invisible character: control (line ends included), zero-width, or direction. */
export function hasInvisible(text: string): boolean {
  return INVISIBLE.test(text)
}

/** Whether a mail program could turn any of the text into a link: a web or email address, a domain, or a Windows share. */
export function hasLink(text: string): boolean {
  return LINK.test(asShown(text))
}

/**
 * The text without anything that could become a link; unchanged if there is nothing. The reader's own domain is allowed
 * as a word: a customer may be called Booking.com.
 */
export function withoutLinks(text: string, ownDomain?: string): string {
  if (!hasLink(text)) return text
  const pieces = ownDomain ? asShown(text).split(asWord(ownDomain)) : [asShown(text)]
  // Every second piece is that domain.
  return pieces.map((piece, index) => (index % 2 === 0 ? withBrokenLinks(piece) : piece)).join('')
}

/** The domain of an email address; undefined if there is none. */
export function domainOf(address: string | null | undefined): string | undefined {
  return /@([a-z\d-]+(?:\.[a-z\d-]+)+)$/i.exec(address ?? '')?.[1]
}

/** The text without characters that change its direction and without zero-width spaces. */
export function withoutDirectionMarks(text: string): string {
  return text.replaceAll(DIRECTION_MARKS, '')
}

/** Text on one line without invisible characters. */
export function withoutInvisible(text: string): string {
  return text
    .replaceAll(/[\t-\r\u2028\u2029]+/g, ' ')
    .replaceAll(INVISIBLE_ALL, '')
    .trim()
}

function withBrokenLinks(text: string): string {
  return text.replaceAll(SCHEME, ': ').replaceAll(SHARE, '\\ ').replaceAll(DOT_OF_HOST, '. ')
}

/** Finds the domain between spaces and punctuation, not within a longer address. */
function asWord(domain: string): RegExp {
  const before = String.raw`(?<=(?:^|\s)[("'“‘]*)`
  const after = String.raw`(?=[,;.:!?)"'”’]*(?:\s|$))`
  return new RegExp(`${before}(${domain.replaceAll('.', String.raw`\.`)})${after}`, 'giu')
}

// As browsers read an address: full-width letters and dots become plain ones, and invisible characters are dropped.
function asShown(text: string): string {
  return text.replaceAll(INVISIBLE_ALL, '').normalize('NFKC').replaceAll(OTHER_DOT, '.')
}
