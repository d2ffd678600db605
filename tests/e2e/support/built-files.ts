import { readFileSync } from 'node:fs'

interface Built {
  file: string
  isDynamicEntry?: boolean
}

export function readBuilt<T>(file: string): T {
  return JSON.parse(readFileSync(`dist/client/${file}`, 'utf8'))
}

/** What the build made of each source. */
export const manifest = () => readBuilt<Record<string, Built>>('.vite/manifest.json')

/** Matches the address of the script that a source has become; of a route, the one of its screen. */
export function scriptOf(source: string): string {
  const [, built] = Object.entries(manifest()).find(([name]) => name === source || name.startsWith(`${source}?`)) ?? []
  if (!built) throw new Error(`The build has no ${source}`)
  return `**/${built.file}`
}
