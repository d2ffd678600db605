import { expect, test } from 'vitest'
import { mailboxOf } from '#shared/domain/mail-limits.ts'
import { randomFrom } from '#support/random.ts'
import { useWorld } from '#support/world.ts'

const world = useWorld()

const ADDRESSES = [
  'Bob+News@Example.COM',
  'b.o.b+x+y@Gmail.com',
  '.bob.@googlemail.com.',
  'bob..smith@harbor.test',
  '  bob@harbor.test\n',
  '"a@b"@harbor.test',
  '+tag@harbor.test',
  '@harbor.test',
  'no address',
  'bob@',
  '@',
  '',
  'ｂｏｂ@ｇｍａｉｌ.com',
]

test('the database and the limits mean the same mailbox by an address', async () => {
  const random = randomFrom(7)
  const letter = () =>
    random.pick(['a', 'B', '.', '+', '@', 'g', 'gmail.com', 'GoogleMail.com', 'harbor.test'] as const)
  const made = Array.from({ length: 500 }, () => Array.from({ length: random.int(1, 9) }, letter).join(''))
  const addresses = [...ADDRESSES, ...made]
  const { rows } = await world.db.system.query(
    'select mailbox_of(address) as mailbox from unnest($1::text[]) with ordinality t(address, place) order by place',
    [addresses],
  )
  expect(rows).toEqual(addresses.map((address) => ({ mailbox: mailboxOf(address) })))
})
