const DARK = /@media \(prefers-color-scheme: dark\)/g

/** A letter's HTML in light or dark mode, regardless of the browser's preference. */
export function inColorScheme(html: string, scheme: 'light' | 'dark'): string {
  return html.replaceAll(DARK, scheme === 'dark' ? '@media all' : '@media not all')
}
