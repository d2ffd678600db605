import { keepPreviousData } from '@tanstack/react-query'
import { isOpen, type ContractStatus } from '#shared/domain/contract-status.ts'
import { isDay } from '#shared/domain/day.ts'
import { noticePeriodText, parseNoticePeriod } from '#shared/domain/notice-period.ts'
import type { RenewalCycle } from '#shared/domain/renewal-cycle.ts'
import { emailsStartOver } from '#shared/domain/replanning.ts'
import type { Renews } from '#shared/domain/renews.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'
import { changedFields } from '#client/forms/changed-fields.ts'
import type { AnnouncedMail } from './mail-text.ts'
import { useShownFirst } from './use-shown-first.ts'

type Contract = Outputs['contracts']['get']

interface Planned {
  customerId: number | null
  /** As typed. */
  renewalDate: string
  status: ContractStatus
  /** null: it no longer ends. If it is left out, an ending contract goes on ending. */
  endsOn?: null
  /** What decides about other emails, as typed. What is left out stays as it is. */
  startDate?: string | undefined
  renews?: Renews | undefined
  renewalCycle?: RenewalCycle | undefined
  nextCycle?: RenewalCycle | '' | null | undefined
  noticePeriod?: string | null | undefined
  tags?: string[] | undefined
}

export interface MailAnnouncement {
  /** Whether saving may change which emails go out. */
  mayChangeMail: boolean
  /** Whether the emails can be turned off with saving: not where others go out anyway, which would be turned off as well. */
  mayBeMuted: boolean
  /** The same by the answer that `confirmShown` has waited for. */
  mayStillBeMuted: () => boolean
  mail: AnnouncedMail | undefined
  isUnknown: boolean
  error: unknown
  /** Waits for the count. False if what is said about emails has to be read first. */
  confirmShown: () => Promise<boolean>
}

/** The emails that the customer will get about a contract once it is saved as planned. */
export function useAnnouncedMail(planned: Planned, contract: Contract | undefined): MailAnnouncement {
  const { customerId, renewalDate, status, endsOn } = planned
  const terms = changedTerms(planned, contract)
  const isClosing = contract !== undefined && isOpen(contract.status) && !isOpen(status)
  // While it is pending nothing happens to it by itself.
  const hasOtherStatus = contract !== undefined && contract.renews !== 'by_agreement' && contract.status !== status
  const changesTerms = hasOtherStatus || Object.keys(terms).length > 0
  const startsOver = contract === undefined || emailsStartOver(contract, planned)
  const mayChangeMail = customerId !== null && isDay(renewalDate) && (isClosing || startsOver || changesTerms)
  const key = `${customerId} ${renewalDate} ${status} ${endsOn} ${JSON.stringify(terms)}`
  const asked = { id: contract?.id, customerId: customerId ?? 0, renewalDate, status, endsOn, ...terms }
  const utils = trpc.useUtils()
  const query = trpc.reminders.announceMail.useQuery(asked, {
    enabled: mayChangeMail,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const { isUnknown, confirmShown } = useShownFirst(query, {
    key: mayChangeMail ? key : undefined,
    isNone: ({ count }) => count === 0,
  })
  const mail = isUnknown ? undefined : query.data
  const mayMute = (known: AnnouncedMail | undefined) =>
    mayChangeMail && (!known || (known.count > 0 && !known.isAddition))
  const mayBeMuted = mayMute(mail)
  const mayStillBeMuted = () => mayMute(utils.reminders.announceMail.getData(asked))
  return { mayChangeMail, mayBeMuted, mayStillBeMuted, mail, isUnknown, error: query.error, confirmShown }
}

const NEW_TERMS = { renews: 'by_agreement', renewalCycle: 'monthly', nextCycle: null, noticePeriod: null } as const

/** What decides about notices and follow-ups, where it will not be as it was. Contracts that wait for their owners need none. */
function changedTerms(planned: Planned, contract: Contract | undefined) {
  const { startDate, renews, renewalCycle, nextCycle, noticePeriod: typed, tags } = planned
  const saved = contract ?? { ...NEW_TERMS, startDate: '', tags: [] }
  if (saved.renews === 'by_agreement' && (renews ?? saved.renews) === 'by_agreement') return {}
  return changedFields<Pick<Planned, TermName>>(saved, {
    startDate: startDate && isDay(startDate) ? startDate : undefined,
    renews,
    renewalCycle,
    nextCycle: nextCycle === '' ? null : nextCycle,
    noticePeriod: periodIn(typed),
    tags,
  })
}

type TermName = keyof typeof NEW_TERMS | 'startDate' | 'tags'

/** A notice period in its one spelling; undefined for one that cannot be read yet. */
function periodIn(typed: string | null | undefined): string | null | undefined {
  if (typed === undefined) return undefined
  const period = parseNoticePeriod(typed ?? '')
  if (period) return noticePeriodText(period)
  return typed?.trim() ? undefined : null
}
