import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** As much of a bundler's graph as is needed here. */
interface Graph {
  getModuleInfo: (id: string) => { importers: readonly string[] } | null
}

interface Group {
  name: (id: string, graph: Graph) => string | null
  priority: number
  debugName: string
}

/**
 * Chunks of what several server-rendered screens import, so that what they share comes in few files: one for what three
 * or more of them share, and one for each two. All else is left to the bundler. Imports that are loaded on demand do not
 * count.
 */
export function screenChunks(routes: string): Group[] {
  const screens = readdirSync(routes).filter((file) => /\bssr: true\b/.test(readFileSync(join(routes, file), 'utf8')))
  const known = new Map<string, Set<string>>()

  function screensOf(id: string, graph: Graph): Set<string> {
    const found = known.get(id)
    if (found) return found
    const result = new Set(screens.filter((file) => basename(id).startsWith(`${file}?`)))
    // Before it is complete, for imports in a circle.
    known.set(id, result)
    for (const importer of graph.getModuleInfo(id)?.importers ?? []) {
      // A package's index imports all that it has, whatever of it is used.
      if (importer.includes('node_modules')) continue
      for (const screen of screensOf(importer, graph)) result.add(screen)
    }
    return result
  }

  const shared = (chunkOf: (screens: Set<string>) => string | null, priority: number, debugName: string): Group => ({
    name: (id, graph) => chunkOf(screensOf(id, graph)),
    // A group also takes what its modules import, unless one before it has.
    priority,
    debugName,
  })
  return [
    shared(({ size }) => (size > 2 ? 'screens' : null), 2, 'shared by most screens'),
    shared((found) => (found.size === 2 ? namesOf(found) : null), 1, 'shared by two screens'),
  ]
}

function namesOf(screens: Set<string>): string {
  return [...screens]
    .map((file) => file.replace('_app.', '').replace('.tsx', ''))
    .toSorted()
    .join('-')
}

/** Matches the modules of the Mantine components whose styles every screen loads. */
export function sharedMantine(styles: string): RegExp {
  const names = [...readFileSync(styles, 'utf8').matchAll(/styles\/([A-Z]\w+)\.layer\.css/g)].map(([, name]) => name)
  return new RegExp(String.raw`@mantine[\\/]core[\\/].*[\\/](${names.join('|')})[\\/]`)
}
