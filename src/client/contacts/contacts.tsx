import { QueryError } from '#client/api/query-error.tsx'
import { trpc } from '#client/api/trpc.ts'
import { ChangeButton } from '#client/forms/read-only.tsx'
import { useDialogAbout } from '#client/ui/dialogs/use-dialog-about.ts'
import { ENTRIES, useRowFocus } from '#client/ui/lists/use-row-focus.ts'
import { PageSection } from '#client/ui/page-section.tsx'
import { Placeholder } from '#client/ui/placeholder.tsx'
import { ContactDialog } from './contact-dialog.tsx'
import { ContactEntry } from './contact-entry.tsx'
import type { Contact } from './contact-form.ts'
import classes from './contacts.module.css'

interface ContactsProps {
  customerId: number
  /** Also that email to the first contact bounced, which the customer's page says elsewhere. */
  saysFirstBounce?: boolean
}

/** Whom one writes to at a customer, the first contact first. */
export function Contacts({ customerId, saysFirstBounce = false }: ContactsProps) {
  const contacts = trpc.contacts.list.useQuery({ id: customerId })
  const form = useDialogAbout<Contact | undefined>()
  const { list } = useRowFocus(contacts.data, ENTRIES)
  return (
    <>
      <div {...list}>
        <PageSection
          title="Contacts"
          action={
            <ChangeButton size="xs" variant="default" onClick={() => form.open(undefined)}>
              Add Contact
            </ChangeButton>
          }
        >
          {contacts.isPending && <Placeholder heights={[60]} />}
          <QueryError query={contacts} failed="Failed to fetch contacts" />
          {contacts.data && (
            <ul className={classes.list} aria-label="Contacts">
              {contacts.data.map((contact) => (
                <ContactEntry
                  key={contact.id}
                  contact={contact}
                  saysBounce={saysFirstBounce || !contact.isFirst}
                  onEdit={() => form.open(contact)}
                />
              ))}
            </ul>
          )}
        </PageSection>
      </div>
      <ContactDialog opened={form.opened} customerId={customerId} contact={form.about} onClose={form.close} />
    </>
  )
}
