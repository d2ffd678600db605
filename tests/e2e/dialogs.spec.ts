import type { Locator, Page } from '@playwright/test'
import { dayFromNow, DEMO, expect, test } from './support/journey.ts'
import { signIn } from './support/sessions.ts'

const PHONE = { width: 390, height: 640 }

const question = (page: Page) => page.getByRole('dialog', { name: 'Discard changes?' })

/** As somebody comes to a screen from another one, by a link. */
async function openList(page: Page, name: 'Customers' | 'Contracts') {
  await signIn(page, DEMO)
  await page.goto('/dashboard')
  await page.getByRole('link', { name, exact: true }).first().click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()
}

async function openForm(page: Page, name: 'Add Customer' | 'Add Contract'): Promise<Locator> {
  await page.getByRole('button', { name, exact: true }).first().click()
  const form = page.getByRole('dialog', { name })
  await expect(form).toBeVisible()
  return form
}

test('Escape, a click outside, the cross and Back ask before a form with changes closes, and none of them loses a letter', async ({
  page,
}) => {
  await openList(page, 'Customers')
  const form = await openForm(page, 'Add Customer')
  await form.getByLabel('Name').fill('Halfway Ltd')
  await form.getByLabel('Phone').fill('555-0100')
  const ways = {
    Escape: () => page.keyboard.press('Escape'),
    'a click outside': () => page.mouse.click(5, 400),
    'the cross': () => form.getByRole('button', { name: 'Close' }).click(),
    Back: () => page.goBack().then(() => undefined),
  }
  for (const [name, close] of Object.entries(ways)) {
    await test.step(name, async () => {
      await close()
      await expect(question(page)).toBeVisible()
      await expect(question(page).getByRole('button', { name: 'Keep Editing' })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(question(page)).toBeHidden()
      await expect(form.getByLabel('Name')).toHaveValue('Halfway Ltd')
      await expect(form.getByLabel('Phone')).toHaveValue('555-0100')
      expect(new URL(page.url()).pathname).toBe('/customers')
    })
  }
  await test.step('Escape twice goes back to the form', async () => {
    await page.keyboard.press('Escape')
    await expect(question(page)).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(question(page)).toBeHidden()
    await expect(form.getByLabel('Name')).toHaveValue('Halfway Ltd')
  })
  await test.step('Discard closes it, and the next form is empty', async () => {
    await page.keyboard.press('Escape')
    await question(page).getByRole('button', { name: 'Discard' }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await expect((await openForm(page, 'Add Customer')).getByLabel('Name')).toHaveValue('')
  })
  await test.step('a form without changes closes at once', async () => {
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
  await test.step('and the page before is one Back away', async () => {
    await page.goBack()
    await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  })
})

test('Back closes what was opened last, also on the first page of a visit, and only then leaves', async ({ page }) => {
  await openList(page, 'Customers')
  await page.reload()
  const address = page.url()
  await page
    .locator('tbody')
    .getByRole('row')
    .first()
    .getByRole('button', { name: /^Edit / })
    .click()
  const form = page.getByRole('dialog', { name: 'Edit Customer' })
  await expect(form).toBeVisible()
  await page.goBack()
  await expect(form).toBeHidden()
  expect(page.url()).toBe(address)
  await page.goForward()
  // The app goes back by itself from the entry that its dialog had in the history.
  await expect.poll(() => page.evaluate(() => Object.hasOwn(Object(history.state), 'dialog'))).toBe(false)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  expect(page.url()).toBe(address)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
})

test('what the palette finds is a page, which is left by one Back', async ({ page }) => {
  await openList(page, 'Contracts')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search or jump to' }).fill('bluebird')
  await page
    .getByRole('option', { name: /Bluebird/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: /Bluebird/ })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Contracts', level: 1 })).toBeVisible()
})

test('Back closes the palette and the navigation of a phone, the focus returns, and their links are left by one Back', async ({
  page,
}) => {
  await openList(page, 'Customers')
  const address = page.url()
  const search = page.getByRole('button', { name: 'Search', exact: true })
  await search.click()
  await expect(page.getByRole('combobox', { name: 'Search or jump to' })).toBeFocused()
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(search).toBeFocused()
  expect(page.url()).toBe(address)

  await page.setViewportSize(PHONE)
  const menu = page.getByRole('button', { name: 'Open navigation' })
  await menu.click()
  const drawer = page.getByRole('dialog')
  await expect(drawer.getByRole('link', { name: 'Contracts', exact: true })).toBeVisible()
  await page.goBack()
  await expect(drawer).toHaveCount(0)
  await expect(menu).toBeFocused()
  expect(page.url()).toBe(address)

  await menu.click()
  await expect(drawer.getByRole('link', { name: 'Contracts', exact: true })).toBeVisible()
  await drawer.evaluate((closing) => {
    // As when it is closed before it has taken the focus.
    const observer = new MutationObserver(() => closing.querySelector('a')?.focus())
    observer.observe(closing, { attributeFilter: ['data-closing'] })
    history.back()
  })
  await expect(drawer).toHaveCount(0)
  await expect(menu).toBeFocused()

  await menu.click()
  await drawer.getByRole('link', { name: 'Contracts', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Contracts', level: 1 })).toBeVisible()
  await expect(drawer).toHaveCount(0)
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Customers', level: 1 })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
})

test('a double click on Add Contract adds one; the dialog closes, and the toast opens the contract', async ({
  page,
}) => {
  await openList(page, 'Contracts')
  const total = page.getByRole('group', { name: 'Total Contracts' })
  await expect(total).toHaveText(/\d/)
  const before = await total.textContent()
  const form = await openForm(page, 'Add Contract')
  await form.getByRole('combobox', { name: 'Customer' }).fill('bluebird')
  await page
    .getByRole('option', { name: /Bluebird/ })
    .first()
    .click()
  await form.getByLabel('Amount').fill('731.25')
  await form.getByLabel('Start Date').fill(dayFromNow(-20))
  await form.getByLabel('Renewal Date').fill(dayFromNow(200))
  await form.getByRole('button', { name: 'Add Contract' }).dblclick()
  await expect(form).toBeHidden()
  await expect(page.getByText('Contract added successfully!')).toHaveCount(1)
  await page.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(page).toHaveURL(/\/contracts\/\d+$/)
  await expect(page.getByText('$731.25').first()).toBeVisible()
  await page.goBack()
  await expect(total).toHaveText(String(before).replace('120', '121'))
})

test('a form that could not be saved has the focus on its button again', async ({ page }) => {
  await openList(page, 'Customers')
  const form = await openForm(page, 'Add Customer')
  await form.getByLabel('Name').fill('Halfway Ltd')
  const refused = Promise.withResolvers<void>()
  await page.route('**/trpc/**', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    await refused.promise
    return route.abort()
  })
  const save = form.getByRole('button', { name: 'Add Customer' })
  await save.click()
  await expect(save).toBeDisabled()
  await expect(save).not.toBeFocused()
  refused.resolve()
  await expect(form.getByRole('alert')).toBeVisible()
  await expect(save).toBeFocused()
})

test('a form is entered at its first field, then in the order it is read', async ({ page }) => {
  await openList(page, 'Contracts')
  const form = await openForm(page, 'Add Contract')
  await expect(form.getByRole('combobox', { name: 'Customer' })).toBeFocused()
  const names: string[] = []
  // A slow machine moves the focus a moment after the key.
  for (let presses = 0; presses < 60 && names.at(-1) !== 'Add Contract'; presses += 1) {
    await page.keyboard.press('Tab')
    names.push(await focusedName(page))
  }
  expect([...new Set(names)]).toEqual([
    'Amount *',
    'Status',
    'Start Date *',
    'Renewal Cycle',
    'Renewal Date *',
    'Renews',
    'Notice Period',
    'Title',
    'Reference',
    'Tags',
    'Cancel',
    'Add Contract',
  ])
})

test('on a phone a long dialog scrolls inside, with its title, cross and buttons in sight', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await signIn(page, DEMO)
  for (const [path, name] of [
    ['/contracts', 'Add Contract'],
    ['/customers', 'Add Customer'],
  ] as const) {
    await page.goto(path)
    const form = await openForm(page, name)
    for (const button of ['Close', 'Cancel', name]) {
      await expect(form.getByRole('button', { name: button })).toBeInViewport({ ratio: 1 })
    }
    await form.getByRole('button', { name: 'Cancel' }).scrollIntoViewIfNeeded()
    await form.getByRole('textbox').last().scrollIntoViewIfNeeded()
    await expect(form.getByRole('heading', { name })).toBeInViewport({ ratio: 1 })
    for (const button of ['Close', 'Cancel', name]) {
      await expect(form.getByRole('button', { name: button })).toBeInViewport({ ratio: 1 })
    }
    await form.getByRole('button', { name: 'Cancel' }).click()
    await expect(form).toBeHidden()
  }
})

/** What the focused element is called, on screen. */
function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement
    const label =
      element instanceof HTMLInputElement || element instanceof HTMLSelectElement ? element.labels?.[0] : element
    return label?.textContent ?? ''
  })
}
