import { expect, test } from 'vitest'
import { answersReader, changesReader, messagesReader } from './read-history.ts'
import { Known } from './references.ts'

const AT = '2026-03-10T09:00:00Z'
const MESSAGE = {
  customerId: null,
  customerName: 'Harbor Bakery',
  renewalDate: '2026-04-01',
  termNumber: 1,
  kind: 'reminder',
  offset: 30,
  day: '2026-03-02',
  recipient: 'customer',
  contactId: 0,
  contactName: null,
  channel: 'email',
  state: 'sent',
  reasonKey: null,
  address: 'orders@harbor.test',
  subject: 'Your contract',
  body: 'Dear customer',
  answer: null,
  attempts: 1,
  repeats: 0,
  plannedAt: AT,
  sendingAt: AT,
  sentAt: AT,
  sentOn: '2026-03-10',
  endedAt: null,
  deliveredAt: null,
  bouncedAt: null,
}
const CHANGE = { about: 'contract', at: AT, actor: 'operator', before: { title: 'A' }, after: { title: 'B' } }

function knownContract(): Known {
  const known = new Known()
  known.contracts.add(7)
  return known
}

test('an archive has up to 5,000 messages about a contract', () => {
  const read = messagesReader(knownContract())
  for (let id = 1; id <= 5000; id += 1) read({ ...MESSAGE, id, contractId: 7 })
  expect(() => read({ ...MESSAGE, id: 5001, contractId: 7 })).toThrow('There are more than 5000 of them')
  expect(read({ ...MESSAGE, id: 5002, contractId: null })).toMatchObject({ contractId: null })
})

test('an archive has up to 200,000 messages about contracts that are gone, all together', () => {
  const read = messagesReader(knownContract())
  for (let id = 1; id <= 200_000; id += 1) read({ ...MESSAGE, id, contractId: id % 2 ? null : 1000 + id })
  expect(() => read({ ...MESSAGE, id: 200_001, contractId: 8 })).toThrow('There are more than 200000 of them')
  expect(read({ ...MESSAGE, id: 200_002, contractId: 7 })).toMatchObject({ contractId: 1 })
})

test('an archive has up to 5,000 changes of a contract', () => {
  const read = changesReader(knownContract())
  for (let count = 0; count < 5000; count += 1) read({ ...CHANGE, aboutId: 7 })
  expect(() => read({ ...CHANGE, aboutId: 7 })).toThrow('There are more than 5000 of them')
})

test('an archive has up to 200,000 changes of what is gone, all together', () => {
  const read = changesReader(knownContract())
  for (let count = 0; count < 200_000; count += 1) read({ ...CHANGE, aboutId: 1000 + (count % 100) })
  expect(() => read({ ...CHANGE, about: 'customer', aboutId: 8 })).toThrow('There are more than 200000 of them')
  expect(read({ ...CHANGE, aboutId: 7 })).toMatchObject({ aboutId: 1 })
})

test('a letter that was mailed is read with its number, and only as one to a customer', () => {
  const read = messagesReader(knownContract())
  const letter = {
    ...MESSAGE,
    contractId: 7,
    kind: 'letter',
    channel: 'letter',
    address: null,
    mailNumber: '7020',
    delivery: 'certified_mail',
  }
  expect(read({ ...letter, id: 1 })).toMatchObject({
    kind: 'letter',
    channel: 'letter',
    mailNumber: '7020',
    delivery: 'certified_mail',
  })
  expect(read({ ...MESSAGE, id: 2, contractId: 7 })).toMatchObject({ mailNumber: null, delivery: null })
  expect(() => read({ ...MESSAGE, id: 9, contractId: 7, delivery: 'in_person' })).toThrow('A letter is one')
  const wrong = [{ channel: 'email' }, { recipient: 'owner' }, { state: 'planned' }, { kind: 'reminder' }]
  for (const [index, changes] of wrong.entries())
    expect(() => read({ ...letter, ...changes, id: 3 + index })).toThrow(
      'A letter is one that was mailed to a customer',
    )
})

test('the address of an answer is read in lower case, as that of an answer that is given here is stored', () => {
  const offer = {
    customerId: 3,
    termNumber: 1,
    amountCents: 120_000,
    renewalCycle: 'yearly',
    renewalDate: '2026-04-01',
    renews: 'by_agreement',
    noticePeriod: null,
    nextAmountCents: null,
    nextCycle: null,
  }
  const answer = {
    contractId: 7,
    customerId: null,
    customerName: 'Harbor Bakery',
    termNumber: 1,
    number: 1,
    contactId: 0,
    address: 'Orders@Harbor.test',
    choice: 'renew',
    state: 'waiting',
    isLate: false,
    isChange: false,
    wishedAmountCents: null,
    wishedDate: null,
    reason: null,
    words: null,
    offer,
    network: null,
    answeredAt: AT,
    decidedAt: null,
    decidedBy: null,
    reply: null,
    agreed: null,
  }
  expect(answersReader(knownContract())(answer)).toMatchObject({ address: 'orders@harbor.test' })
})
