import { useState } from 'react'
import type { Outputs } from '#client/api/trpc.ts'

export type Company = Outputs['company']['get']
export type Draft = Record<'name' | 'replyTo' | 'postalAddress', string>

/** What is being typed, over what is saved. */
export function useCompanyDraft({ name, replyTo, postalAddress }: Company) {
  const [changes, setChanges] = useState<Partial<Draft>>({})
  const saved: Draft = { name: name ?? '', replyTo: replyTo ?? '', postalAddress: postalAddress ?? '' }
  const draft: Draft = { ...saved, ...changes }
  const isOther = (field: keyof Draft) => draft[field].trim() !== saved[field]
  return {
    draft,
    isChanged: isOther('name') || isOther('replyTo') || isOther('postalAddress'),
    change: (more: Partial<Draft>) => setChanges((before) => ({ ...before, ...more })),
    reset: () => setChanges({}),
    /** Drops drafts equal to what was saved. */
    settle: (sent: Draft) =>
      setChanges((now) => ({
        ...(now.name !== sent.name && pick(now, 'name')),
        ...(now.replyTo !== sent.replyTo && pick(now, 'replyTo')),
        ...(now.postalAddress !== sent.postalAddress && pick(now, 'postalAddress')),
      })),
    /** What the server is sent: the fields that are another. */
    changed: {
      ...(isOther('name') && { name: draft.name }),
      ...(isOther('replyTo') && { replyTo: draft.replyTo.trim() || null }),
      ...(isOther('postalAddress') && { postalAddress: draft.postalAddress.trim() || null }),
    },
  }
}

function pick(draft: Partial<Draft>, field: keyof Draft): Partial<Draft> {
  return draft[field] === undefined ? {} : { [field]: draft[field] }
}
