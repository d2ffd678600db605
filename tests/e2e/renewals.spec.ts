import type { Page } from '@playwright/test'
import { importContracts } from './support/contracts.ts'
import { dayFromNow, expect, goWithin, keepUndo, pressUntilVisible, tabTo, test } from './support/journey.ts'
import { expectAccessible } from './support/axe.ts'
import { sessionToken, startTrialUnseen } from './support/sessions.ts'

/** Three transactions of a change of contracts. */
/** `MANY_CONTRACTS=5000` for a longer form. */
const MANY = Number(process.env['MANY_CONTRACTS'] ?? 1500)

/** Two contracts: one renews in 10 days, the other is 5 days overdue. */
function twoContracts(): string[] {
  return [
    `Harbor Bakery,100.00,2025-01-01,monthly,${dayFromNow(10)},active`,
    `Late Motors,50.00,2025-01-01,monthly,${dayFromNow(-5)},active`,
  ]
}

/** The contract whose page is shown, as the server has it. */
async function shownContract(page: Page) {
  const headers = { authorization: `Bearer ${await sessionToken(page)}` }
  const answer = await page.request.get(new URL(page.url()).pathname, { headers })
  return answer.json()
}

test('renewals are decided where they are due, and each decision can be undone', async ({ page }) => {
  await keepUndo(page)
  await startTrialUnseen(page)
  await importContracts(page, twoContracts())
  await page.goto('/dashboard')
  const toast = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text })

  const undo = async (text: string | RegExp, name: string) => {
    await toast(text).getByRole('button', { name: 'Undo' }).click()
    await expect(toast(`Undone: the contract with ${name} is as it was before`).first()).toBeVisible()
  }

  await page.getByRole('button', { name: 'Renew: Harbor Bakery' }).click()
  await expect(toast(/^Renewed: Harbor Bakery/)).toBeVisible()
  await undo(/^Renewed: Harbor Bakery/, 'Harbor Bakery')

  await page.getByRole('button', { name: 'Not Renewing: Harbor Bakery' }).click()
  const ending = page.getByRole('dialog', { name: 'End Contract' })
  await ending.getByRole('combobox', { name: 'Reason' }).selectOption('Price')
  await ending.getByRole('textbox', { name: 'Note' }).fill('Asked for a discount')
  await ending.getByRole('button', { name: 'End Contract' }).click()
  await expect(toast('The contract with Harbor Bakery ends on')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Keep Open: Harbor Bakery' })).toBeVisible()
  await undo('The contract with Harbor Bakery ends on', 'Harbor Bakery')
  await expect(page.getByRole('button', { name: 'Renew: Harbor Bakery' })).toBeVisible()

  await page.getByRole('button', { name: 'Renew: Late Motors' }).click()
  const renewing = page.getByRole('dialog', { name: 'Renew Contract' })
  await renewing.getByRole('radio', { name: /^Today/ }).check()
  await renewing.getByRole('textbox', { name: 'Amount' }).fill('60')
  await renewing.getByRole('button', { name: 'Renew' }).click()
  await expect(toast(/^Renewed: Late Motors/)).toBeVisible()
  await expect(page.getByRole('region', { name: 'Overdue', exact: true })).toBeHidden()
  await undo(/^Renewed: Late Motors/, 'Late Motors')
  await expect(page.getByRole('region', { name: 'Overdue', exact: true })).toBeVisible()
})

test('many contracts are repriced at once, which goes on with the tab closed, and is undone as a whole', async ({
  page,
  context,
}) => {
  await startTrialUnseen(page)
  const many = MANY.toLocaleString('en-US')
  const dollars = (each: number) => `$${(MANY * each).toLocaleString('en-US')}.00`
  const line = (index: number) =>
    `Customer ${index % 500},100.00,2025-01-01,monthly,${dayFromNow(10 + (index % 20))},active`
  await importContracts(
    page,
    Array.from({ length: MANY }, (_, index) => line(index)),
  )
  await page.goto('/contracts')
  await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
  const bar = page.getByRole('region', { name: 'Selected contracts' })
  await expect(bar.getByRole('status')).toHaveText('10 selected')
  await bar.getByRole('button', { name: `Select all ${many}` }).click()
  await expect(bar.getByRole('status')).toHaveText(`${many} selected`)
  await bar.getByRole('button', { name: 'Change Price' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change Prices' })
  await dialog.getByRole('textbox', { name: 'Percent' }).fill('5')
  await expect(
    dialog.getByText(`The next price of ${many} contracts will change: ${dollars(105)}, now ${dollars(100)} in all.`),
  ).toBeVisible()
  await expectAccessible(page, 'the dialog of a change of prices', '[role=dialog]')
  await dialog.getByRole('button', { name: 'Change Prices' }).click()
  await expect(dialog).toBeHidden()
  const progress = page.getByRole('region', { name: 'Change of contracts' })
  await expect(progress).toBeVisible()
  await page.close()

  const later = await context.newPage()
  await later.goto('/contracts')
  const result = later.getByRole('region', { name: 'Change of contracts' })
  await expect(result.getByText(`Changed the next price of ${many} contracts`)).toBeVisible()
  await expectAccessible(later, 'the result of a change of prices')
  await result.getByRole('button', { name: 'Undo' }).click()
  await expect(result.getByText(`Undone: ${many} contracts as before`)).toBeVisible()
  await result.getByRole('button', { name: 'Close' }).click()
  await expect(result).toBeHidden()
  await later.reload()
  await expect(later.getByRole('checkbox', { name: 'Select all on this page' })).toBeVisible()
  await expect(result).toBeHidden()
})

test('in the night an automatic contract renews by itself and one that never renews expires, and the owner is told', async ({
  page,
  app,
}) => {
  await startTrialUnseen(page)
  const headers = { authorization: `Bearer ${await sessionToken(page)}` }
  // The account's day begins 25 hours earlier in the second zone than in the first.
  const moveTo = async (timeZone: string) => {
    const answer = await page.request.put('/account/time-zone', { headers, data: { timeZone } })
    expect(answer.status()).toBe(204)
  }
  await moveTo('Pacific/Pago_Pago')
  const tomorrow = dayFromNow(1, 'Pacific/Pago_Pago')
  await importContracts(
    page,
    [
      `Harbor Bakery,100.00,2025-01-01,monthly,${tomorrow},active,automatic`,
      `Late Motors,50.00,2025-01-01,monthly,${tomorrow},active,never`,
      `Quiet Yoga,70.00,2025-01-01,monthly,${tomorrow},active,by agreement`,
    ],
    'Customer Name,Amount,Start Date,Renewal Cycle,Renewal Date,Status,Renews',
  )
  await page.goto('/contracts')
  const row = (name: string) => page.getByRole('row').filter({ hasText: name })
  await expect(row('Harbor Bakery').getByText('Expiring soon')).toBeVisible()

  await moveTo('Pacific/Kiritimati')
  // Nothing is fetched from a server that stops.
  await page.goto('about:blank')
  // The job that renews contracts also runs when the server starts.
  await app.restart()
  await expect(async () => {
    await page.goto('/notifications')
    await expect(page.getByText(/renewed automatically/).first()).toBeVisible({ timeout: 15_000 })
  }).toPass()
  await page.goto('/contracts')
  await expect(page.getByRole('combobox', { name: 'Status of the contract with Late Motors' })).toHaveValue('expired')
  await row('Harbor Bakery').getByRole('link').first().click()
  await expect(page.getByText('Term 2')).toBeVisible()
  await expect(page.getByText(/^Automatically on/)).toBeVisible()
})

test('the page of a contract has its terms, by keyboard as well, and survives Escape and a reload', async ({
  page,
}) => {
  await startTrialUnseen(page)
  await importContracts(page, twoContracts())
  await page.goto('/contracts')
  await page.getByRole('row', { name: /Harbor Bakery/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Harbor Bakery' })).toBeVisible()

  const renew = page.getByRole('button', { name: 'Renew', exact: true })
  await renew.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByText('Term 2', { exact: true })).toBeVisible()
  await page.reload()
  await expect(page.getByText('Term 2', { exact: true })).toBeVisible()

  const ending = page.getByRole('dialog', { name: 'End Contract' })
  await page.getByRole('button', { name: 'End', exact: true }).click()
  await expect(ending).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(ending).toBeHidden()
  await page.getByRole('button', { name: 'End', exact: true }).click()
  await ending.getByRole('radio', { name: /^Today/ }).check()
  await ending.getByRole('combobox', { name: 'Reason' }).selectOption('Competitor')
  await ending.getByRole('button', { name: 'End Contract' }).click()
  await expect(page.getByText(/^Ended on .*Reason: Competitor$/)).toBeVisible()

  // The button is busy until the server has undone it, and then undoes the decision before.
  const undo = page.getByRole('button', { name: 'Undo Last Decision' })
  await undo.click()
  await expect(page.getByRole('button', { name: 'Renew', exact: true })).toBeVisible()
  await expect(undo).toHaveAttribute('aria-busy', 'false')
  await undo.click()
  await expect(page.getByText('Term 2', { exact: true })).toBeHidden()
  await expect(page.getByText('Term 1', { exact: true })).toBeVisible()

  await goWithin(page, '/contracts')
  await page.getByRole('row', { name: /Late Motors/ }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Late Motors' })).toBeVisible()
  const before = await shownContract(page)
  for (const [from, begins] of [
    [/^Today/, dayFromNow(0)],
    [/^On .* no day is missing$/, dayFromNow(-5)],
  ] as const) {
    await page.getByRole('button', { name: 'Renew', exact: true }).click()
    const renewing = page.getByRole('dialog', { name: 'Renew Contract' })
    await renewing.getByRole('radio', { name: from }).check()
    await renewing.getByRole('button', { name: 'Renew' }).click()
    await expect(page.getByText('Term 2', { exact: true })).toBeVisible()
    expect(await shownContract(page)).toMatchObject({ term: 2, termStart: begins })
    await expect(undo).toHaveAttribute('aria-busy', 'false')
    await undo.click()
    await expect(page.getByText('Term 2', { exact: true })).toBeHidden()
    await expect(page.getByText(/overdue by 5 days/)).toBeVisible()
    await expect(undo).toBeHidden()
    expect(await shownContract(page)).toEqual({ ...before, version: expect.any(Number) })
  }

  await page.goto('/contracts/2147483647')
  await expect(page.getByRole('heading', { name: 'Contract not found' })).toBeVisible()
})

test('contracts are changed together, ended, deleted and restored, and each is undone, by keyboard alone', async ({
  page,
}) => {
  await startTrialUnseen(page)
  await importContracts(page, twoContracts())
  await page.goto('/contracts')
  const press = async (name: string | RegExp, key = 'Enter', within: Pick<Page, 'getByRole'> = page) => {
    await tabTo(page, within.getByRole('button', { name }))
    await page.keyboard.press(key)
  }
  const said = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text })

  await tabTo(page, page.getByRole('checkbox', { name: 'Select all on this page' }))
  await page.keyboard.press('Space')
  await press('Change Price')
  const prices = page.getByRole('dialog', { name: 'Change Prices' })
  await tabTo(page, prices.getByRole('textbox', { name: 'Percent' }))
  await page.keyboard.type('10')
  await expect(prices.getByText('The next price of 2 contracts will change')).toBeVisible()
  await page.keyboard.press('Enter')
  const change = page.getByRole('region', { name: 'Change of contracts' })
  await expect(change.getByText('Changed the next price of 2 contracts')).toBeVisible()
  await press('Undo', 'Enter', change)
  await expect(change.getByText('Undone: 2 contracts as before')).toBeVisible()

  await tabTo(page, page.getByRole('link', { name: 'Harbor Bakery' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Harbor Bakery' })).toBeVisible()
  await press(/^End$/)
  const ending = page.getByRole('dialog', { name: 'End Contract' })
  await tabTo(page, ending.getByRole('combobox', { name: 'Reason' }))
  await page.keyboard.type('Price')
  await press('End Contract', 'Enter', ending)
  await expect(said('The contract with Harbor Bakery ends on')).toBeVisible()
  await page.keyboard.press('F8')
  await page.keyboard.press('Enter')
  await expect(said('Undone: the contract with Harbor Bakery is as it was before')).toBeVisible()

  await pressUntilVisible(page, ['g', 'c'], page.getByRole('heading', { level: 1, name: 'Contracts' }))
  await press('Delete the contract with Harbor Bakery')
  await expect(said('Contract deleted successfully!')).toBeVisible()
  await press(/Profile menu/)
  const trash = page.getByRole('menuitem', { name: 'Trash' })
  await expect(trash).toBeVisible()
  for (
    let presses = 0;
    presses < 20 && !(await trash.evaluate((item) => item === document.activeElement));
    presses += 1
  )
    await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await press('Restore the contract with Harbor Bakery')
  await expect(page.getByText('The trash is empty')).toBeVisible()
})
