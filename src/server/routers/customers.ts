import { ListCustomers } from '#shared/schemas/filters.ts'
import { CreateCustomer, UpdateCustomer } from '#shared/schemas/customers.ts'
import { ById } from '#shared/schemas/fields.ts'
import {
  createCustomer,
  customerFigures,
  getCustomer,
  listCustomers,
  removeCustomer,
  updateCustomer,
} from '#server/customers/customers.service.ts'
import { readerProcedure, router, subscriberProcedure } from '#server/trpc.ts'

export const customersRouter = router({
  list: readerProcedure.input(ListCustomers).query(({ ctx, input }) => listCustomers(ctx, input)),
  figures: readerProcedure.query(({ ctx }) => customerFigures(ctx)),
  get: readerProcedure.input(ById).query(({ ctx, input }) => getCustomer(ctx, input)),
  create: subscriberProcedure.input(CreateCustomer).mutation(({ ctx, input }) => createCustomer(ctx, input)),
  update: subscriberProcedure.input(UpdateCustomer).mutation(({ ctx, input }) => updateCustomer(ctx, input)),
  remove: subscriberProcedure.input(ById).mutation(({ ctx, input }) => removeCustomer(ctx, input)),
})
