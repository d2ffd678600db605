import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holdEarlyActs } from './early-acts.ts'

const PAGE = `
  <h1>Contracts</h1>
  <input type="search" aria-label="Search">
  <button>Add Contract</button>
  <table><tbody><tr data-opens="true"><td>Acme</td></tr></tbody></table>`
const keep = (event: Event) => void globalThis.earlyActs?.push(event)

beforeEach(() => {
  document.body.innerHTML = PAGE
  globalThis.earlyActs = []
  for (const type of ['click', 'input', 'change']) addEventListener(type, keep, true)
})
afterEach(() => {
  for (const type of ['click', 'input', 'change']) removeEventListener(type, keep, true)
})

function find<Found extends HTMLElement>(selector: string): Found {
  const found = document.querySelector<Found>(selector)
  if (!found) throw new Error(`There is no ${selector}`)
  return found
}

test.each(['button', 'td'])('a click beside everything takes nothing back of the one before: %s', (selector) => {
  find(selector).click()
  find('h1').click()
  const doEarlyActs = holdEarlyActs()
  const hear = vi.fn<() => void>()
  find(selector).addEventListener('click', hear)
  doEarlyActs()
  expect(hear).toHaveBeenCalledTimes(1)
})

test('the caret stays where it was in a field that is being typed into', () => {
  const field = find<HTMLInputElement>('input')
  field.focus()
  field.value = 'acme'
  field.dispatchEvent(new Event('input', { bubbles: true }))
  field.setSelectionRange(1, 3)
  const doEarlyActs = holdEarlyActs()
  expect(field.value).toBe('')
  doEarlyActs()
  expect(field.value).toBe('acme')
  expect([field.selectionStart, field.selectionEnd]).toEqual([1, 3])
})
