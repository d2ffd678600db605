import { hashKey } from '@tanstack/react-query'
import type { Inputs } from '#client/api/trpc.ts'
import { lenientSearch } from '#client/list/lenient-search.ts'
import { filterOf } from '#client/list/list-position.ts'
import { ContractsSearch } from './contracts-search.ts'

const { validate } = lenientSearch(ContractsSearch)['~standard']

/** The address that a view leads to: what it has and this version does not know is left out. */
export function searchOfView(search: Record<string, unknown>): ContractsSearch {
  return validate(search).value
}

/** What a view keeps of an address. */
export function viewOf(search: ContractsSearch): Inputs['views']['save']['search'] {
  return { ...filterOf(search), columns: search.columns }
}

/** Whether the address shows exactly this view, on whatever page. */
export function isShown(view: Record<string, unknown>, search: ContractsSearch): boolean {
  return hashKey([viewOf(searchOfView(view))]) === hashKey([viewOf(search)])
}
