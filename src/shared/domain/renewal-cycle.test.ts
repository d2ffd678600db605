import { fc, test } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import { addMonths, daysBetween, endOfMonth, monthsBetween, toDay } from './day.ts'
import {
  comingRenewal,
  firstRenewal,
  monthsOf,
  nextRenewal,
  RENEWAL_CYCLES,
  type RenewalCycle,
} from './renewal-cycle.ts'

const anyDay = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => toDay(date.toISOString().slice(0, 10)))
const anyCycle = fc.constantFrom(...RENEWAL_CYCLES)
const anyCycles = fc.integer({ min: 1, max: 12 })

function renewing(startDate: string, renewalDate: string, renewalCycle: RenewalCycle) {
  return { startDate: toDay(startDate), renewalDate: toDay(renewalDate), renewalCycle }
}

/** The renewal dates that follow each other when a contract is renewed again and again. */
function renewals(startDate: string, renewalDate: string, cycle: RenewalCycle): string[] {
  const dates = [toDay(renewalDate)]
  for (let last = dates[0]; last && dates.length < 5; last = dates.at(-1)) {
    dates.push(nextRenewal(renewing(startDate, last, cycle)))
  }
  return dates.slice(1)
}

test('a cycle is 1, 3 or 12 months', () => {
  expect(RENEWAL_CYCLES.map(monthsOf)).toEqual([1, 3, 12])
})

describe('the first renewal', () => {
  test.each([
    ['2026-01-31', 'monthly', '2026-02-28'],
    ['2026-11-21', 'monthly', '2026-12-21'],
    ['2026-11-30', 'quarterly', '2027-02-28'],
    ['2026-11-21', 'yearly', '2027-11-21'],
    ['2024-02-29', 'yearly', '2025-02-28'],
  ] as const)('of a contract from %s, %s, is on %s', (start, cycle, expected) => {
    expect(firstRenewal(toDay(start), cycle)).toBe(expected)
  })
})

describe('the renewal date that is offered', () => {
  test.each([
    ['2026-01-15', 'monthly', '2026-11-22', '2026-12-15'],
    ['2026-01-22', 'monthly', '2026-11-22', '2026-11-22'],
    ['2026-01-31', 'monthly', '2027-02-10', '2027-02-28'],
    ['2026-01-31', 'monthly', '2027-02-28', '2027-02-28'],
    ['2026-01-31', 'monthly', '2027-03-01', '2027-03-31'],
    ['2025-11-30', 'quarterly', '2026-03-01', '2026-05-30'],
    ['2020-02-29', 'yearly', '2026-11-22', '2027-02-28'],
    ['2026-11-22', 'yearly', '2026-11-22', '2027-11-22'],
    ['2030-05-05', 'monthly', '2026-11-22', '2030-06-05'],
  ] as const)('of a contract from %s, %s, offered on %s, is %s', (start, cycle, today, expected) => {
    expect(comingRenewal(toDay(start), cycle, toDay(today))).toBe(expected)
  })

  test.prop([anyDay, anyCycle, anyDay])(
    'is never past, whole cycles after the start, and the first such day',
    (start, cycle, today) => {
      const offered = comingRenewal(start, cycle, today)
      const cycles = monthsBetween(start, offered) / monthsOf(cycle)
      expect(offered >= today).toBe(true)
      expect(Number.isInteger(cycles) && cycles >= 1).toBe(true)
      expect(offered).toBe(addMonths(start, cycles * monthsOf(cycle)))
      if (cycles > 1) expect(addMonths(start, (cycles - 1) * monthsOf(cycle)) < today).toBe(true)
    },
  )
})

describe('renewing keeps the anchor day', () => {
  test('monthly from 31 January gives 28 February, 31 March, 30 April', () => {
    expect(renewals('2026-01-31', '2026-01-31', 'monthly')).toEqual([
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
    ])
  })

  test('monthly from 31 January gives 29 February in a leap year', () => {
    expect(renewals('2028-01-31', '2028-01-31', 'monthly').slice(0, 2)).toEqual(['2028-02-29', '2028-03-31'])
  })

  test('a 30th stays a 30th after February and is not taken for the end of the month', () => {
    expect(renewals('2026-01-30', '2026-01-30', 'monthly')).toEqual([
      '2026-02-28',
      '2026-03-30',
      '2026-04-30',
      '2026-05-30',
    ])
  })

  test('quarterly from 30 November passes February', () => {
    expect(renewals('2026-11-30', '2026-11-30', 'quarterly')).toEqual([
      '2027-02-28',
      '2027-05-30',
      '2027-08-30',
      '2027-11-30',
    ])
  })

  test('yearly from 29 February comes back to it in the next leap year', () => {
    expect(renewals('2024-02-29', '2024-02-29', 'yearly')).toEqual([
      '2025-02-28',
      '2026-02-28',
      '2027-02-28',
      '2028-02-29',
    ])
  })

  test('a 28 February that was the start stays a 28th', () => {
    expect(renewals('2026-02-28', '2026-02-28', 'monthly').slice(0, 2)).toEqual(['2026-03-28', '2026-04-28'])
  })

  test('several cycles at once move it as far', () => {
    expect(nextRenewal(renewing('2026-01-31', '2026-02-28', 'monthly'), 2)).toBe('2026-04-30')
    expect(nextRenewal(renewing('2026-01-31', '2026-01-31', 'quarterly'), 3)).toBe('2026-10-31')
    expect(nextRenewal(renewing('2026-01-15', '2027-01-15', 'yearly'), 12)).toBe('2039-01-15')
  })

  test('it does so in a month that the cycle alone would not reach, as after a change of the cycle', () => {
    expect(nextRenewal(renewing('2026-01-31', '2026-02-28', 'quarterly'))).toBe('2026-05-31')
    expect(nextRenewal(renewing('2026-01-30', '2026-02-28', 'yearly'))).toBe('2027-02-28')
    expect(nextRenewal(renewing('2026-01-30', '2027-02-28', 'monthly'))).toBe('2027-03-30')
  })

  test.prop([anyDay, anyCycle, anyCycles, anyCycles])(
    'every renewal since the start lies whole cycles after the start',
    (startDate, renewalCycle, before, cycles) => {
      const renewalDate = addMonths(startDate, before * monthsOf(renewalCycle))
      const expected = addMonths(startDate, (before + cycles) * monthsOf(renewalCycle))
      expect(nextRenewal({ startDate, renewalDate, renewalCycle }, cycles)).toBe(expected)
    },
  )

  test.prop([anyDay, anyCycle, anyCycles])(
    'renewing one by one ends where renewing at once does',
    (startDate, renewalCycle, cycles) => {
      let renewalDate = firstRenewal(startDate, renewalCycle)
      const atOnce = nextRenewal({ startDate, renewalDate, renewalCycle }, cycles)
      for (let done = 0; done < cycles; done += 1) renewalDate = nextRenewal({ startDate, renewalDate, renewalCycle })
      expect(renewalDate).toBe(atOnce)
    },
  )
})

describe('renewing a contract whose renewal date was agreed on another day', () => {
  test('keeps the day that was agreed', () => {
    expect(renewals('2026-01-15', '2026-03-20', 'monthly').slice(0, 2)).toEqual(['2026-04-20', '2026-05-20'])
    expect(nextRenewal(renewing('2026-01-15', '2026-03-20', 'quarterly'), 2)).toBe('2026-09-20')
  })

  test('does not cut the term short: a contract that ends with the year is renewed to the end of the next', () => {
    expect(nextRenewal(renewing('2026-01-15', '2026-12-31', 'yearly'))).toBe('2027-12-31')
  })

  test('keeps the last day of the month', () => {
    expect(renewals('2026-01-01', '2026-01-31', 'monthly')).toEqual([
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
    ])
    expect(renewals('2026-01-15', '2026-03-31', 'quarterly').slice(0, 3)).toEqual([
      '2026-06-30',
      '2026-09-30',
      '2026-12-31',
    ])
    expect(renewals('2023-03-01', '2027-02-28', 'yearly').slice(0, 2)).toEqual(['2028-02-29', '2029-02-28'])
  })

  test('keeps the day before the start day as the last of a term', () => {
    expect(renewals('2026-01-15', '2026-02-14', 'monthly').slice(0, 2)).toEqual(['2026-03-14', '2026-04-14'])
  })

  test('takes the last day of a month where the agreed one is missing', () => {
    expect(nextRenewal(renewing('2026-01-15', '2026-01-30', 'monthly'))).toBe('2026-02-28')
  })

  test.prop([anyDay, anyDay, anyCycle, anyCycles])(
    'whatever the two dates, the term is as many months and never more than three days off',
    (startDate, renewalDate, renewalCycle, cycles) => {
      const next = nextRenewal({ startDate, renewalDate, renewalCycle }, cycles)
      const plain = addMonths(renewalDate, cycles * monthsOf(renewalCycle))
      expect(next > renewalDate).toBe(true)
      expect(daysBetween(plain, next)).toBeGreaterThanOrEqual(0)
      expect(daysBetween(plain, next)).toBeLessThanOrEqual(3)
      expect(next <= endOfMonth(plain)).toBe(true)
    },
  )
})
