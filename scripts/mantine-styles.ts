import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const CLASS = /m_[0-9a-f]{6,8}\b/g

/**
 * The client imports the styles of the Mantine components it uses one by one (src/client/app/mantine-styles.ts). Says
 * which of them a build lacks: components whose class names are in its scripts, but whose rules are not in its styles.
 */
export async function missingStyles(built: string): Promise<string[]> {
  const used = await classesOf(built, '.js')
  const styled = await classesOf(built, '.css')
  const lacking = new Set([...used].filter((name) => !styled.has(name)))
  const core = join(dirname(createRequire(import.meta.url).resolve('@mantine/core/styles.css')), 'styles')
  const missing: string[] = []
  for (const file of (await readdir(core)).filter((name) => name.endsWith('.css') && !name.endsWith('.layer.css'))) {
    if ((await classNames(join(core, file))).some((name) => lacking.has(name))) missing.push(file)
  }
  return missing
}

async function classesOf(folder: string, extension: string): Promise<Set<string>> {
  const files = (await readdir(folder)).filter((name) => name.endsWith(extension))
  const found = await Promise.all(files.map((name) => classNames(join(folder, name))))
  return new Set(found.flat())
}

async function classNames(path: string): Promise<string[]> {
  return (await readFile(path, 'utf8')).match(CLASS) ?? []
}
