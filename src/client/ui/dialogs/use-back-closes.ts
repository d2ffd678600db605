import { useRouter, type RouterHistory } from '@tanstack/react-router'
import { useEffectEvent, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'

interface OpenDialog {
  /** Closes it, asks first, or stays. */
  leave: () => void
  hasChanges: () => boolean
}

/**
 * Lets the browser's Back close a dialog instead of leaving the screen. While any dialog is open, one more entry of the
 * browser's history, with the same address, lies above the screen's. The router never sees it: it navigates from its
 * own entry, and asks first if a dialog would lose changes.
 */
export function useBackCloses(isOpen: boolean, dialog: OpenDialog): void {
  const router = useRouter({ warn: false })
  const leave = useEffectEvent(() => dialog.leave())
  const hasChanges = useEffectEvent(() => dialog.hasChanges())
  useLayoutEffect(() => {
    // Parts are also rendered on their own, without a router.
    if (!isOpen || !router?.history) return undefined
    return add(router.history, { leave: () => leave(), hasChanges: () => hasChanges() })
  }, [isOpen, router])
}

const MARK = 'dialog'
/** Longer than a step in the history takes. Without it, one that never ends would block every navigation. */
const STEP_MS = 1000

const dialogs: OpenDialog[] = []
/** The history whose popstate events are handled here. */
let known: RouterHistory | undefined
/** A step in the history that was begun here. */
let step: PromiseWithResolvers<void> | undefined
let unblock: (() => void) | undefined

function add(history: RouterHistory, dialog: OpenDialog): () => void {
  if (known !== history) {
    known = history
    // Before the router's own listener.
    window.addEventListener('popstate', (event) => known === history && pop(history, event), { capture: true })
  }
  dialogs.push(dialog)
  settleSoon(history)
  return () => {
    dialogs.splice(dialogs.indexOf(dialog), 1)
    settleSoon(history)
  }
}

function settleSoon(history: RouterHistory): void {
  queueMicrotask(() => settle(history))
}

/** Adds the entry when a dialog opens, and removes it when the last one closes. */
function settle(history: RouterHistory): void {
  if (step) return
  if (dialogs.length > 0) {
    unblock ??= history.block({
      blockerFn: (navigation) => hold(history, navigation),
      enableBeforeUnload: () => dialogs.some(({ hasChanges }) => hasChanges()),
    })
    if (!isMarked() && keyOf(window.history.state) === routerKey(history)) mark()
  } else if (isMarked()) {
    go(history, -1)
  } else {
    unblock?.()
    unblock = undefined
  }
}

// The prototype's own: the router has replaced the one of this object, and would take the entry for a navigation.
function mark(): void {
  History.prototype.pushState.call(window.history, { ...recordOf(window.history.state), [MARK]: true }, '')
}

function go(history: RouterHistory, delta: 1 | -1): void {
  const begun = Promise.withResolvers<void>()
  step = begun
  window.history.go(delta)
  setTimeout(() => step === begun && arrive(history), STEP_MS)
}

function arrive(history: RouterHistory): void {
  step?.resolve()
  step = undefined
  // What waited for it comes first.
  setTimeout(() => settle(history))
}

function pop(history: RouterHistory, event: PopStateEvent): void {
  // To another screen, or another page of one.
  if (keyOf(event.state) !== routerKey(history)) return arrive(history)
  event.stopImmediatePropagation()
  if (step) return arrive(history)
  if (!isMarked()) {
    flushSync(() => dialogs.at(-1)?.leave())
    // Its entry is still there, and browsers skip one that is added without a click.
    if (dialogs.length > 0) return go(history, 1)
  }
  return settle(history)
}

type Navigation = Parameters<Parameters<RouterHistory['block']>[0]['blockerFn']>[0]

/** Holds a navigation until the router is back at its own entry. @returns whether it may not happen */
async function hold(history: RouterHistory, { action, currentLocation, nextLocation }: Navigation): Promise<boolean> {
  if (action !== 'PUSH' && action !== 'REPLACE') return false
  const isLeaving = currentLocation.pathname !== nextLocation.pathname
  const changed = isLeaving && dialogs.find(({ hasChanges }) => hasChanges())
  if (changed) {
    changed.leave()
    return true
  }
  if (!step && isMarked()) go(history, -1)
  await step?.promise
  return false
}

function isMarked(): boolean {
  return recordOf(window.history.state)[MARK] === true
}

function routerKey({ location }: RouterHistory): unknown {
  return keyOf(location.state)
}

function keyOf(state: unknown): unknown {
  return recordOf(state)['__TSR_key']
}

function recordOf(state: unknown): Record<string, unknown> {
  return typeof state === 'object' ? { ...state } : {}
}
