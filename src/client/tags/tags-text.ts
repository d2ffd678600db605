/** Tags that a form or an address has as one text, separated by commas. */
export function tagsIn(text: string | undefined): string[] {
  return text ? text.split(',') : []
}

/** The same for people to read. */
export function tagsText(text: string): string {
  return tagsIn(text).join(', ')
}

/** Whether a field of a form has the same value, or the same tags. */
export function isSame(one: unknown, other: unknown): boolean {
  return Object.is(one, other) || (Array.isArray(one) && Array.isArray(other) && one.join(',') === other.join(','))
}
