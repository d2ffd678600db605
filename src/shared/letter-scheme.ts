const DARK = /@media \(prefers-color-scheme: dark\)/g

/** The HTML of a letter in light or dark mode, whatever the browser prefers. */
export function inColorScheme(html: string, scheme: 'light' | 'dark'): string {
  return html.replaceAll(DARK, scheme === 'dark' ? '@media all' : '@media not all')
}
