import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import type { ContractStatus } from '#shared/domain/contract-status.ts'
import { isDay } from '#shared/domain/day.ts'
import { trpc, type Outputs } from '#client/api/trpc.ts'

export type AnnouncedMail = Outputs['reminders']['announceMail']

type Contract = Outputs['contracts']['get']

interface Planned {
  customerId: number | null
  /** As typed. */
  renewalDate: string
  status: ContractStatus
  /** null: it no longer ends. If it is left out, an ending contract goes on ending. */
  endsOn?: null
}

/** How long saving waits for the count. */
const LONGEST_WAIT_MS = 5000

export interface MailAnnouncement {
  /** Whether saving may change which emails go out. */
  mayChangeMail: boolean
  mail: AnnouncedMail | undefined
  isUnknown: boolean
  error: unknown
  /** Waits for the count. False if emails will go out that were not shown yet. */
  confirmShown: () => Promise<boolean>
}

/** The emails that the customer will get about a contract once it is saved as planned. */
export function useAnnouncedMail(planned: Planned, contract: Contract | undefined): MailAnnouncement {
  const { customerId, renewalDate, status, endsOn } = planned
  const mayChangeMail = customerId !== null && isDay(renewalDate) && isChanged(planned, contract)
  const key = `${customerId} ${renewalDate} ${status} ${endsOn}`
  const [unknown, setUnknown] = useState<string>()
  const query = trpc.reminders.announceMail.useQuery(
    { id: contract?.id, customerId: customerId ?? 0, renewalDate, status, endsOn },
    { enabled: mayChangeMail, placeholderData: keepPreviousData, gcTime: 0 },
  )
  const isKnown = query.isError || (query.isSuccess && !query.isPlaceholderData)
  const isUnknown = !isKnown && unknown === key
  const confirmShown = async () => {
    if (!mayChangeMail || isKnown || isUnknown) return true
    const response = await Promise.race([query.refetch({ cancelRefetch: false }), timeout()])
    if (!response) setUnknown(key)
    return response?.data?.count === 0
  }
  const mail = isUnknown ? undefined : query.data
  return { mayChangeMail, mail, isUnknown, error: query.error, confirmShown }
}

function isChanged({ customerId, renewalDate, status, endsOn }: Planned, contract: Contract | undefined): boolean {
  if (!contract) return true
  if (endsOn === null && contract.endsOn !== null) return true
  return customerId !== contract.customerId || renewalDate !== contract.renewalDate || status !== contract.status
}

function timeout(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))
}
