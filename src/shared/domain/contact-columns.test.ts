import { expect, test } from 'vitest'
import { contactColumnOf, contactColumnsUpTo, contactField, contactHeading } from './contact-columns.ts'

test('a field names its contact and part, and back', () => {
  for (const column of contactColumnsUpTo(21)) expect(contactColumnOf(contactField(column))).toEqual(column)
  expect(contactColumnsUpTo(21)).toHaveLength(100)
})

test.each(['contact1Name', 'contact22Name', 'contactName', 'contact2name', 'contact2', 'contact02', 'xcontact2Name'])(
  '%s is no further contact',
  (field) => {
    expect(contactColumnOf(field)).toBeUndefined()
  },
)

test('columns go contact by contact, and none without further contacts', () => {
  expect(contactColumnsUpTo(1)).toEqual([])
  expect(contactColumnsUpTo(2).map(contactHeading)).toEqual([
    'Contact 2 Name',
    'Contact 2 Role',
    'Contact 2 Email',
    'Contact 2 Phone',
    'Contact 2 Reminders',
  ])
})
