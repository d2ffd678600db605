import { fireEvent, screen, within } from '@testing-library/react'
import type { ReactElement } from 'react'
import { expect, test, vi } from 'vitest'
import { addDays, dayIn, toDay } from '#shared/domain/day.ts'
import { AcceptDialog } from '#client/answers/accept-dialog.tsx'
import { DeclineDialog } from '#client/answers/decline-dialog.tsx'
import { BulkDialog } from '#client/contracts/bulk/bulk-dialog.tsx'
import { SaveViewDialog } from '#client/contracts/save-view-dialog.tsx'
import { START } from '#client/list/list-position.ts'
import { AdoptDialog } from '#client/notices/adopt-dialog.tsx'
import { PostDialog } from '#client/notices/post-dialog.tsx'
import { SnoozeDialog } from '#client/reminders/outbox/snooze-dialog.tsx'
import { EndDialog } from '#client/renewals/end-dialog.tsx'
import { RenewDialog } from '#client/renewals/renew-dialog.tsx'
import { aContract, anAnswer, aNotice } from '#support/records.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'

const TODAY = dayIn(new Date(), 'UTC')
const LAW = {
  preset: 'new_york_services',
  name: 'New York: service, maintenance or repair',
  citation: 'New York General Obligations Law 5-903',
  source: 'nysenate.gov',
  readOn: toDay('2026-11-22'),
  conditions: ['Contracts for service'],
  how: 'By email, if the customer has agreed to that.',
  consequence: 'It cannot be enforced',
  emailMayBeAgreed: true,
  requiredMail: null,
  days: '30 to 15 days before the last day for notice',
} as const
const MESSAGE = {
  contractId: 31,
  customerName: 'Harbor Bakery',
  contactName: null,
  renewalDate: addDays(TODAY, 30),
  kind: 'reminder',
  offset: 14,
  recipient: 'customer',
  contactId: 0,
  channel: 'email',
  day: addDays(TODAY, 3),
} as const
const SEARCH = { ...START, sort: 'openFirst', direction: 'asc', size: 10, cycle: 'yearly' } as const

interface Dialog {
  name: string
  shown: (close: () => void) => ReactElement
  enter: (form: HTMLElement) => void
}

const write = (label: RegExp, text: string) => (form: HTMLElement) =>
  fireEvent.change(within(form).getByLabelText(label), { target: { value: text } })

const DIALOGS: Dialog[] = [
  {
    name: 'Accept and Renew',
    shown: (onClose) => <AcceptDialog opened answer={anAnswer()} onClose={onClose} />,
    enter: write(/^Message to the Customer/, 'Thank you'),
  },
  {
    name: 'Decline the Answer',
    shown: (onClose) => <DeclineDialog opened answer={anAnswer()} onClose={onClose} />,
    enter: write(/^Message to the Customer/, 'Not this year'),
  },
  {
    name: 'Change Prices',
    shown: (onClose) => (
      <BulkDialog opened action="change_price" contracts={{ ids: [31] }} onStarted={() => {}} onClose={onClose} />
    ),
    enter: write(/^Percent/, '5'),
  },
  {
    name: 'Save View',
    shown: (onClose) => <SaveViewDialog opened search={SEARCH} onClose={onClose} />,
    enter: write(/^Name/, 'Yearly'),
  },
  {
    name: 'Add From a Law',
    shown: (onClose) => <AdoptDialog opened presets={[LAW]} advice="This is not legal advice." onClose={onClose} />,
    enter: (form) => fireEvent.click(within(form).getByRole('checkbox')),
  },
  {
    name: 'Mark as Mailed',
    shown: (onClose) => <PostDialog opened notice={aNotice()} onClose={onClose} />,
    enter: write(/^Certified mail number/, '7020'),
  },
  {
    name: 'Snooze',
    shown: (onClose) => <SnoozeDialog opened message={MESSAGE} onSnooze={() => {}} onClose={onClose} />,
    enter: write(/^Until/, addDays(TODAY, 6)),
  },
  {
    name: 'End Contract',
    shown: (onClose) => <EndDialog opened contract={aContract()} onClose={onClose} />,
    enter: write(/^Note/, 'Moved away'),
  },
  {
    name: 'Renew Contract',
    shown: (onClose) => <RenewDialog opened contract={aContract()} onClose={onClose} />,
    enter: write(/^Amount/, '99'),
  },
]

test.each(DIALOGS)('$name closes by Escape, and asks first once something was entered', async ({ name, ...dialog }) => {
  trpcServer({
    contracts: {
      renewalSettings: () => ({ confirmRenewals: false, endOverdueAfterDays: null, endReasons: ['Price'] }),
    },
    bulk: { preview: () => ({ count: 1, amountBefore: 100, amount: 100, leftOut: [] }) },
    identity: { account: () => ({ email: 'ada@example.com', timeZone: 'UTC' }) },
  })
  const close = vi.fn()
  const { user } = renderRouted(dialog.shown(close))
  const form = await screen.findByRole('dialog', { name })
  await user.keyboard('{Escape}')
  expect(close).toHaveBeenCalledOnce()
  dialog.enter(form)
  await user.keyboard('{Escape}')
  expect(await screen.findByRole('dialog', { name: 'Discard changes?' })).toBeVisible()
  expect(close).toHaveBeenCalledOnce()
})
