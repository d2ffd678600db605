import { useEffect, useEffectEvent, useState } from 'react'
import { toastSuccess } from '#client/ui/toasts.tsx'

interface DialogForm<Values> {
  form: { clearErrors: () => void; setInitialValues: (values: Values) => void; reset: () => void }
  opened: boolean
  /** What the form has each time it opens. */
  valuesAtStart: () => Values
  onClose: () => void
}

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
  const succeed = (text: string) => {
    toastSuccess(text)
    close()
  }
  return { failure, setFailure, close, succeed }
}
