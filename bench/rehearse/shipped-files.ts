import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What an operator copies to the machines. */
export const SHIPPED = join(import.meta.dirname, '../../deploy/patroni')

/** The variables of a file of deploy/patroni, some with other values, but for those without one. @throws for one that the file does not have */
export function shippedVariables(name: string, values: Record<string, string>): Record<string, string> {
  const lines = readFileSync(join(SHIPPED, `${name}.env.example`), 'utf8').split('\n')
  const shipped = lines.flatMap((line) => {
    const [, key = '', value = ''] = /^([A-Z0-9_]+)=(.*)$/.exec(line) ?? []
    return key ? [[key, value] as const] : []
  })
  const known = Object.fromEntries(shipped)
  const unknown = Object.keys(values).filter((key) => !(key in known))
  if (unknown.length > 0) throw new Error(`${name}.env.example does not have ${unknown.join(', ')}`)
  return Object.fromEntries(Object.entries({ ...known, ...values }).filter(([, value]) => value !== ''))
}
