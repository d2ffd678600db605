import { schemaResolver, useForm } from '@mantine/form'
import { AddContact } from '#shared/schemas/customer-contacts.ts'
import { failureText } from '#client/api/failure-text.ts'
import { trpc, type Inputs, type Outputs, type TrpcClient } from '#client/api/trpc.ts'
import { inRows, useAtOnce, type WithRows } from '#client/api/use-at-once.ts'
import { useRefresh } from '#client/api/use-refresh.ts'
import { changedFields } from '#client/forms/changed-fields.ts'
import type { ConflictField } from '#client/forms/conflict-choices.tsx'
import { saveMerged } from '#client/forms/edit-conflict.ts'
import { useSaveMerged } from '#client/forms/use-save-merged.ts'
import { toastFailure, toastSuccess, toastUndo } from '#client/ui/toasts/toasts.tsx'

export type Contact = Outputs['contacts']['list'][number]

const FAILURE = { failed: 'Failed to save contact', network: 'Network error' }

export function contactValues(contact: Contact | undefined) {
  return {
    name: contact?.name ?? '',
    role: contact?.role ?? '',
    email: contact?.email ?? '',
    phone: contact?.phone ?? '',
    reminders: contact?.reminders ?? true,
    version: contact?.version ?? 0,
  }
}
export type ContactValues = ReturnType<typeof contactValues>

/** The ID is the server's concern. */
const wrongFields = schemaResolver(AddContact, { sync: true })

export function useContactForm() {
  return useForm<ContactValues>({
    initialValues: contactValues(undefined),
    validate: (values) => wrongFields({ ...values, id: 1 }),
  })
}

/** Adds a contact of a customer, or changes what differs from `before`. */
export function useSaveContact(customerId: number, contact: Contact | undefined) {
  const refresh = useRefresh()
  const { client } = trpc.useUtils()
  const edit = ({ id }: Contact, values: ContactValues, before: ContactValues) =>
    saveMerged({
      values,
      before,
      save: (merged, seen) =>
        client.contacts.update.mutate({
          id,
          version: seen.version,
          ...changedFields(fieldsOf(seen), fieldsOf(merged)),
        }),
      current: async () => contactValues(await currentContact(client, { id, customerId })),
    })
  return async (values: ContactValues, before: ContactValues) => {
    const saved = contact
      ? await edit(contact, values, before)
      : await client.contacts.add.mutate({ id: customerId, ...fieldsOf(values) })
    void refresh()
    return { id: saved.id, message: contact ? 'Contact updated' : 'Contact added' }
  }
}

async function currentContact(client: TrpcClient, { id, customerId }: Pick<Contact, 'id' | 'customerId'>) {
  const contacts = await client.contacts.list.query({ id: customerId })
  return contacts.find((one) => one.id === id)
}

function fieldsOf({ version: _version, ...fields }: ContactValues) {
  return fields
}

export const CONTACT_CONFLICTS: ConflictField<ContactValues>[] = [
  { name: 'name', label: 'Name' },
  { name: 'role', label: 'Role' },
  { name: 'email', label: 'Email' },
  { name: 'phone', label: 'Phone' },
  { name: 'reminders', label: 'Reminders' },
]

export function contactFailure(error: unknown) {
  return { text: failureText(error, FAILURE) }
}

/** What can be done with a contact at once. */
export function useContactActions({ id, version, customerId, name, role, email, phone, reminders }: Contact) {
  const refresh = useRefresh()
  const { client } = trpc.useUtils()
  const onError = (error: unknown) => toastFailure(failureText(error, FAILURE))
  const restore = () => {
    const fields = { name: name ?? '', role, email, phone, reminders }
    return client.contacts.add.mutate({ id: customerId, ...fields }).then(refresh, onError)
  }
  const turn = useSaveMerged<Reminded, WithRows<Contact>>({
    feature: 'contacts',
    scope: `contact-${id}`,
    changeOf: (values) => inRows<Contact>((contact) => ({ ...contact, reminders: values.reminders }), id),
    failure: FAILURE,
    save: (values, seen) => client.contacts.update.mutate({ id, version: seen.version, reminders: values.reminders }),
    current: async () => contactValues(await currentContact(client, { id, customerId })),
  })
  const remove = trpc.contacts.remove.useMutation({
    ...useAtOnce('contacts', removed, { failure: FAILURE }),
    onSuccess: () => toastUndo(`${name} deleted`, restore),
  })
  const makeFirst = trpc.contacts.makeFirst.useMutation({
    onError,
    onSettled: refresh,
    onSuccess: () => toastSuccess(`${name} is the first contact now`),
  })
  return {
    isBusy: makeFirst.isPending,
    turnReminders: (to: boolean) => {
      const before = { reminders, version }
      turn.mutate({ values: { ...before, reminders: to }, before })
    },
    remove: () => remove.mutate({ id, version }),
    makeFirst: () => makeFirst.mutate({ id, version }),
  }
}

type Reminded = Pick<Contact, 'reminders' | 'version'>

function removed({ id }: Inputs['contacts']['remove']) {
  return inRows<Contact>(() => null, Number(id))
}
