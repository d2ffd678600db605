import { AddContact, EditContact, MakeFirst, RemoveContact } from '#shared/schemas/customer-contacts.ts'
import { ById } from '#shared/schemas/fields.ts'
import { addContact, changeContact, listContacts, makeFirst, removeContact } from '#server/contacts/contacts.service.ts'
import { clearContactBounce } from '#server/deliverability/bounces.service.ts'
import { seen } from '#server/db/seen-version.ts'
import { readerProcedure, router, subscriberProcedure } from '#server/trpc.ts'

export const contactsRouter = router({
  list: readerProcedure.input(ById).query(({ ctx, input }) => listContacts(ctx, input)),
  add: subscriberProcedure.input(AddContact).mutation(({ ctx, input }) => addContact(ctx, input)),
  update: subscriberProcedure
    .input(EditContact)
    .mutation(({ ctx, input: { version, ...input } }) => changeContact(ctx, input, seen(version))),
  remove: subscriberProcedure
    .input(RemoveContact)
    .mutation(({ ctx, input: { version, ...input } }) => removeContact(ctx, input, seen(version))),
  clearBounce: subscriberProcedure.input(ById).mutation(({ ctx, input }) => clearContactBounce(ctx, input)),
  makeFirst: subscriberProcedure.input(MakeFirst).mutation(({ ctx, input }) => makeFirst(ctx, input)),
})
