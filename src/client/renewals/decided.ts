import { daysLeft } from '#shared/domain/contract-term.ts'
import { isDay, type Day } from '#shared/domain/day.ts'
import { amountFromCents, centsFromAmount } from '#shared/domain/money.ts'
import { lastDayForNoticeOf } from '#shared/domain/notice-period.ts'
import {
  byItself,
  ending,
  obstacleToRenewal,
  renewal,
  type DoneByItself,
  type RenewableContract,
} from '#shared/domain/renewal.ts'
import { RENEWAL_CYCLES } from '#shared/domain/renewal-cycle.ts'
import type { Inputs, Outputs } from '#client/api/trpc.ts'

type Contract = Outputs['contracts']['get']

/** A contract as a renewal will make it, by the rules that the server has; as it is if they refuse it. */
export function renewed(contract: Contract, input: Inputs['contracts']['renew'], today: Day): Contract {
  const { amount, renewalCycle, renewalDate, from } = input
  const request = {
    term: contract.term,
    from: from === 'today' ? from : ('term' as const),
    amountCents: amount === undefined ? undefined : centsFromAmount(Number(amount)),
    renewalCycle: RENEWAL_CYCLES.find((cycle) => cycle === renewalCycle),
    renewalDate: renewalDate !== undefined && isDay(renewalDate) ? renewalDate : undefined,
  }
  const before = renewable(contract)
  if (obstacleToRenewal(before, request, today)) return contract
  return decided(contract, renewal(before, request, today).contract, today)
}

interface Circumstances {
  today: Day
  /** Nothing happens by itself on its renewal date. */
  isHeld: boolean
  endOverdueAfterDays: number | null
}

/** What will happen to a contract by itself, by the rules that the server has; undefined if nothing will. */
export function doneByItself(
  contract: Contract,
  { today, isHeld, endOverdueAfterDays }: Circumstances,
): DoneByItself<RenewableContract> | undefined {
  const heldRenewalDate = isHeld ? contract.renewalDate : null
  return byItself({ ...renewable(contract), heldRenewalDate }, today, endOverdueAfterDays)
}

/** A contract as ending it on a day will make it. */
export function ended(contract: Contract, on: Day, today: Day): Contract {
  return decided(contract, ending(renewable(contract), on, today), today)
}

/** A contract with what another state of it says that decisions change. */
export function undone(contract: Contract, before: Contract): Contract {
  const { status, endsOn, amount, renewalCycle, renewalDate, daysLeft, noticeDate } = before
  const { term, termStart, anchorDate, nextAmount, nextCycle } = before
  const terms = { term, termStart, anchorDate, nextAmount, nextCycle }
  return { ...contract, ...terms, status, endsOn, amount, renewalCycle, renewalDate, daysLeft, noticeDate }
}

function renewable({ amount, nextAmount, term, ...contract }: Contract): RenewableContract {
  return {
    ...contract,
    amountCents: centsFromAmount(amount),
    nextAmountCents: nextAmount === null ? null : centsFromAmount(nextAmount),
    termNumber: term,
    heldRenewalDate: null,
  }
}

function decided(contract: Contract, made: RenewableContract, today: Day): Contract {
  const { status, endsOn, renewalCycle, renewalDate, nextAmountCents, nextCycle } = made
  return {
    ...contract,
    status,
    endsOn,
    renewalCycle,
    renewalDate,
    nextCycle,
    nextAmount: nextAmountCents === null ? null : amountFromCents(nextAmountCents),
    amount: amountFromCents(made.amountCents),
    term: made.termNumber,
    termStart: made.termStart ?? contract.termStart,
    anchorDate: made.anchorDate ?? contract.anchorDate,
    noticeDate: lastDayForNoticeOf({ ...contract, renewalDate }),
    daysLeft: daysLeft(made, today),
  }
}
