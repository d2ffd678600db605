import { Link } from '@tanstack/react-router'
import type { HTMLAttributes } from 'react'
import { EXPIRING_WITHIN_DAYS, NOTICE_WITHIN_DAYS } from '#shared/domain/contract-term.ts'
import type { ContractFilter } from '#shared/schemas/filters.ts'
import type { RenderLink } from '#client/ui/cards/stat-card.tsx'

/** What a figure counts: the customers, or the contracts of a filter. */
export type Counted = 'customers' | Partial<Omit<ContractFilter, 'sort' | 'direction'>>

export const OVERDUE = { overdue: true } satisfies Counted
export const NOTICE_DUE = { noticeWithin: NOTICE_WITHIN_DAYS } satisfies Counted
export const EXPIRING = { renewsWithin: EXPIRING_WITHIN_DAYS } satisfies Counted

interface CountedLinkProps extends HTMLAttributes<HTMLAnchorElement> {
  counted: Counted
}

/** A link to the list of exactly what is counted. */
export function CountedLink({ counted, ...props }: CountedLinkProps) {
  if (counted === 'customers') return <Link to="/customers" {...props} />
  return <Link to="/contracts" search={counted} {...props} />
}

export function linkTo(counted: Counted): RenderLink {
  return (props) => <CountedLink counted={counted} {...props} />
}
