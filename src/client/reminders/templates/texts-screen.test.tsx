import { screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { Link } from '@tanstack/react-router'
import { expect, onTestFinished, test, vi } from 'vitest'
import { DEFAULT_TEXTS, type TextKind } from '#shared/domain/reminder-text.ts'
import { AppError } from '#shared/errors.ts'
import { mediaQuery } from '#support/media-query.ts'
import { renderRouted } from '#support/render-screen.tsx'
import { NoAnswer, trpcServer, whenTold, type FakeAnswers } from '#support/trpc-server.ts'
import type { SavedTexts } from './text-drafts.ts'
import { TextsScreen } from './texts-screen.tsx'

const SAVED: SavedTexts = {
  reminder: { ...DEFAULT_TEXTS.reminder, isDefault: true },
  reminder_automatic: { ...DEFAULT_TEXTS.reminder_automatic, isDefault: true },
  reminder_never: { ...DEFAULT_TEXTS.reminder_never, isDefault: true },
  follow_up: { ...DEFAULT_TEXTS.follow_up, isDefault: true },
  confirmation: { ...DEFAULT_TEXTS.confirmation, isDefault: true },
  notice: { ...DEFAULT_TEXTS.notice, isDefault: true },
}
const PREVIEW = {
  subject: 'Your contract renews on December 31, 2026',
  text: 'Hello Harbor Bakery,',
  html: '<style>@media (prefers-color-scheme: dark) { p { color: white } }</style><p>Hello Harbor Bakery,</p>',
  customerName: 'Harbor Bakery',
  isExample: false,
}

function openTexts(answers: NonNullable<FakeAnswers['reminders']> = {}) {
  const server = trpcServer({
    reminders: {
      texts: () => SAVED,
      previewText: () => PREVIEW,
      saveText: ({ kind, subject, body }) => ({ ...SAVED, [kind]: { subject, body, isDefault: false } }),
      sendTestText: () => ({ message: 'Test sent to owner@mill.test' }),
      ...answers,
    },
  })
  return { server, ...renderRouted(<Address />) }
}

function Address() {
  const [kind, setKind] = useState<TextKind>('reminder')
  return (
    <>
      <Link to="/contracts">Contracts</Link>
      <TextsScreen
        kind={kind}
        onKind={setKind}
        customerPicker={({ text, onPick }) => (
          <button type="button" onClick={() => onPick({ customerId: 7, customerName: 'Mill & Sons' })}>
            Choose {text}
          </button>
        )}
      />
    </>
  )
}

const subject = () => screen.findByRole('textbox', { name: 'Subject' })
const body = () => screen.getByRole('textbox', { name: 'Message' })
const save = () => screen.getByRole('button', { name: 'Save Template' })

test.each([
  ['Renewal by agreement', 'reminder', 'contracts that renew by agreement'],
  ['Automatic renewal', 'reminder_automatic', 'contracts that renew automatically'],
  ['No renewal', 'reminder_never', 'contracts that do not renew'],
  ['Follow-up', 'follow_up', 'contracts that are still open'],
  ['Renewal confirmation', 'confirmation', 'that their contract has been renewed'],
] as const)('under "%s" a text is shown as it is saved, with what it is for', async (tab, kind, use) => {
  const { user } = openTexts()
  await user.click(await screen.findByRole('tab', { name: tab }))
  expect(await subject()).toHaveValue(DEFAULT_TEXTS[kind].subject)
  expect(body()).toHaveValue(DEFAULT_TEXTS[kind].body)
  expect(save()).toBeDisabled()
  expect(screen.getByText(use, { exact: false })).toBeVisible()
})

test('what can be said of a notice period is explained, where contracts renew automatically', async () => {
  const { user } = openTexts()
  expect(await screen.findByRole('button', { name: /^Insert {{newAmount}}: what the next term costs/ })).toBeVisible()
  expect(screen.queryByRole('button', { name: /{{notice}}/ })).not.toBeInTheDocument()
  await user.click(screen.getByRole('tab', { name: 'Automatic renewal' }))
  expect(await screen.findByRole('button', { name: /^Insert {{notice}}: a sentence/ })).toBeVisible()
  expect(screen.getByRole('button', { name: /^Insert {{noticeDate}}: the last day for notice/ })).toBeVisible()
})

test('a text is saved, and that is said', async () => {
  const { user, server } = openTexts()
  await user.type(await subject(), '!')
  expect(screen.getByRole('tab', { name: 'Renewal by agreement (not saved)' })).toBeVisible()
  await user.click(save())
  expect(await screen.findByText('Template saved successfully!')).toBeVisible()
  const changed = { kind: 'reminder', subject: `${SAVED.reminder.subject}!`, body: SAVED.reminder.body }
  expect(server.callsOf('reminders.saveText')).toEqual([changed])
  expect(save()).toBeDisabled()
  expect(screen.getByRole('tab', { name: 'Renewal by agreement' })).toBeVisible()
})

test('what is typed while it is saved stays, and can be saved next', async () => {
  const { answer, tell } = whenTold<SavedTexts>()
  const { user } = openTexts({ saveText: answer })
  await user.type(await subject(), '!')
  await user.click(save())
  expect(await screen.findByRole('button', { name: 'Saving...' })).toBeDisabled()
  await user.type(await subject(), '?')
  const saved = `${SAVED.reminder.subject}!`
  tell({ ...SAVED, reminder: { ...SAVED.reminder, subject: saved, isDefault: false } })
  await waitFor(() => expect(save()).toBeEnabled())
  expect(await subject()).toHaveValue(`${saved}?`)
})

test('Cancel brings back what is saved, the default can be taken again, and each tab keeps what is typed', async () => {
  const own = { subject: 'Own', body: 'Own text', isDefault: false }
  const { user } = openTexts({ texts: () => ({ ...SAVED, reminder: own }) })
  await user.click(await screen.findByRole('button', { name: 'Use the Default' }))
  expect(await subject()).toHaveValue(DEFAULT_TEXTS.reminder.subject)
  expect(screen.queryByRole('button', { name: 'Use the Default' })).not.toBeInTheDocument()
  expect(save()).toBeEnabled()
  await user.click(screen.getByRole('tab', { name: 'Follow-up' }))
  await user.type(await subject(), '!')
  await user.click(screen.getByRole('tab', { name: 'Renewal by agreement (not saved)' }))
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(await subject()).toHaveValue('Own')
  expect(screen.getByRole('tab', { name: 'Follow-up (not saved)' })).toBeVisible()
})

test('a variable goes where the cursor is', async () => {
  const { user } = openTexts()
  await user.clear(await subject())
  await user.type(await subject(), 'For ')
  await user.click(screen.getByRole('button', { name: /^Insert {{customer}}/ }))
  expect(await subject()).toHaveValue('For {{customer}}')
  expect(await subject()).toHaveFocus()
  await user.clear(body())
  await user.click(screen.getByRole('button', { name: /^Insert {{daysLeft}}/ }))
  await user.type(body(), ' left')
  expect(body()).toHaveValue('{{daysLeft}} left')
  await user.click(await subject())
  await user.click(screen.getByRole('button', { name: /^Insert {{details}}/ }))
  expect(body()).toHaveValue('{{daysLeft}} left\n\n{{details}}\n\n')
})

test('a variable that there is not is named, and nothing is previewed meanwhile', async () => {
  const { user, server } = openTexts()
  await screen.findByText('What Harbor Bakery would receive 7 days before renewal.')
  const asked = server.callsOf('reminders.previewText').length
  await user.click(await subject())
  await user.paste(' {{custmer}}')
  expect(await screen.findByText(/^{{custmer}} is not a variable here. You can use {{customer}}, /)).toBeVisible()
  expect(screen.getByText('The preview appears once the template has no errors.')).toBeVisible()
  expect(server.callsOf('reminders.previewText')).toHaveLength(asked)
})

test('the preview shows the message of a real contract, light, dark and as text', async () => {
  const { user } = openTexts()
  const preview = within(await screen.findByRole('region', { name: 'Preview' }))
  expect(await preview.findByText(PREVIEW.subject)).toBeVisible()
  expect(preview.getByText('What Harbor Bakery would receive 7 days before renewal.')).toBeVisible()
  const html = () => preview.getByTitle<HTMLIFrameElement>('Email preview')
  expect(html().srcdoc).toContain('@media not all { p { color: white } }')
  expect(html().getAttribute('sandbox')).toBe('')
  await user.click(preview.getByRole('radio', { name: 'Dark' }))
  expect(html().srcdoc).toContain('@media all { p { color: white } }')
  await user.click(preview.getByRole('radio', { name: 'Text only' }))
  expect(preview.getByText(PREVIEW.text)).toBeVisible()
})

test('in a window that is dark the preview is dark from its first document on', async () => {
  localStorage.setItem('mantine-color-scheme-value', 'auto')
  const media = vi.spyOn(window, 'matchMedia').mockImplementation((media) => mediaQuery(media, media.includes('dark')))
  onTestFinished(() => media.mockRestore())
  const changed: string[] = []
  const watcher = new MutationObserver((records) => changed.push(...records.map(({ type }) => type)))
  watcher.observe(document, { subtree: true, attributeFilter: ['srcdoc'] })
  openTexts()
  const letter = await screen.findByTitle<HTMLIFrameElement>('Email preview')
  await waitFor(() => expect(letter.srcdoc).toContain('@media all { p { color: white } }'))
  watcher.disconnect()
  expect(changed).toEqual([])
})

test('without an open contract the preview says that it is an example', async () => {
  openTexts({ previewText: () => ({ ...PREVIEW, isExample: true }) })
  expect(
    await screen.findByText(
      'You have no active contract that renews by agreement yet, so this is an example, 7 days before renewal.',
    ),
  ).toBeVisible()
})

test('a test goes to oneself, with what is typed', async () => {
  const { user, server } = openTexts()
  await user.type(await subject(), '!')
  await user.click(screen.getByRole('button', { name: 'Send Me a Test' }))
  expect(await screen.findByText('Test sent to owner@mill.test')).toBeVisible()
  expect(server.callsOf('reminders.sendTestText')).toMatchObject([{ subject: `${SAVED.reminder.subject}!` }])
  expect(server.callsOf('reminders.saveText')).toEqual([])
})

test('a text is shown and tried with the contract of the customer who is chosen, whichever text it is', async () => {
  const { user, server } = openTexts({
    previewText: ({ customerId }) =>
      customerId === 7 ? { ...PREVIEW, customerName: 'Mill & Sons', isExample: true } : PREVIEW,
  })
  expect(await screen.findByText('What Harbor Bakery would receive 7 days before renewal.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Choose' }))
  const example = 'so this is an example'
  const has = 'Mill & Sons has no active contract'
  const reminder = `${has} that renews by agreement, ${example}, 7 days before renewal.`
  expect(await screen.findByText(reminder)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Choose Mill & Sons' })).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Send Me a Test' }))
  await screen.findByText('Test sent to owner@mill.test')
  expect(server.callsOf('reminders.sendTestText')).toMatchObject([{ customerId: 7 }])
  await user.click(screen.getByRole('tab', { name: 'Follow-up' }))
  expect(await screen.findByText(`${has}, ${example}, 3 days after renewal.`)).toBeVisible()
})

test('leaving with something unsaved asks first', async () => {
  const { user, address } = openTexts()
  await user.type(await subject(), '!')
  await user.click(screen.getByRole('link', { name: 'Contracts' }))
  const question = await screen.findByRole('dialog', { name: 'Leave without saving?' })
  await user.click(within(question).getByRole('button', { name: 'Cancel' }))
  expect(address()).toBe('/here')
  expect(await subject()).toHaveValue(`${SAVED.reminder.subject}!`)
  await user.click(screen.getByRole('link', { name: 'Contracts' }))
  await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Leave' }))
  await waitFor(() => expect(address()).toBe('/contracts'))
})

test('leaving with everything saved does not', async () => {
  const { user, address } = openTexts()
  await subject()
  await user.click(screen.getByRole('link', { name: 'Contracts' }))
  await waitFor(() => expect(address()).toBe('/contracts'))
})

test.each([
  ['saveText', 'Save Template', new AppError('FAULT'), 'Failed to save the template'],
  ['saveText', 'Save Template', new AppError('PAYMENT_OVERDUE'), 'Your last payment failed'],
  ['sendTestText', 'Send Me a Test', new AppError('FAULT'), 'Failed to send the test'],
  [
    'sendTestText',
    'Send Me a Test',
    new AppError('TOO_MANY_REQUESTS', { values: { wait: '12 minutes' } }),
    'Too many requests. Please try again in 12 minutes',
  ],
  ['sendTestText', 'Send Me a Test', new NoAnswer(), 'Network error'],
] as const)('where %s does not succeed, that is said', async (call, button, failure, text) => {
  const { user } = openTexts({ [call]: () => Promise.reject(failure) })
  await user.type(await subject(), '!')
  await user.click(screen.getByRole('button', { name: button }))
  expect(await screen.findByRole('alert')).toHaveTextContent(text)
  expect(await subject()).toHaveValue(`${SAVED.reminder.subject}!`)
})

test.each([
  ['texts', new AppError('FAULT'), 'Failed to load the message templates'],
  ['texts', new NoAnswer(), 'Network error'],
  ['previewText', new AppError('FAULT'), 'Failed to load the preview'],
] as const)('where %s cannot be fetched, there is a text and a Retry', async (call, failure, text) => {
  const failing = { current: true }
  const good = call === 'texts' ? SAVED : PREVIEW
  const { user } = openTexts({ [call]: () => (failing.current ? Promise.reject(failure) : good) })
  expect(await screen.findByRole('alert')).toHaveTextContent(text)
  failing.current = false
  await user.click(screen.getByRole('button', { name: 'Retry' }))
  expect(await screen.findByText(PREVIEW.subject)).toBeVisible()
  expect(screen.queryByRole('alert')).not.toBeInTheDocument()
})
