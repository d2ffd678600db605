import { useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { screenTitle } from '#client/browser/screen-title.ts'

/** Sets the browser's title, and moves the focus to a new screen. */
export function useScreenChange(): void {
  const title = useRouterState({ select: ({ matches }) => screenTitle(matches) })
  useEffect(() => {
    document.title = title
  }, [title])

  const router = useRouter()
  useEffect(
    () =>
      router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
        if (fromLocation && pathChanged) focusOnScreen()
      }),
    [router],
  )
}

/** Leaves the focus where the screen has put it. */
function focusOnScreen(): void {
  if (document.activeElement?.matches('input, textarea, select')) return
  const target = document.querySelector<HTMLElement>('h1') ?? document.querySelector<HTMLElement>('main')
  if (!target) return
  target.tabIndex = -1
  target.focus({ preventScroll: true })
}
