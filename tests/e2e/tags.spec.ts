import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { importContracts } from './support/contracts.ts'
import { dayFromNow, expect, test } from './support/journey.ts'
import { expectAccessible, expectNoOverflow } from './support/axe.ts'
import { sessionToken, startTrialUnseen } from './support/sessions.ts'

async function addContracts(page: Page) {
  const lines = ['Harbor Bakery', 'Late Motors', 'Mill & Sons'].map(
    (name, at) => `${name},100.00,2025-01-01,monthly,${dayFromNow(10 + at)},active`,
  )
  await importContracts(page, lines)
}

test('the selected contracts are exported, and reminders about them say why none is sent', async ({ page }) => {
  await startTrialUnseen(page)
  await addContracts(page)
  await page.goto('/contracts')
  for (const name of ['Harbor Bakery', 'Late Motors'])
    await page.getByRole('checkbox', { name: `Select the contract with ${name}` }).check()
  const bar = page.getByRole('region', { name: 'Selected contracts' })
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    bar.getByRole('button', { name: 'Export' }).click(),
  ])
  const file = await readFile(await download.path(), 'utf8')
  expect(file).toMatch(/Harbor Bakery[^]*Late Motors/)
  expect(file).not.toContain('Mill & Sons')
  await bar.getByRole('button', { name: 'Send Reminder' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send Reminders' })
  await expect(dialog.getByText('No reminder can be sent.')).toBeVisible()
  await expect(dialog.getByText(/^Left out: 2 /)).toBeVisible()
  await expectAccessible(page, 'the dialog of reminders', '[role=dialog]')
  await dialog.getByRole('button', { name: 'Send Reminders' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('No reminder can be sent')
})

test('contracts are tagged together, filtered by the tag, kept as a view, and untagged by Undo', async ({ page }) => {
  await startTrialUnseen(page)
  await addContracts(page)
  await page.goto('/contracts')
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
  for (const name of ['Harbor Bakery', 'Late Motors'])
    await page.getByRole('checkbox', { name: `Select the contract with ${name}` }).check()
  await page.getByRole('button', { name: 'Tag', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Tag Contracts' })
  await dialog.getByRole('combobox', { name: 'Add Tags' }).fill('Key Account')
  await page.keyboard.press('Enter')
  await expect(dialog.getByText('The tags of 2 contracts will change: $200.00 in all.')).toBeVisible()
  await expectAccessible(page, 'the dialog of tags', '[role=dialog]')
  await dialog.getByRole('button', { name: 'Tag Contracts' }).click()
  const change = page.getByRole('region', { name: 'Change of contracts' })
  await expect(change.getByText('Changed the tags of 2 contracts')).toBeVisible()

  await page.getByRole('button', { name: 'More Filters' }).click()
  await page.getByRole('combobox', { name: 'Tags' }).fill('key account')
  await page.keyboard.press('Enter')
  await expect(row('Mill & Sons')).toBeHidden()
  await expect(row('Harbor Bakery')).toBeVisible()
  await page.getByRole('button', { name: 'Columns' }).click()
  const columns = page.getByRole('dialog', { name: 'Columns' })
  // Each is in the address first, which takes longer than a check waits.
  await columns.getByRole('checkbox', { name: 'Tags' }).click()
  await expect(columns.getByRole('checkbox', { name: 'Tags' })).toBeChecked()
  await columns.getByRole('checkbox', { name: 'PDF' }).click()
  await expect(columns.getByRole('checkbox', { name: 'PDF' })).not.toBeChecked()
  await columns.getByRole('button', { name: 'Move Status up' }).click()
  await columns.getByRole('button', { name: 'Done' }).click()
  const inOrder = () =>
    expect(page.getByRole('columnheader')).toContainText(['Start Date', 'Status', 'Renewal', 'Tags'])
  await inOrder()
  await expect(row('Harbor Bakery').getByText('Key Account')).toBeVisible()

  await page.getByRole('button', { name: 'Save View' }).click()
  await page.getByRole('dialog', { name: 'Save View' }).getByRole('textbox', { name: 'Name' }).fill('Key accounts')
  await page.keyboard.press('Enter')
  const view = page.getByRole('link', { name: 'Key accounts' })
  await expect(view).toHaveAttribute('aria-current', 'page')
  await page.goto('/contracts')
  await expect(row('Mill & Sons')).toBeVisible()
  await view.click()
  await expect(row('Mill & Sons')).toBeHidden()
  await expect(page.getByRole('columnheader', { name: 'PDF' })).toBeHidden()
  await inOrder()
  await expectAccessible(page, 'contracts filtered by a view')

  await change.getByRole('button', { name: 'Undo' }).click()
  await expect(change.getByText('Undone: 2 contracts as before')).toBeVisible()
  await expect(page.getByText('No contracts found')).toBeVisible()
})

test('tags are renamed, merged and removed on their own screen, also on a phone', async ({ page }) => {
  await startTrialUnseen(page)
  await addContracts(page)
  const headers = { authorization: `Bearer ${await sessionToken(page)}` }
  const contracts: { id: number }[] = await (await page.request.get('/contracts', { headers })).json()
  for (const [at, { id }] of contracts.entries())
    await page.request.put(`/contracts/${id}`, { headers, data: { tags: [at === 0 ? 'Nroth' : 'North'] } })

  await page.goto('/contracts')
  await page.getByRole('button', { name: 'More Filters' }).click()
  await page.getByRole('link', { name: 'Manage Tags' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Tags' })).toBeVisible()
  await expectAccessible(page, 'the tags')
  await page.setViewportSize({ width: 360, height: 640 })
  await expectNoOverflow(page, 'the tags')

  await page.getByRole('button', { name: 'Rename Nroth' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Rename Tag' })
  await expect(dialog.getByRole('textbox', { name: 'Tag' })).toBeFocused()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.type('north')
  await expect(dialog.getByText(/^You already have "North"/)).toBeVisible()
  await expectAccessible(page, 'a tag that joins another', '[role=dialog]')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: '3 contracts' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Rename Nroth' })).toBeHidden()

  await page.getByRole('button', { name: 'Remove North' }).click()
  const question = page.getByRole('dialog', { name: 'Remove Tag' })
  await expect(question.getByText('Remove North from 3 contracts and 0 customers?')).toBeVisible()
  await question.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('No tags yet')).toBeVisible()
})
