const PRODUCT = 'TRAXX'

interface Titled {
  staticData: { title?: string }
}

/** The browser's title for these matched routes, the outermost first. */
export function screenTitle(matches: Titled[]): string {
  const title = matches.findLast(({ staticData }) => staticData.title !== undefined)?.staticData.title
  return title ? `${title} · ${PRODUCT}` : PRODUCT
}
