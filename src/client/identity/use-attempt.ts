import { useState } from 'react'
import { NETWORK_ERROR } from '#client/api/rest-failure.ts'
import { useFocusAfterBusy } from '#client/ui/use-focus-after-busy.ts'
import { clerkTexts } from './clerk-texts.ts'

export type Step = () => Promise<{ error: unknown }>

interface Form {
  getValues(): object
  setErrors(errors: Record<string, string>): void
  getInputNode(field: string): HTMLElement | null
}

/**
 * Takes steps with Clerk, one after the other until one is refused. Clerk's messages then appear at the fields they are
 * about; `fieldsOf` maps Clerk's names to the form's. Resolves to whether all steps succeeded.
 */
export function useAttempt(form: Form, fieldsOf: Record<string, string> = {}) {
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  useFocusAfterBusy(busy)

  async function attempt(...steps: Step[]): Promise<boolean> {
    setBusy(true)
    setFailure(undefined)
    const error = await firstError(steps)
    setBusy(false)
    if (!error) return true

    const texts = clerkTexts(error, [...Object.keys(form.getValues()), ...Object.keys(fieldsOf)])
    const errors = Object.entries(texts.fields).map(([name, text]) => [fieldsOf[name] ?? name, text] as const)
    setFailure(texts.failure)
    form.setErrors(Object.fromEntries(errors))
    const [[first] = []] = errors
    if (first) form.getInputNode(first)?.focus()
    return false
  }
  return { busy, failure, attempt }
}

/** What Clerk throws instead of returning, as a step. */
export function asStep(act: () => Promise<unknown>): Step {
  return async () => {
    await act()
    return { error: null }
  }
}

async function firstError(steps: Step[]): Promise<unknown> {
  for (const step of steps) {
    // Without a connection Clerk's script calls nobody, and reports no error.
    if (!navigator.onLine) return new Error(NETWORK_ERROR)
    const { error } = await step().catch(asOutcome)
    if (error) return error
  }
  return undefined
}

function asOutcome(error: unknown): { error: unknown } {
  return { error }
}
