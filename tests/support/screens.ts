import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const ROUTES = join(import.meta.dirname, '../../src/client/routes')

/**
 * The screens that take a session and a subscription, by their path, with the heading of each: empty for the page of a
 * record, which is headed by the record.
 */
export const PROTECTED: Record<string, string> = Object.fromEntries(
  readdirSync(ROUTES).flatMap((file) => {
    const route = readFileSync(join(ROUTES, file), 'utf8')
    const id = /createFileRoute\('\/_app(\/[^']+)'\)/.exec(route)?.[1]
    const title = /title: '([^']+)'/.exec(route)?.[1]
    return id && title ? [[pathOf(id), id.includes('$') ? '' : title] as const] : []
  }),
)

/** Without layouts, which begin with an underscore, and the mark of a route that leaves one. */
function pathOf(id: string): string {
  const parts = id.split('/').filter((part) => !part.startsWith('_'))
  return parts.map((part) => part.replace(/_$/, '').replace('$id', '1')).join('/')
}
