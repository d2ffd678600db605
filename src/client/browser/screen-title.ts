const PRODUCT = 'TRAXX'

interface Titled {
  staticData: { title?: string }
}

/** What the browser calls the screen that these routes show, the outermost first. */
export function screenTitle(matches: Titled[]): string {
  const title = matches.findLast(({ staticData }) => staticData.title !== undefined)?.staticData.title
  return title ? `${title} · ${PRODUCT}` : PRODUCT
}
