import { screen, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { renderRouted } from '#support/render-screen.tsx'
import { trpcServer } from '#support/trpc-server.ts'
import { ColumnsDialog } from './columns-dialog.tsx'

function Shown({ written }: { written: string | undefined }) {
  const [columns, setColumns] = useState(written)
  return (
    <>
      <output>{columns ?? 'by default'}</output>
      <ColumnsDialog opened columns={columns} onColumns={setColumns} onClose={() => undefined} />
    </>
  )
}

function open(contractColumns: string | null, written?: string) {
  const stored = { contractColumns }
  const server = trpcServer({
    views: { listSettings: () => stored, saveListSettings: (settings) => Object.assign(stored, settings) },
  })
  return { server, ...renderRouted(<Shown written={written} />) }
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
