const DARK = /@media \(prefers-color-scheme: dark\)/g

/** The HTML of a letter as it looks by day or in the dark, whatever the window that shows it prefers. */
export function inColorScheme(html: string, scheme: 'light' | 'dark'): string {
  return html.replaceAll(DARK, scheme === 'dark' ? '@media all' : '@media not all')
}
