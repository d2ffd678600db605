/** An email's content, from which both its text and its HTML are made. */
export interface Letter {
  /** The sender's name. */
  sender: string
  /** A picture above that name. */
  logoUrl?: string | undefined
  parts: LetterPart[]
  /** In the footer: why the reader gets this. */
  note: string
  /** The sender's postal address, below the note; line breaks are kept. */
  postalAddress?: string | undefined
  /** Where the reader can unsubscribe. */
  unsubscribeUrl?: string | undefined
  /** Where the reader can report the message. */
  reportUrl?: string | undefined
}

export type LetterPart =
  /** A paragraph; line breaks are kept. */
  | { text: string }
  /** Details, as labels and values. */
  | { facts: Fact[] }
  /** A button that opens the app. */
  | { link: { label: string; url: string } }
  /** The same for a link that only the reader may have. */
  | { secretLink: { label: string; url: string } }

export type Fact = [label: string, value: string]

export function letterText(letter: Letter): string {
  const { parts, note, postalAddress } = letter
  const links = footerLinks(letter).map(({ label, url }) => `${label}: ${url}`)
  const footer = ['-- ', note, ...(postalAddress ? [postalAddress] : []), ...links].join('\n')
  return [...parts.map(partText), footer].join('\n\n')
}

/** The links below a letter, in order. */
export function footerLinks({ unsubscribeUrl, reportUrl }: Letter): { label: string; url: string }[] {
  return [
    ...(unsubscribeUrl ? [{ label: 'Unsubscribe', url: unsubscribeUrl }] : []),
    ...(reportUrl ? [{ label: 'Report this message', url: reportUrl }] : []),
  ]
}

/** The text without the reader's own links, which the sender must not see. */
export function keptText({ unsubscribeUrl: _stop, reportUrl: _report, parts, ...letter }: Letter): string {
  return letterText({ ...letter, parts: parts.map(masked) })
}

function masked(part: LetterPart): LetterPart {
  return 'secretLink' in part ? { text: `${part.secretLink.label}: (a link that only the reader has)` } : part
}

export function partText(part: LetterPart): string {
  if ('text' in part) return part.text
  if ('facts' in part) return part.facts.map(([label, value]) => `${label}: ${value}`).join('\n')
  const { label, url } = buttonOf(part)
  return `${label}: ${url}`
}

/** The button of a part that is one. */
export function buttonOf(part: Extract<LetterPart, { link: object } | { secretLink: object }>) {
  return 'link' in part ? part.link : part.secretLink
}
