import { createHash } from 'node:crypto'

/** Where the build writes the hash of the style that whole pages have inline, within the folder of the client. */
export const STYLE_HASH_FILE = '.server/style-hash.txt'

/** The source by which a page's policy allows an inline style. */
export function styleHash(style: string): string {
  return `'sha256-${createHash('sha256').update(style).digest('base64')}'`
}
