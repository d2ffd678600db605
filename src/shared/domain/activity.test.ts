import { describe, expect, test } from 'vitest'
import { actionOf, type ActivityAction, type FieldChange } from './activity.ts'

const change = (field: string, before: FieldChange['before'], after: FieldChange['after']) => ({ field, before, after })

describe('what happened to a contract', () => {
  test.each<[ActivityAction, FieldChange[]]>([
    ['changed', [change('amount', 100, 120)]],
    ['changed', [change('status', 'pending', 'active')]],
    ['changed', [change('status', 'cancelled', 'expired')]],
    ['renewed', [change('term', 1, 2), change('renewalDate', '2026-04-01', '2027-04-01'), change('amount', 100, 120)]],
    ['renewal_undone', [change('term', 2, 1), change('renewalDate', '2027-04-01', '2026-04-01')]],
    ['ended', [change('status', 'active', 'cancelled'), change('endsOn', null, '2026-03-10')]],
    ['ended', [change('endsOn', null, '2026-04-01')]],
    ['expired', [change('status', 'active', 'expired')]],
    ['reopened', [change('status', 'cancelled', 'active'), change('endsOn', '2026-03-10', null)]],
    ['reopened', [change('endsOn', '2026-04-01', null)]],
    ['renewed', [change('term', 1, 2), change('status', 'expired', 'active')]],
  ])('is %s', (action, changes) => {
    expect(actionOf(changes)).toBe(action)
  })
})
