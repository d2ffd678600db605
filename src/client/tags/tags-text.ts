/** Tags that a form or an address has as one text, separated by commas. */
export function tagsIn(text: string | undefined): string[] {
  return text ? text.split(',') : []
}

/** The same for people to read. */
export function tagsText(text: string): string {
  return tagsIn(text).join(', ')
}
