import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { KeyScope } from '#shared/domain/api-key.ts'
import { useReverified } from '#client/api/use-reverified.ts'
import { trpc } from '#client/api/trpc.ts'

interface KeyDraft {
  name: string
  scope: KeyScope
  /** A calendar day, or nothing. */
  expiresOn: string
}

type NewKey = Parameters<ReturnType<typeof trpc.useUtils>['client']['identity']['createApiKey']['mutate']>[0]

export type Creating = ReturnType<typeof useCreateKey>

/** The dialog that creates an API key. It starts empty each time. */
export function useCreateKey() {
  const utils = trpc.useUtils()
  const [opened, setOpened] = useState(false)
  const form = useForm<KeyDraft>({ initialValues: { name: '', scope: 'read', expiresOn: '' } })
  const { reverified, isAsking } = useReverified()
  const { mutate, data, error, isPending, reset } = useMutation({
    mutationFn: (key: NewKey) => reverified(() => utils.client.identity.createApiKey.mutate(key)),
    onSuccess: () => utils.identity.apiKeys.invalidate(),
  })
  const forget = () => {
    reset()
    form.reset()
  }
  return {
    opened,
    form,
    /** The key itself, once it is created. */
    made: data?.key,
    error,
    busy: isPending,
    /** The dialog of reverification is open above it. */
    covered: isAsking,
    create: ({ expiresOn, ...key }: KeyDraft) => mutate({ ...key, expiresOn: expiresOn || null }),
    forget,
    open: () => {
      forget()
      setOpened(true)
    },
    close: () => setOpened(false),
  }
}
