import { useEffect, useEffectEvent, useState } from 'react'
import { showToast } from '#client/ui/toasts/toasts.tsx'

interface DialogForm<Values> {
  form: {
    clearErrors: () => void
    setInitialValues: (values: Values) => void
    reset: () => void
    isDirty: () => boolean
  }
  opened: boolean
  /** What the form has each time it opens. */
  valuesAtStart: () => Values
  onClose: () => void
}

/** Longer than a toast that is only read. */
const OPEN_MS = 6000

/** A form in a dialog: what it starts with, why saving failed, and how it closes. */
export function useDialogForm<Values>({ form, opened, valuesAtStart, onClose }: DialogForm<Values>) {
  const [failure, setFailure] = useState<string>()
  const start = useEffectEvent(() => {
    form.clearErrors()
    form.setInitialValues(valuesAtStart())
    form.reset()
  })
  useEffect(() => {
    if (opened) start()
  }, [opened])

  const close = () => {
    setFailure(undefined)
    onClose()
  }
  /** Says it in a toast, which leads to what was saved. */
  const succeed = (text: string, onAct?: () => void) => {
    showToast({ tone: 'success', text, ...(onAct && { durationMs: OPEN_MS, action: { label: 'Open', onAct } }) })
    close()
  }
  return { failure, setFailure, unsaved: form.isDirty(), close, succeed }
}
