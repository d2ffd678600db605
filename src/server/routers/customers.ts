import { ListCustomers } from '#shared/schemas/filters.ts'
import { CreateCustomer, EditCustomer } from '#shared/schemas/customers.ts'
import { ById } from '#shared/schemas/fields.ts'
import {
  createCustomer,
  customerFigures,
  getCustomer,
  listCustomers,
  removeCustomer,
  updateCustomer,
} from '#server/customers/customers.service.ts'
import { seen } from '#server/db/seen-version.ts'
import { readerProcedure, router, subscriberProcedure } from '#server/trpc.ts'

export const customersRouter = router({
  list: readerProcedure.input(ListCustomers).query(({ ctx, input }) => listCustomers(ctx, input)),
  figures: readerProcedure.query(({ ctx }) => customerFigures(ctx)),
  get: readerProcedure.input(ById).query(({ ctx, input }) => getCustomer(ctx, input)),
  create: subscriberProcedure.input(CreateCustomer).mutation(({ ctx, input }) => createCustomer(ctx, input)),
  update: subscriberProcedure
    .input(EditCustomer)
    .mutation(({ ctx, input: { version, ...input } }) => updateCustomer(ctx, input, seen(version))),
  remove: subscriberProcedure.input(ById).mutation(({ ctx, input }) => removeCustomer(ctx, input)),
})
