import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { failureText, type FailureTexts } from '#client/api/failure-text.ts'
import { useAtOnce } from '#client/api/use-at-once.ts'
import { toastFailure } from '#client/ui/toasts/toasts.tsx'
import { EditConflict, saveMerged, type Edit, type Versioned } from './edit-conflict.ts'

const CONFLICT = 'Not saved: somebody else has changed it meanwhile'

interface SaveMerged<Values, Answer> extends Pick<Edit<Values, unknown>, 'save' | 'current'> {
  feature: Parameters<typeof useAtOnce>[0]
  /** Names the row: edits of the same row are saved one after the other, so that the last one wins. */
  scope: string
  /** What an edit makes of an answer that is on screen. */
  changeOf: (values: Values) => (answer: Answer) => Answer
  failure: FailureTexts
}

/**
 * Saves what is chosen at once, such as a switch, with the version that was seen. It shows before the server has answered.
 * What somebody else has changed meanwhile is kept. A conflict is left to whoever saves, as long as that is on screen; a
 * toast says any other failure.
 */
export function useSaveMerged<Values extends Versioned, Answer>(how: SaveMerged<Values, Answer>) {
  const { feature, scope, changeOf, failure, save, current } = how
  const { onError, ...atOnce } = useAtOnce(feature, ({ values }: Pick<Edit<Values, unknown>, 'values'>) =>
    changeOf(values),
  )
  const isShown = useIsShown()
  return useMutation({
    mutationFn: ({ values, before }: Pick<Edit<Values, unknown>, 'values' | 'before'>) =>
      saveMerged({ values, before, save, current }),
    scope: { id: scope },
    ...atOnce,
    onError: (error, variables, change) => {
      onError(error, variables, change)
      if (!(error instanceof EditConflict)) toastFailure(failureText(error, failure))
      else if (!isShown()) toastFailure(CONFLICT)
    },
  })
}

/** Whether the component is still on screen. */
function useIsShown(): () => boolean {
  const shown = useRef(false)
  useEffect(() => {
    shown.current = true
    return () => {
      shown.current = false
    }
  }, [])
  return () => shown.current
}
