import { useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'

const PRODUCT = 'TRAXX'

/** Names the screen in the browser's title, and moves the focus to it when another screen has come. */
export function useArrival(): void {
  const title = useRouterState({ select: ({ matches }) => matches.findLast(hasTitle)?.staticData.title })
  useEffect(() => {
    document.title = title ? `${title} · ${PRODUCT}` : PRODUCT
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

function hasTitle({ staticData }: { staticData: { title?: string } }): boolean {
  return staticData.title !== undefined
}

/** A screen that has put the focus into a field keeps it there. */
function focusOnScreen(): void {
  if (document.activeElement?.matches('input, textarea, select')) return
  const target = document.querySelector<HTMLElement>('h1') ?? document.querySelector<HTMLElement>('main')
  if (!target) return
  target.tabIndex = -1
  target.focus({ preventScroll: true })
}
