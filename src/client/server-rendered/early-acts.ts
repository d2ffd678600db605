/**
 * What somebody does on a page that was rendered ahead, before the app can hear of it: the page itself keeps the events
 * (scripts/build-screens.ts). Here they are taken back, as the app takes the page over as it was sent; the answer does
 * them again.
 */
export function holdEarlyActs(): () => void {
  const acts = globalThis.earlyActs ?? []
  dropEarlyActs()
  const fields = new Map<Field, Entered>()
  for (const { target } of acts) if (isField(target)) fields.set(target, enteredIn(target))
  for (const [field] of fields) field.value = sentValue(field)
  const clicked = acts.filter(({ type }) => type === 'click').map(({ target }) => target)
  const ticked = new Set(clicked.filter(isBox).filter(({ checked, defaultChecked }) => checked !== defaultChecked))
  for (const box of ticked) box.checked = box.defaultChecked
  const last = clicked.findLast(isOnWhatActs)
  return () => {
    for (const [field, entered] of fields) enter(field, entered)
    for (const box of ticked) click(box)
    // A link leads on by itself.
    if (last?.isConnected && !isBox(last) && !last.closest('a[href]')) click(last)
  }
}

/** For a page that the app shows anew: there is nothing left that they were done to. */
export function dropEarlyActs(): void {
  globalThis.earlyActs = undefined
}

declare global {
  var earlyActs: Event[] | undefined
}

type Field = HTMLInputElement | HTMLSelectElement

interface Entered {
  value: string
  /** From where to where it is selected, or both times the caret's place; null for a field that has none. */
  selection: [start: number | null, end: number | null]
}

const BOXES = ['checkbox', 'radio']
const WHAT_ACTS = 'a, button, input, select, textarea, label, [role="button"], [data-opens]'

function isBox(target: EventTarget | null): target is HTMLInputElement {
  return target instanceof HTMLInputElement && BOXES.includes(target.type)
}

/** A click beside everything takes nothing back of the one before. */
function isOnWhatActs(target: EventTarget | null): target is Element {
  return target instanceof Element && target.closest(WHAT_ACTS) !== null
}

// A box is ticked by a click, which is done again as one.
function isField(target: EventTarget | null): target is Field {
  if (target instanceof HTMLSelectElement) return true
  return target instanceof HTMLInputElement && ![...BOXES, 'file'].includes(target.type)
}

function enteredIn(field: Field): Entered {
  const { selectionStart = null, selectionEnd = null } = field instanceof HTMLInputElement ? field : {}
  return { value: field.value, selection: [selectionStart, selectionEnd] }
}

function sentValue(field: Field): string {
  if (field instanceof HTMLInputElement) return field.defaultValue
  return [...field.options].find(({ defaultSelected }) => defaultSelected)?.value ?? ''
}

function enter(field: Field, { value, selection }: Entered): void {
  press(field)
  const prototype = Object.getPrototypeOf(field)
  // Past React's own setter, which would take the value for one that it has heard of.
  Object.getOwnPropertyDescriptor(prototype, 'value')?.set?.call(field, value)
  field.dispatchEvent(new Event(field instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
  // Elsewhere it would take the focus.
  if (field instanceof HTMLInputElement && field === document.activeElement && selection[0] !== null) {
    field.setSelectionRange(...selection)
  }
}

function click(element: Element): void {
  press(element)
  element.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
}

/** React takes over what a press is about to reach before it hears of the press, and with it the value as it was sent. */
function press(element: Element): void {
  element.dispatchEvent(new MouseEvent('mousedown', { bubbles: true }))
}
