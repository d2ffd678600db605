import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test } from 'vitest'
import { toDay } from '#shared/domain/day.ts'
import { AppError } from '#shared/errors.ts'
import { anAnswer, aPage } from '#support/records.ts'
import { renderScreen } from '#support/render-screen.tsx'
import { trpcServer, type FakeAnswers } from '#support/trpc-server.ts'
import type { Answer } from './answer-words.ts'
import { AnswersSearch } from './answers-search.ts'
import { AnswersScreen } from './answers-screen.tsx'

function openAnswers(list: Answer[], answers: NonNullable<FakeAnswers['answers']> = {}) {
  let rows = list
  const decided = (state: Answer['state']) => {
    const [first = anAnswer()] = rows
    rows = rows.map((one) => (one.id === first.id ? { ...one, state } : one))
    return { ...first, state }
  }
  const server = trpcServer({
    answers: {
      list: ({ show }) => pageOf(rows.filter(({ state }) => (state === 'waiting') === (show === 'waiting'))),
      accept: () => ({ ...decided('accepted'), emailsToday: [] }),
      decline: () => decided('declined'),
      ...answers,
    },
  })
  return { server, ...renderScreen(<Address />) }
}

function pageOf(rows: Answer[]) {
  return { ...aPage(rows, rows.length), first: null, last: null }
}

function Address() {
  const [search, setSearch] = useState(AnswersSearch.parse({}))
  const change = (changes: Partial<AnswersSearch>) => setSearch((before) => ({ ...before, ...changes }))
  return <AnswersScreen search={search} onSearch={change} link={(_answer, title) => title} settingsLink={null} />
}

async function press(name: string, within_: HTMLElement = document.body) {
  fireEvent.click(await within(within_).findByRole('button', { name }))
}

describe('the answers', () => {
  test('say their numbers, by which certificates name other answers', async () => {
    const changed = anAnswer({ id: 6, choice: 'end', isImported: true })
    openAnswers([anAnswer(), changed])
    expect(await screen.findByText(/^Answer 7, given Dec 1, 2026/)).toBeVisible()
    expect(
      screen.getByText(/^Answer 6, given .*, as an imported archive says\. It has no certificate\.$/),
    ).toBeVisible()
  })

  test('that wait are shown first, each with what was offered and wished', async () => {
    openAnswers([
      anAnswer({ choice: 'change', wishedAmount: 1100, wishedDate: toDay('2027-06-30'), words: 'Less, please' }),
      anAnswer({ id: 8, title: 'Backups', state: 'declined', reply: 'No' }),
    ])
    expect(await screen.findByText('Asks for a change')).toBeVisible()
    for (const words of [
      'Harbor Bakery: Web hosting',
      '$1,100.00',
      'Jun 30, 2027',
      'Less, please',
      '$1,300.00, yearly',
    ])
      expect(screen.getByText(words)).toBeVisible()
    expect(screen.queryByText('Harbor Bakery: Backups')).not.toBeInTheDocument()
    fireEvent.click(screen.getByRole('tab', { name: 'Done (1)' }))
    expect(await screen.findByText('Harbor Bakery: Backups')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Accept' })).not.toBeInTheDocument()
  })

  test('that are none say so', async () => {
    openAnswers([])
    expect(await screen.findByText('No answers are waiting')).toBeVisible()
    fireEvent.click(screen.getByRole('tab', { name: 'Done (0)' }))
    expect(await screen.findByText('No answers here yet')).toBeVisible()
  })

  test('that cannot be fetched are fetched again on request', async () => {
    let fails = true
    openAnswers([], {
      list: () => {
        if (fails) throw new AppError('SERVER_FULL')
        return pageOf([])
      },
    })
    await screen.findByRole('alert')
    fails = false
    await press('Retry')
    expect(await screen.findByText('No answers are waiting')).toBeVisible()
  })

  test('of a contract that has changed since cannot be accepted', async () => {
    openAnswers([anAnswer({ isOvertaken: true })])
    expect(await screen.findByText('Contract has changed')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Dismiss' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Accept' })).not.toBeInTheDocument()
  })
})

describe('an answer', () => {
  test('that is proved has a certificate, whether it waits or not', async () => {
    openAnswers([anAnswer({ hasCertificate: true }), anAnswer({ id: 8, state: 'accepted', hasCertificate: true })])
    const name = 'Certificate: Harbor Bakery: Web hosting, Wants to renew'
    expect(await screen.findByRole('button', { name })).toBeVisible()
    fireEvent.click(screen.getByRole('tab', { name: 'Done (1)' }))
    expect(await screen.findByRole('button', { name })).toBeVisible()
  })

  test('that an archive has brought says so, and has none', async () => {
    openAnswers([anAnswer({ isImported: true })])
    expect(await screen.findByText('Imported')).toBeVisible()
    expect(screen.getByText(/as an imported archive says. It has no certificate\.$/)).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Certificate/ })).not.toBeInTheDocument()
  })
})

test('an answer whose contract was deleted for good says so, and needs no decision', async () => {
  openAnswers([anAnswer({ state: 'overtaken', contractId: null, title: null })])
  fireEvent.click(await screen.findByRole('tab', { name: 'Done (1)' }))
  expect(await screen.findByText('Contract deleted')).toBeVisible()
  for (const name of ['Accept', 'Decline', 'Dismiss'])
    expect(screen.queryByRole('button', { name })).not.toBeInTheDocument()
})

describe('accepting', () => {
  test('renews for what was wished, unless another amount or date is entered', async () => {
    const { server } = openAnswers([anAnswer({ choice: 'change', wishedAmount: 1100, words: 'Less' })])
    await press('Accept')
    const dialog = await screen.findByRole('dialog', { name: 'Accept and Renew' })
    const amount = within(dialog).getByRole('textbox', { name: /^Amount/ })
    expect(amount).toHaveValue('1,100.00')
    fireEvent.change(amount, { target: { value: '1,150' } })
    fireEvent.change(within(dialog).getByRole('textbox', { name: /^Message/ }), { target: { value: 'Agreed' } })
    await press('Renew', dialog)
    await waitFor(() => expect(server.callsOf('answers.accept')).toEqual([{ id: 7, reply: 'Agreed', amount: 1150 }]))
    expect(await screen.findByText('Accepted. Harbor Bakery gets an email about it')).toBeVisible()
    expect(await screen.findByText('No answers are waiting')).toBeVisible()
  })

  test('says that another email about the new renewal date goes out today', async () => {
    openAnswers([anAnswer()], {
      accept: () => ({ ...anAnswer({ state: 'accepted' }), emailsToday: ['orders@harbor.test'] }),
    })
    await press('Accept')
    await press('Renew', await screen.findByRole('dialog', { name: 'Accept and Renew' }))
    const text = 'Accepted. Harbor Bakery gets an email about it, and another about the new renewal date today'
    expect(await screen.findByText(text)).toBeVisible()
  })

  test('keeps what was entered where the server refuses', async () => {
    openAnswers([anAnswer()], {
      accept: () => {
        throw new AppError('ANSWER_OVERTAKEN')
      },
    })
    await press('Accept')
    const dialog = await screen.findByRole('dialog', { name: 'Accept and Renew' })
    const message = within(dialog).getByRole('textbox', { name: /^Message/ })
    fireEvent.change(message, { target: { value: 'Agreed' } })
    await press('Renew', dialog)
    expect(await within(dialog).findByText(/The contract has changed since the customer answered/)).toBeVisible()
    expect(message).toHaveValue('Agreed')
  })

  test('refuses an amount that is none', async () => {
    const { server } = openAnswers([anAnswer()])
    await press('Accept')
    const dialog = await screen.findByRole('dialog', { name: 'Accept and Renew' })
    fireEvent.change(within(dialog).getByRole('textbox', { name: /^Amount/ }), { target: { value: 'a lot' } })
    await press('Renew', dialog)
    expect(within(dialog).getByText('Amount must be a positive number')).toBeVisible()
    fireEvent.change(within(dialog).getByRole('textbox', { name: /^Amount/ }), { target: { value: '1.200' } })
    expect(within(dialog).getByText('"1.200" can mean $1,200.00 or $1.20. Enter the one you mean')).toBeVisible()
    expect(server.callsOf('answers.accept')).toEqual([])
  })

  test('ends a contract that is not to be renewed, without asking for an amount', async () => {
    const { server } = openAnswers([anAnswer({ choice: 'end', isLate: true, reason: 'Price' })])
    expect(await screen.findByText('After last day for notice')).toBeVisible()
    await press('Accept')
    const dialog = await screen.findByRole('dialog', { name: 'Accept and End' })
    expect(within(dialog).queryByRole('textbox', { name: /^Amount/ })).not.toBeInTheDocument()
    await press('End Contract', dialog)
    await waitFor(() => expect(server.callsOf('answers.accept')).toEqual([{ id: 7, reply: null }]))
  })
})

test('declining tells the customer in the words that are entered', async () => {
  const { server } = openAnswers([anAnswer()])
  await press('Decline')
  const dialog = await screen.findByRole('dialog', { name: 'Decline the Answer' })
  fireEvent.change(within(dialog).getByRole('textbox', { name: /^Message/ }), { target: { value: 'Sorry' } })
  await press('Decline', dialog)
  await waitFor(() => expect(server.callsOf('answers.decline')).toEqual([{ id: 7, reply: 'Sorry' }]))
  expect(await screen.findByText('Declined. Harbor Bakery gets an email about it')).toBeVisible()
})
