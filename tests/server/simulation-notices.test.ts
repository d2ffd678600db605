import { describe, expect, test } from 'vitest'
import { NOW, aSimulatedContract } from '#support/simulated-contract.ts'
import { noteLinks } from '#support/simulation/answer-links.ts'
import { effectOf, isLinkOver, offerOf } from '#support/simulation/answer-rules.ts'
import { expectedOf } from '#support/simulation/expectation.ts'
import { importedBy } from '#support/simulation/import-rules.ts'
import { judgeSending, noteRows } from '#support/simulation/ledger-watch.ts'
import type { ModelAnswer, ModelContract, ModelLink, ModelRule, Row } from '#support/simulation/model.ts'
import { judgeNoticesSent } from '#support/simulation/notice-mails.ts'
import { ruleFor, windowKey, windowOf } from '#support/simulation/notice-rules.ts'
import { recordWindows } from '#support/simulation/notice-record.ts'
import { isWarned, judgeMissed, judgeUnwarned } from '#support/simulation/notice-warnings.ts'
import { useWorld } from '#support/world.ts'

const world = useWorld()
const TODAY = '2027-03-10'
const RULE: ModelRule = {
  id: 1,
  isOfLaw: false,
  unit: 'days',
  from: 10,
  until: 5,
  countedFrom: 'renewal_date',
  means: ['email', 'letter'],
  exceptMonthly: false,
  asksDelivery: false,
}

/** A contract that renews automatically on March 17, with a rule about notices. */
async function aNoticed(rule: Partial<ModelRule> = {}, changes: Partial<ModelContract> = {}) {
  const simulated = await aSimulatedContract(world)
  const { contract } = simulated
  contract.account.rules = [{ ...RULE, ...rule }]
  contract.account.choices.set('account', 1)
  Object.assign(contract, { renews: 'automatic', ...changes })
  const notice = (one: Partial<Row> = {}) => simulated.row({ kind: 'notice', day: TODAY, offset: 7, ...one })
  return { ...simulated, notice }
}

function deleteForGood(contract: ModelContract): void {
  contract.deletion = { at: NOW, skipped: [], isForGood: true }
}

describe('a window', () => {
  test.each<[Partial<ModelRule>, Partial<ModelContract>, [string, string] | undefined]>([
    [{}, {}, ['2027-03-07', '2027-03-12']],
    [{ unit: 'months', from: 1, until: 1 }, { renewalDate: '2027-03-31' }, ['2027-02-28', '2027-02-28']],
    [{ countedFrom: 'last_day_for_notice', until: 0 }, { noticePeriod: '3 days' }, ['2027-03-04', '2027-03-14']],
    [{ countedFrom: 'last_day_for_notice' }, {}, undefined],
    [{ exceptMonthly: true }, {}, undefined],
    [{}, { renews: 'by_agreement' }, undefined],
    [{}, { endsOn: '2027-03-17' }, undefined],
    [{}, { status: 'expired' }, undefined],
  ])('by a rule that is %j, of a contract that is %j', async (rule, changes, days) => {
    const { contract } = await aNoticed(rule, changes)
    const window = windowOf(contract)
    expect(window && [window.from, window.through]).toEqual(days)
  })

  test('is that of the most specific choice, and of tags of the rule made first', async () => {
    const { contract } = await aNoticed({}, { tags: ['vip', 'north'] })
    const { account } = contract
    account.rules = [1, 2, 3].map((id) => ({ ...RULE, id }))
    account.choices.set('tag vip', 3).set('tag north', 2)
    expect(ruleFor(contract)?.id).toBe(2)
    account.choices.set('customer 1', null)
    expect(ruleFor(contract)).toBeUndefined()
    account.choices.set('contract 1', 3)
    expect(ruleFor(contract)?.id).toBe(3)
  })
})

describe('a file that turns off emails', () => {
  test.each<[Partial<ModelRule>, string, boolean, string | null]>([
    [{}, 'automatic', false, '2027-03-17'],
    [{}, 'automatic', true, null],
    [{}, 'by_agreement', false, null],
    [{ means: ['letter'] }, 'automatic', false, null],
  ])(
    'with a rule that is %j makes one that renews %s (posted: %s) muted: %s',
    async (rule, renews, isPosted, muted) => {
      const { contract } = await aNoticed(rule, { renews: 'by_agreement' })
      const row = { reference: 'r-1', customer: '', tags: [], renews }
      expect(
        importedBy(row, { contract, rows: [row], moment: { now: NOW, today: TODAY }, isMuting: true, isPosted }),
      ).toMatchObject({ muted })
    },
  )

  test('leaves one alone whose days for notices stay the same', async () => {
    const { contract } = await aNoticed()
    const row = { reference: 'r-1', customer: '', tags: [], amount: 5 }
    const asked = { contract, rows: [row], moment: { now: NOW, today: TODAY }, isMuting: true, isPosted: false }
    expect(importedBy(row, asked)).toMatchObject({ muted: null })
  })
})

describe('a notice', () => {
  const fates = ({ model, contract }: Awaited<ReturnType<typeof aNoticed>>) =>
    [...expectedOf(model, contract.account, [contract]).values()].map(({ kind, fate }) => `${kind} ${fate}`)

  test('is expected in its window, and then takes the place of the reminder', async () => {
    expect(fates(await aNoticed())).toEqual(['notice due', 'reminder noticed'])
    expect(fates(await aNoticed({ from: 6 }))).toEqual(['reminder due'])
  })

  test.each<[string, string[]]>([
    [TODAY, ['notice due', 'reminder noticed']],
    ['2027-03-11', ['notice due', 'reminder manual']],
  ])('takes the place of a reminder by hand that waits for %s or not: %j', async (day, expected) => {
    const noticed = await aNoticed()
    noteRows(noticed.model, [noticed.notice({ kind: 'manual', state: 'planned', day })])
    expect(fates(noticed)).toEqual(expected)
  })

  test.each<[Partial<Row>, string[]]>([
    [{ state: 'sent', sentOn: '2027-03-08', day: '2027-03-08' }, ['reminder due']],
    [{ state: 'bounced', sentOn: '2027-03-08', day: '2027-03-08' }, ['notice due', 'reminder noticed']],
    [{ state: 'skipped', reason: 'no_access', day: '2027-03-08' }, ['notice due', 'reminder noticed']],
    [{ state: 'skipped', reason: 'by_hand', day: '2027-03-08' }, ['reminder due']],
    [{ state: 'sent', sentOn: '2027-03-01', day: '2027-03-01' }, ['notice due', 'reminder noticed']],
  ])('after one that is %j: %j', async (row, expected) => {
    const noticed = await aNoticed()
    noteRows(noticed.model, [noticed.notice({ offset: 9, ...row })])
    expect(fates(noticed)).toEqual(expected)
  })

  test.each<[string, Partial<ModelRule>, boolean, number]>([
    ['in its window', {}, false, 0],
    ['before it', { from: 6 }, false, 1],
    // Also as any message that is too late.
    ['after it', { until: 8 }, false, 2],
    ['by a rule by which it does not count', { means: ['letter'] }, false, 1],
    ['after a letter', {}, true, 1],
  ])('that is sent %s is a fault or not', async (_when, rule, hasLetter, faults) => {
    const { model, contract, notice } = await aNoticed(rule)
    if (hasLetter) {
      const { term, renewalDate } = contract
      const window = { from: '2027-03-07', through: '2027-03-12', means: RULE.means }
      model.notices.recorded.set(windowKey(contract), {
        ...window,
        contract,
        term,
        renewalDate,
        postedOn: TODAY,
        warned: null,
      })
    }
    noteRows(model, [notice({ state: 'sent', sentOn: TODAY })])
    model.receipts.push({ messageId: '<reminder-1.x@traxx.test>', to: 'customer@simulated.test', at: NOW, text: '' })
    judgeSending(model, 0, true)
    expect(model.faults).toHaveLength(faults)
  })

  test.each([
    ['sent', '2027-03-09', 1],
    ['bounced', '2027-03-09', 0],
    // Outside the window, by another rule; the second while a clock was ahead.
    ['sent', '2027-03-06', 0],
    ['sent', '2027-03-13', 0],
  ])('a second one is a fault or not, after the first was %s on %s', async (state, sentOn, faults) => {
    const { model, notice } = await aNoticed()
    const first = notice({ id: 1, offset: 8, day: sentOn, state, sentOn })
    noteRows(model, [first, notice({ id: 2, state: 'sent', sentOn: TODAY })])
    model.receipts.push({ messageId: '<reminder-2.x@traxx.test>', to: 'customer@simulated.test', at: NOW, text: '' })
    judgeSending(model, 0, true)
    expect(model.faults).toHaveLength(faults)
  })

  test.each([
    ['2027-03-09', '11:00', true],
    ['2027-03-10', '11:00', false],
    // While a clock was ahead.
    ['2027-03-10', '20:00', true],
    ['2027-03-11', '11:00', true],
  ])(
    'sent on %s at %s that no longer counts may be warned of again, or the warning before stands: %s',
    async (sentOn, hour, stands) => {
      const { model, contract, notice } = await aNoticed()
      recordWindows(model, contract.account, '2027-03-09')
      const sendingAt = Date.parse(`${sentOn}T${hour}:00Z`)
      noteRows(model, [notice({ day: sentOn, state: 'bounced', sentOn, sendingAt })])
      const one = model.notices.recorded.get(windowKey(contract))
      const warned = { days: 2, through: '2027-03-12', at: NOW - 2 * 3_600_000 }
      expect(one && isWarned(model, { ...one, warned }, 2)).toBe(stands)
    },
  )

  test.each([
    // While a clock was ahead, so that the other goes to the same reader.
    ['2027-03-13', 0],
    ['2027-03-09', 1],
  ])(
    'that waits in the last two days of its window, after another was sent on %s: %d faults without a warning',
    async (sentOn, faults) => {
      const { model, contract, notice } = await aNoticed({ until: 7 })
      recordWindows(model, contract.account, '2027-03-09')
      const state = sentOn > TODAY ? 'sent' : 'bounced'
      const first = notice({ day: '2027-03-09', state, sentOn, plannedAt: NOW - 24 * 3_600_000 })
      noteRows(model, [first, notice({ id: 2 })])
      judgeUnwarned(model, contract.account)
      expect(model.faults).toHaveLength(faults)
    },
  )

  test('that nothing kept has to be sent', async () => {
    const { model, contract, notice } = await aNoticed()
    const expected = expectedOf(model, contract.account, [contract])
    noteRows(model, [notice({ state: 'planned' })])
    judgeNoticesSent(model, { accounts: new Set([1]), expected })
    expect(model.faults).toEqual([expect.stringContaining('nothing kept it')])
  })

  const NOTHING_KEPT = expect.stringContaining('and nothing kept it')

  test.each<[Partial<Row>, Partial<Row>, unknown[]]>([
    // Its window moves from 10 to 5 days before to 12 to 5, so that the first of these lies in it.
    [{ sentOn: '2027-03-06' }, { reason: 'noticed' }, []],
    [{ sentOn: '2027-03-06' }, { reason: 'answered' }, [NOTHING_KEPT]],
    [{ sentOn: '2027-03-04' }, { reason: 'noticed' }, [NOTHING_KEPT]],
    [{ sentOn: null, state: 'sending' }, { reason: 'noticed' }, []],
    [{ sentOn: '2027-03-06', contactId: 5 }, { reason: 'noticed' }, [NOTHING_KEPT]],
  ])('after another that is %j, once the window has moved, may be skipped as %j', async (other, skipped, faults) => {
    const { model, contract, notice } = await aNoticed()
    const expected = expectedOf(model, contract.account, [contract])
    contract.account.rules = [{ ...RULE, from: 12 }]
    const first = notice({ id: 2, day: '2027-03-04', offset: 11, state: 'sent', ...other })
    noteRows(model, [notice({ state: 'skipped', ...skipped }), first])
    judgeNoticesSent(model, { accounts: new Set([1]), expected })
    expect(model.faults).toEqual(faults)
  })

  test('after another that was being sent until now, and failed, may be skipped', async () => {
    const { model, contract, notice } = await aNoticed()
    const expected = expectedOf(model, contract.account, [contract])
    const first = notice({ id: 2, offset: 11, state: 'sending' })
    noteRows(model, [notice(), first])
    noteRows(model, [notice({ state: 'skipped', reason: 'noticed' }), { ...first, state: 'failed', reason: 'unknown' }])
    judgeNoticesSent(model, { accounts: new Set([1]), expected })
    expect(model.faults).toEqual([])
  })

  test.each<[string, string, unknown[]]>([
    ['sent', 'ada@simulated.test', []],
    ['planned', 'ada@simulated.test', [NOTHING_KEPT]],
    // Nobody reads it any more.
    ['skipped', '', []],
  ])(
    'has moved along with its reader where another contact was made the first, and is %s to %j',
    async (state, email, faults) => {
      const { model, contract, notice } = await aNoticed()
      const expected = expectedOf(model, contract.account, [contract])
      noteRows(model, [notice({ state: 'sending' })])
      contract.customer.contacts = [{ id: 7, email: email || null, reminders: true, from: TODAY }]
      noteRows(model, [notice({ state, contactId: 7, reason: state === 'skipped' ? 'contact_off' : null })])
      judgeNoticesSent(model, { accounts: new Set([1]), expected })
      expect(model.faults).toEqual(faults)
    },
  )

  test('about a date that was changed before it was sent is not missing', async () => {
    const { model, contract } = await aNoticed()
    const expected = expectedOf(model, contract.account, [contract])
    contract.renewalDate = '2027-03-18'
    judgeNoticesSent(model, { accounts: new Set([1]), expected })
    expect(model.faults).toEqual([])
  })

  test('about a renewal that was undone and repeated before it was sent is not missing', async () => {
    const { model, contract } = await aNoticed()
    const expected = expectedOf(model, contract.account, [contract])
    contract.since += 1000
    judgeNoticesSent(model, { accounts: new Set([1]), expected })
    expect(model.faults).toEqual([])
  })

  test.each<[string, string, (contract: ModelContract) => void]>([
    ['rule', 'planned', ({ account }) => account.choices.clear()],
    ['rule', 'bounced', ({ account }) => account.choices.clear()],
    ['contract', 'planned', deleteForGood],
    ['contract', 'bounced', deleteForGood],
  ])('window is recorded while it is open, and goes with its %s unless notice was tried: %s', async (...given) => {
    const [, state, end] = given
    const { model, contract, notice } = await aNoticed()
    recordWindows(model, contract.account, '2027-03-09')
    noteRows(model, [notice({ state, sentOn: state === 'bounced' ? TODAY : null })])
    end(contract)
    recordWindows(model, contract.account, TODAY)
    expect([...model.notices.recorded.keys()]).toEqual(state === 'bounced' ? [windowKey(contract)] : [])
  })
})

test('a window needs no warning if its last day was moved to before the next planning', async () => {
  const { model, contract } = await aNoticed()
  const { account } = contract
  recordWindows(model, account, '2027-03-09')
  const one = model.notices.recorded.get(windowKey(contract))
  if (one) Object.assign(one, { seen: 'due', warned: { days: 2, through: one.through, at: NOW } })
  account.rules = [{ ...RULE, until: 6 }]
  model.now = Date.parse('2027-03-12T12:00:00Z')
  recordWindows(model, account, '2027-03-10')
  expect(one).toMatchObject({ through: '2027-03-11' })
  judgeMissed(model)
  expect(model.faults).toEqual([])
  if (one) one.seen = 'due'
  judgeMissed(model)
  expect(model.faults).toHaveLength(1)
})

describe('an answer', () => {
  async function aLinked(changes: Partial<ModelContract> = {}) {
    const simulated = await aSimulatedContract(world)
    const { contract } = simulated
    contract.account.answers = { hasLink: true, renewal: 'waits', deadline: 'open', lateEnd: 'refuse' }
    const link: ModelLink = {
      token: 't',
      contract,
      contactId: 0,
      address: 'customer@simulated.test',
      offer: offerOf(contract),
      isRevoked: false,
      at: NOW,
      opened: null,
    }
    Object.assign(contract, changes)
    return { ...simulated, link }
  }

  function aWaiting(link: ModelLink): ModelAnswer {
    const answer = { id: 1, link, term: 1, number: 1, choice: 'renew', state: 'waiting', isLate: false } as const
    const given = { isChange: false, offer: link.offer, wishedAmount: null, wishedDate: null, at: NOW, decision: null }
    return { ...answer, ...given, contactId: link.contactId }
  }

  test.each([
    ['customer@simulated.test', [expect.stringContaining('was skipped as reader_changed, which is not so')]],
    ['another@simulated.test', []],
  ])('is told while its giver is at the address that answered: now %s', async (email, faults) => {
    const { model, contract, row, link } = await aLinked()
    contract.answers.push(aWaiting(link))
    contract.customer.email = email
    const told = { kind: 'answer', offset: 1 } as const
    noteRows(model, [row({ ...told, state: 'planned' })])
    noteRows(model, [row({ ...told, state: 'skipped', reason: 'reader_changed' })])
    expect(model.faults).toEqual(faults)
  })

  test('that waits stops reminders, and one that is sent is a fault', async () => {
    const { model, contract, row, link } = await aLinked()
    contract.account.answers = { ...contract.account.answers, hasLink: false }
    contract.answers.push(aWaiting(link))
    expect([...expectedOf(model, contract.account, [contract]).values()].map(({ fate }) => fate)).toEqual(['answered'])
    noteRows(model, [row({ state: 'sent', sentOn: TODAY })])
    model.receipts.push({ messageId: '<reminder-1.x@traxx.test>', to: 'customer@simulated.test', at: NOW, text: '' })
    judgeSending(model, 0, true)
    expect(model.faults).toEqual([expect.stringContaining('the customer has answered')])
  })

  test.each<[Partial<ModelContract>, boolean]>([
    [{}, false],
    [{ nextAmount: 20 }, true],
    [{ term: 2 }, true],
    [{ endsOn: '2027-03-17' }, true],
    [{ noticePeriod: '1 month' }, true],
    [{ ownAnswers: { hasLink: false, renewal: null, deadline: null, lateEnd: null } }, true],
  ])('by a link is over where the contract is %j: %s', async (changes, isOver) => {
    const { contract, link } = await aLinked(changes)
    expect(isLinkOver({ link, contract, today: TODAY })).toBe(isOver)
  })

  test('that comes too late is refused only where the contract renews automatically', async () => {
    const { contract } = await aLinked({ noticePeriod: '10 days' })
    expect(effectOf('end', contract, TODAY)).toBe('at_once')
    expect(effectOf('end', { ...contract, renews: 'automatic' }, TODAY)).toBe('too_late')
  })

  test('needs a link in each reminder, and none elsewhere', async () => {
    const { model, row } = await aLinked()
    const receipt = { messageId: '<reminder-1.x@traxx.test>', to: 'customer@simulated.test', at: NOW, text: '' }
    noteLinks(model, receipt, [row()])
    noteLinks(model, { ...receipt, text: `/answer/1.a2.${'x'.repeat(43)}` }, [row()])
    expect(model.faults).toEqual([expect.stringContaining('has 0 links, not 1')])
    expect([...model.answers.links.values()]).toMatchObject([{ contactId: 0, address: 'customer@simulated.test' }])
    noteLinks(model, { ...receipt, text: `/answer/1.a2.${'x'.repeat(43)}` }, [row({ kind: 'confirmation' })])
    expect(model.faults).toHaveLength(2)
  })
})
