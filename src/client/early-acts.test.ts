import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { holdEarlyActs } from './early-acts.ts'

const PAGE = `
  <h1>Contracts</h1>
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
