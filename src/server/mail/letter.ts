/** What a message says, written once for both its text and its HTML. */
export interface Letter {
  /** In whose name it comes. */
  sender: string
  /** A picture above that name. */
  logoUrl?: string | undefined
  parts: LetterPart[]
  /** Under the line: why somebody gets this. */
  note: string
  /** Where whoever wrote it is, under that; its line ends are kept. */
  postalAddress?: string | undefined
  /** Where they can stop it. */
  unsubscribeUrl?: string | undefined
  /** Where they can report it. */
  reportUrl?: string | undefined
}

export type LetterPart =
  /** A paragraph; its line ends are kept. */
  | { text: string }
  /** What is at stake, as label and value. */
  | { facts: Fact[] }
  /** A way into the app. */
  | { link: { label: string; url: string } }

export type Fact = [label: string, value: string]

export function letterText(letter: Letter): string {
  const { parts, note, postalAddress } = letter
  const links = footerLinks(letter).map(({ label, url }) => `${label}: ${url}`)
  const footer = ['-- ', note, ...(postalAddress ? [postalAddress] : []), ...links].join('\n')
  return [...parts.map(partText), footer].join('\n\n')
}

/** What a reader can do about the letter, in the order in which it stands under it. */
export function footerLinks({ unsubscribeUrl, reportUrl }: Letter): { label: string; url: string }[] {
  return [
    ...(unsubscribeUrl ? [{ label: 'Unsubscribe', url: unsubscribeUrl }] : []),
    ...(reportUrl ? [{ label: 'Report this message', url: reportUrl }] : []),
  ]
}

/** The text without the links by which its reader speaks: whoever sent it must not have them. */
export function keptText({ unsubscribeUrl: _stop, reportUrl: _report, ...letter }: Letter): string {
  return letterText(letter)
}

function partText(part: LetterPart): string {
  if ('text' in part) return part.text
  if ('facts' in part) return part.facts.map(([label, value]) => `${label}: ${value}`).join('\n')
  return `${part.link.label}: ${part.link.url}`
}
