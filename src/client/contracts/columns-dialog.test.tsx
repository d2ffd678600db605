import { act, fireEvent, screen, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer, whenTold } from '#support/trpc-server.ts'
import { ColumnsDialog } from './columns-dialog.tsx'

interface ShownProps {
  written: string | undefined
  /** When the address follows what was chosen: at once, or once this is there. */
  late?: (() => Promise<void>) | undefined
}

function Shown({ written, late }: ShownProps) {
  const [columns, setColumns] = useState(written)
  const follow = (changed: string | undefined) =>
    late ? void late().then(() => setColumns(changed)) : setColumns(changed)
  return (
    <>
      <output>{columns ?? 'by default'}</output>
      <ColumnsDialog opened columns={columns} onColumns={follow} onClose={() => undefined} />
    </>
  )
}

function open(contractColumns: string | null, written?: string, late?: ShownProps['late']) {
  const stored = { contractColumns }
  const server = trpcServer({
    views: { listSettings: () => stored, saveListSettings: (settings) => Object.assign(stored, settings) },
  })
  return { server, ...renderRouted(<Shown written={written} late={late} />) }
}

const dialog = async () => within(await screen.findByRole('dialog', { name: 'Columns' }))
const address = () => document.querySelector('output')?.textContent

test('the columns of the address become the default of the account, and need no address then', async () => {
  const { server, user } = open(null, 'customer,tags')
  await user.click((await dialog()).getByRole('button', { name: 'Save as Default' }))
  expect(await screen.findByText('The contracts page now shows these columns by default')).toBeVisible()
  expect(server.callsOf('views.saveListSettings')).toEqual([{ contractColumns: 'customer,tags' }])
  expect(address()).toBe('by default')
  expect((await dialog()).getByRole('button', { name: 'Save as Default' })).toHaveAttribute('aria-disabled', 'true')
})

test('without an address the default of the account is shown, and Reset shows the usual columns', async () => {
  const { server, user } = open('customer,tags')
  expect(await (await dialog()).findByRole('checkbox', { name: 'Tags', checked: true })).toBeVisible()
  await user.click((await dialog()).getByRole('button', { name: 'Reset' }))
  expect(address()).toBe('customer,amount,startDate,renewal,status,pdf')
  await user.click((await dialog()).getByRole('button', { name: 'Save as Default' }))
  await expect.poll(() => server.callsOf('views.saveListSettings')).toEqual([{ contractColumns: null }])
  expect(address()).toBe('by default')
})

test('the rest of a double click does not move the column that took the place', async () => {
  const { user } = open(null, 'customer,tags,amount')
  await user.click((await dialog()).getByRole('button', { name: 'Move Customer down' }))
  fireEvent.click((await dialog()).getByRole('button', { name: 'Move Tags down' }), { detail: 2 })
  expect(address()).toBe('tags,customer,amount')
})

test('columns that are clicked before the address has followed are all kept', async () => {
  const { answer, tell } = whenTold<void>()
  const { user } = open(null, 'customer,tags', answer)
  const box = async (name: string) => (await dialog()).getByRole('checkbox', { name })
  await user.click(await box('Amount'))
  await user.click(await box('Status'))
  expect(address()).toBe('customer,tags')
  await act(async () => tell())
  expect(address()).toBe('customer,tags,amount,status')
  expect(await box('Amount')).toBeChecked()
  expect(await box('Status')).toBeChecked()
})
