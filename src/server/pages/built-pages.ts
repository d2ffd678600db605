import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { STYLE_HASH_FILE } from '#server/security/style-hash.ts'
import { StartError } from '#server/start-error.ts'
import { builtScreens, type Screens } from './screens.ts'

/** The placeholder in built pages for the nonce of each response. */
export const NONCE = '__CSP_NONCE__'

export const HTML = 'text/html; charset=utf-8'

/** Rendered by the build, once for visitors and once for people who are signed in. */
type WholePage = 'landing' | 'help' | 'privacy' | 'terms' | 'contact'

/** `index.html` is the app's shell, the same for every screen. */
export type PageFile =
  | 'index.html'
  | `${WholePage}.html`
  | `${WholePage}-member.html`
  | 'account-deleted.html'
  | 'robots.txt'
  | 'sitemap.xml'

/** Where pages come from: built files, or Vite while developing. */
export interface Pages {
  text(file: PageFile, url: string): Promise<string>
  /** The folder of built assets; undefined where Vite serves them. */
  folder: string | undefined
  /** The hash of the style that whole pages have inline; undefined where any style is allowed. */
  styleHash?: string
  /** Undefined where screens are rendered in the browser alone. */
  screens?: Screens
}

/** @throws StartError before the client was built. */
export function builtPages(folder: string): Pages {
  if (!existsSync(join(folder, STYLE_HASH_FILE))) throw new StartError('The client is not built. Run npm run build')
  const files = new Map<PageFile, Promise<string>>()
  return {
    folder,
    styleHash: readFileSync(join(folder, STYLE_HASH_FILE), 'utf8'),
    screens: builtScreens(folder),
    text(file) {
      const text = files.get(file) ?? readFile(join(folder, file), 'utf8')
      files.set(file, text)
      // One that could not be read now may be readable at the next request.
      text.catch(() => files.delete(file))
      return text
    },
  }
}
