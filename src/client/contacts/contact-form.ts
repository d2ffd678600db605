import { schemaResolver, useForm } from '@mantine/form'
import { AddContact } from '#shared/schemas/customer-contacts.ts'
import { failureText } from '#client/api/failure-text.ts'
import { trpc, type Outputs, type TrpcClient } from '#client/api/trpc.ts'
import { inRows, type WithRows } from '#client/api/use-at-once.ts'
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
      current: (refusal) => {
        // The list is older than what the change was refused for.
        void refresh()
        return currentValues(client, before, { id, customerId, refusal })
      },
    })
  return async (values: ContactValues, before: ContactValues) => {
    const saved = contact
      ? await edit(contact, values, before)
      : await client.contacts.add.mutate({ id: customerId, ...fieldsOf(values) })
    void refresh()
    return { id: saved.id, message: contact ? 'Contact updated' : 'Contact added' }
  }
}

interface Refused extends Pick<Contact, 'id' | 'customerId'> {
  refusal: unknown
}

/**
 * The contact as it is now, after a change was refused for what it was before.
 * @throws the refusal if it has been deleted, or another contact has the ID because this one has been made the first
 */
async function currentValues(
  client: TrpcClient,
  before: ContactValues,
  { id, customerId, refusal }: Refused,
): Promise<ContactValues> {
  const contacts = await client.contacts.list.query({ id: customerId })
  const found = contacts.find((one) => one.id === id)
  const current = contactValues(found)
  const isElsewhere = contacts
    .filter((one) => one !== found)
    .map(contactValues)
    .some(({ name, email }) => name === before.name && email === before.email)
  const isAnother = current.name !== before.name && current.email !== before.email
  if (!found || isElsewhere || isAnother) throw refusal
  return current
}

/** The same for one that is deleted. @throws the refusal also if anything but its switch has been changed */
async function deletedValues(client: TrpcClient, before: ContactValues, refused: Refused): Promise<ContactValues> {
  const current = await currentValues(client, before, refused)
  const changed = Object.keys(changedFields(fieldsOf(before), fieldsOf(current)))
  if (changed.some((name) => name !== 'reminders')) throw refused.refusal
  return current
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
export function useContactActions(contact: Contact) {
  const { id, version, customerId, name } = contact
  const refresh = useRefresh()
  const { client } = trpc.useUtils()
  const before = contactValues(contact)
  const onError = (error: unknown) => toastFailure(failureText(error, FAILURE))
  const restore = (deleted: ContactValues) =>
    client.contacts.add.mutate({ id: customerId, ...fieldsOf(deleted) }).then(refresh, onError)
  const own = { feature: 'contacts', scope: `contact-${id}`, failure: FAILURE } as const
  const turn = useSaveMerged<ContactValues, WithRows<Contact>>({
    ...own,
    changeOf: ({ reminders }) => inRows<Contact>((one) => ({ ...one, reminders }), id),
    save: ({ reminders }, seen) => client.contacts.update.mutate({ id, version: seen.version, reminders }),
    current: (refusal) => currentValues(client, before, { id, customerId, refusal }),
  })
  const remove = useSaveMerged<ContactValues, WithRows<Contact>>({
    ...own,
    changeOf: () => inRows<Contact>(() => null, id),
    save: async (deleted, seen) => {
      await client.contacts.remove.mutate({ id, version: seen.version })
      toastUndo(`${name} deleted`, () => restore(deleted))
    },
    current: (refusal) => deletedValues(client, before, { id, customerId, refusal }),
  })
  const makeFirst = trpc.contacts.makeFirst.useMutation({
    onError,
    onSettled: refresh,
    onSuccess: () => toastSuccess(`${name} is the first contact now`),
  })
  return {
    isBusy: makeFirst.isPending,
    turnReminders: (reminders: boolean) => turn.mutate({ values: { ...before, reminders }, before }),
    remove: () => remove.mutate({ values: before, before }),
    makeFirst: () => makeFirst.mutate({ id, version }),
  }
}
