import { Alert } from '@mantine/core'
import { useEffect, useState, type ComponentType } from 'react'
import { Overlay } from '#client/ui/overlay.tsx'
import type { Toast } from './toast-list.tsx'

const SUCCESS_MS = 3000
const ERROR_MS = 5000
export const UNDO_MS = 10_000

/** Reports a success, without moving the page. */
export function toastSuccess(text: string): void {
  showToast({ tone: 'success', text })
}

/** Reports a failure, and why. */
export function toastFailure(text: string): void {
  showToast({ tone: 'error', text })
}

/**
 * Says what was done, with 10 seconds to undo it. If `onUndo` returns a promise, it stays until that settles; `onUndo`
 * reports its own failure. @returns a function that removes it.
 */
export function toastUndo(text: string, onUndo: () => unknown) {
  return showToast({ tone: 'success', text, durationMs: UNDO_MS, action: { label: 'Undo', onAct: onUndo } })
}

/** Shows any toast. @returns a function that removes it early. */
export function showToast({ tone, durationMs = tone === 'error' ? ERROR_MS : SUCCESS_MS, ...toast }: Toast) {
  const id = `toast-${(shown += 1)}`
  isWanted = true
  wake()
  fetchList().then(
    ({ present }) => present({ id, tone, durationMs, isNearBottom, ...toast }),
    () => sayPlainly(toast.text),
  )
  return () => void fetchList().then(({ dismiss }) => dismiss(id), ignore)
}

let shown = 0
const importList = () => import('./toast-list.tsx')
let list: ReturnType<typeof importList> | undefined
let isWanted = false
/** Fetches and shows the list, once there is a page to show it on. */
let wake: () => void = ignore
let sayPlainly: (text: string) => void = ignore
/** Whether the last click was near the bottom, where toasts usually appear: then they appear at the top. */
let isNearBottom = false
const BOTTOM_PX = 220

function fetchList() {
  list ??= importList().catch((error: unknown) => {
    list = undefined
    throw error
  })
  return list
}

/**
 * The app's toasts. The code that shows them is heavy, so it loads at the first input: before the first toast, and while
 * there is still a connection.
 */
export function Toasts() {
  const [List, setList] = useState<ComponentType>()
  const [plain, setPlain] = useState('')
  useEffect(() => {
    wake = () => void fetchList().then(({ ToastList }) => setList(() => ToastList), ignore)
    const fetchOnce = wake
    // A screen may show a toast before this effect runs.
    if (isWanted) wake()
    const press = ({ clientY }: PointerEvent) => {
      isNearBottom = clientY > innerHeight - BOTTOM_PX
    }
    sayPlainly = setPlain
    addEventListener('pointerdown', press, true)
    for (const event of FIRST_INPUT_EVENTS) addEventListener(event, fetchOnce, { once: true, passive: true })
    return () => {
      removeEventListener('pointerdown', press, true)
      for (const event of FIRST_INPUT_EVENTS) removeEventListener(event, fetchOnce)
      void list?.then(({ dismissAll }) => dismissAll())
    }
  }, [])
  return (
    <>
      {List && <List />}
      {plain && (
        <Overlay>
          <Alert role="alert" variant="filled" withCloseButton closeButtonLabel="Dismiss" onClose={() => setPlain('')}>
            {plain}
          </Alert>
        </Overlay>
      )}
    </>
  )
}

const FIRST_INPUT_EVENTS = ['pointerover', 'pointerdown', 'keydown', 'focusin']

function ignore(): void {}
