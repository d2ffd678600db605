import { useForm } from '@mantine/form'
import { useState } from 'react'
import { trpc } from '#client/trpc.ts'

/** The dialog that makes an API key. Whoever opens it finds nothing of the last one. */
export function useCreateKey() {
  const utils = trpc.useUtils()
  const [opened, setOpened] = useState(false)
  const form = useForm({ initialValues: { name: '' } })
  const { mutate, data, error, isPending, reset } = trpc.identity.createApiKey.useMutation({
    onSuccess: () => utils.identity.apiKeys.invalidate(),
  })
  const forget = () => {
    reset()
    form.reset()
  }
  return {
    opened,
    form,
    /** The key itself, once it is made. */
    made: data?.key,
    error,
    busy: isPending,
    create: mutate,
    forget,
    open: () => {
      forget()
      setOpened(true)
    },
    close: () => setOpened(false),
  }
}
