const TYPED_INTO = 'input, textarea, select, [contenteditable], [role=menu], [role=listbox]'

/** The character that was pressed, if it is no part of anything else: a text, a menu, a dialog, or another shortcut. */
export function plainKey({
  key,
  target,
  ctrlKey,
  metaKey,
  altKey,
  defaultPrevented,
}: KeyboardEvent): string | undefined {
  if (key.length !== 1 || ctrlKey || metaKey || altKey || defaultPrevented) return undefined
  if (target instanceof Element && target.closest(TYPED_INTO)) return undefined
  // A dialog that is fading out does not count.
  if (document.querySelector('[aria-modal=true]:not([data-closing])')) return undefined
  return key
}

const STORED = 'traxx-shortcuts'

/** Whether single keys are shortcuts, which can be turned off. */
export function areShortcutsOn(): boolean {
  return localStorage.getItem(STORED) !== 'off'
}

export function turnShortcuts(on: boolean): void {
  localStorage.setItem(STORED, on ? 'on' : 'off')
}
