import { Button, Stack, Text, Title } from '@mantine/core'
import { useEffect, useRef, type ReactNode, type SubmitEventHandler } from 'react'
import { FormFailure } from '#client/ui/form-failure.tsx'
import { ignoreHeldEnter } from '#client/ui/ignore-held-enter.ts'

interface IdentityFormProps {
  title: string
  /** Lines between the heading and the fields. */
  lead?: ReactNode
  /** The fields. */
  children: ReactNode
  submitLabel: string
  busy: boolean
  failure: string | undefined
  onSubmit: SubmitEventHandler<HTMLFormElement>
  /** What else can be done, below the button. */
  footer?: ReactNode
}

/** One step of signing in or up. Focuses its first field. */
export function IdentityForm({ title, lead, children, footer, ...rest }: IdentityFormProps) {
  const { submitLabel, busy, failure, onSubmit } = rest
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  return (
    <form ref={form} noValidate onSubmit={onSubmit} aria-busy={busy} onKeyDownCapture={ignoreHeldEnter}>
      <Stack>
        <Stack gap={4} ta="center" mb="xs">
          <Title order={1} size="h2">
            {title}
          </Title>
          {lead && (
            <Text component="div" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
              {lead}
            </Text>
          )}
        </Stack>
        {children}
        <Button type="submit" fullWidth size="md" loading={busy}>
          {submitLabel}
        </Button>
        <FormFailure>{failure}</FormFailure>
        {footer}
      </Stack>
    </form>
  )
}
