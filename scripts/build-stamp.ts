import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** What a build is made of. */
const INPUTS = [
  'src/client',
  'src/shared',
  'src/server/security/style-hash.ts',
  'scripts/build.ts',
  'scripts/compress-folder.ts',
  'scripts/split-icons.ts',
  'scripts/mantine-styles.ts',
  'scripts/page-files.ts',
  'vite.config.ts',
  'package-lock.json',
]

/** Tests are not built, and the route tree is written by the build itself. */
const NOT_BUILT = /\.test\.tsx?$|routeTree\.gen\.ts$/

const STAMP = '.stamp'

/** One hash of every input's name and content. */
export function hashInputs(root: string): string {
  const hash = createHash('sha256')
  for (const file of INPUTS.flatMap((input) => filesOf(root, input))) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

export function readStamp(folder: string): string | undefined {
  const stamp = join(folder, STAMP)
  return existsSync(stamp) ? readFileSync(stamp, 'utf8') : undefined
}

export function stampPath(folder: string): string {
  return join(folder, STAMP)
}

function filesOf(root: string, input: string): string[] {
  const path = join(root, input)
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return [input]
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !NOT_BUILT.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .sort()
}
