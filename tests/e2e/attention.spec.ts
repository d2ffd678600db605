import type { Page } from '@playwright/test'
import { importContracts } from './support/contracts.ts'
import { dayFromNow, expect, test } from './support/journey.ts'
import { layoutShifts, watchLayout } from './support/layout-shifts.ts'
import { startTrialUnseen } from './support/sessions.ts'

const OVERDUE = 126
const EXPIRING = 25
/** Of the window, and of a field that is wide enough for its date there: its text is larger in a narrow one. In pixels. */
const WIDTHS = [
  [390, 150],
  [580, 150],
  [1000, 125],
  [1280, 125],
] as const

function manyContracts(): string[] {
  const line = (name: string, days: number) => `${name},10.00,2025-01-01,yearly,${dayFromNow(days)},active`
  return [
    ...Array.from({ length: OVERDUE }, (_, index) => line(`Late ${index}`, -1 - (index % 40))),
    ...Array.from({ length: EXPIRING }, (_, index) => line(`Soon ${index}`, index)),
  ]
}

/** The texts of buttons and badges in the table that end in an ellipsis. */
async function cutLabels(page: Page) {
  const labels = page.getByRole('table').locator('.mantine-Button-label, .mantine-Badge-label')
  return labels.evaluateAll((all) =>
    all.filter((label) => label.scrollWidth > label.clientWidth).map(({ textContent }) => textContent),
  )
}

test('126 overdue contracts hide none that expire soon, and every figure leads to exactly what it counts', async ({
  page,
}) => {
  await startTrialUnseen(page)
  await importContracts(page, manyContracts())
  await watchLayout(page)
  await page.goto('/dashboard')
  const overdue = page.getByRole('region', { name: 'Overdue', exact: true })
  const soon = page.getByRole('region', { name: 'Expiring within 30 days' })
  await expect(overdue.getByText(/^Overdue by/)).toHaveCount(20)
  await expect(soon.getByText(/left$/)).toHaveCount(20)
  expect(await layoutShifts(page)).toEqual([])
  expect(await cutLabels(page)).toEqual([])

  await soon.getByRole('link', { name: `Show all ${EXPIRING} in Contracts` }).click()
  await expect(page.getByText(`Showing 1 to 10 of ${EXPIRING}`)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Renews Within 30 Days' })).toHaveAttribute('aria-pressed', 'true')
  for (const [width, wholeDate] of WIDTHS) {
    await page.setViewportSize({ width, height: 800 })
    const day = async () => (await page.getByLabel('Renewal date from').boundingBox())?.width
    await expect.poll(day, `a date of the filters at ${width}`).toBeGreaterThanOrEqual(wholeDate)
  }
  await page.getByRole('combobox', { name: 'Rows per page' }).selectOption('100 rows')
  await expect(page.getByText(`Showing 1 to ${EXPIRING} of ${EXPIRING}`)).toBeVisible()
  await page.goto('/dashboard')
  for (const [card, total] of [
    ['Overdue', OVERDUE],
    ['Expiring Soon', EXPIRING],
    ['Active Contracts', OVERDUE + EXPIRING],
    ['Total Contracts', OVERDUE + EXPIRING],
  ] as const) {
    await page.getByRole('group', { name: card }).click()
    await expect(page.getByText(`Showing 1 to 10 of ${total}`)).toBeVisible()
    await page.goBack()
    // The contracts have cards of the same names.
    await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  }

  await page.getByRole('button', { name: 'Show Contracts Requiring Attention' }).click()
  await expect(overdue).toBeHidden()
  await page.reload()
  await expect(page.getByRole('region', { name: 'Charts' })).toBeVisible()
  await expect(overdue).toBeHidden()
})
