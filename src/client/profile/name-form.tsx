import { Button, Group, SimpleGrid, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useUser } from '#client/identity/session-context.tsx'
import { UnsavedChanges } from '#client/forms/unsaved-changes.tsx'
import { FormFailure } from '#client/ui/form-failure.tsx'

/** Changes the first and last name. */
export function NameForm({ onClose }: { onClose: () => void }) {
  const user = useUser()
  const form = useForm({
    initialValues: { firstName: user.firstName ?? '', lastName: user.lastName ?? '' },
    transformValues: ({ firstName, lastName }) => ({ firstName: firstName.trim(), lastName: lastName.trim() }),
  })
  const save = useMutation({
    mutationFn: (names: { firstName: string; lastName: string }) => user.update(names),
    onSuccess: onClose,
  })
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  return (
    <form noValidate aria-label="Personal details" onSubmit={form.onSubmit((names) => save.mutate(names))}>
      <UnsavedChanges isDirty={form.isDirty()} />
      <Stack>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
          <TextInput ref={first} label="First name" autoComplete="given-name" {...form.getInputProps('firstName')} />
          <TextInput label="Last name" autoComplete="family-name" {...form.getInputProps('lastName')} />
        </SimpleGrid>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" disabled={save.isPending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Save
          </Button>
        </Group>
        {save.error && <FormFailure>{save.error.message}</FormFailure>}
      </Stack>
    </form>
  )
}
