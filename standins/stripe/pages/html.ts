/** Markup that is safe to show. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | number | null | false | readonly Part[]

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])

/** Markup whose every inserted text is escaped. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((string, place) => string + textOf(parts[place] ?? null)).join(''))
}

function textOf(part: Part): string {
  if (part === null || part === false) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(textOf).join('')
  return String(part).replaceAll(/[&<>"']/g, (letter) => ENTITIES.get(letter) ?? letter)
}
