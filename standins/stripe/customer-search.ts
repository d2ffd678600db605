import { StripeProblem } from './problem.ts'
import type { Filter } from './store.ts'

const FIELDS = new Set(['email', 'name', 'phone'])
const CLAUSE =
  /^(?<field>[a-z]+)(?:\[(?<quote>["'])(?<key>[^"']+)\k<quote>\])?\s*:\s*(?<mark>["'])(?<value>.*)\k<mark>$/

/** Reads `email:'a@b.c' AND metadata['userId']:'7'`: of Stripe's query language, what finds a customer exactly. */
export function filtersOfQuery(query: string): Filter[] {
  return query.split(/\s+AND\s+/i).map(filterOfClause)
}

function filterOfClause(clause: string): Filter {
  const { field = '', key, value = '' } = CLAUSE.exec(clause.trim())?.groups ?? {}
  if (field === 'metadata' && key !== undefined) return { path: ['metadata', key], oneOf: [value] }
  if (FIELDS.has(field) && key === undefined) return { path: [field], oneOf: [value] }
  throw new StripeProblem(400, `We were unable to parse your search query: ${clause}`, { param: 'query' })
}
