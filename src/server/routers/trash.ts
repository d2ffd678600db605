import { ById } from '#shared/schemas/fields.ts'
import { ListTrash, RestoreFromTrash } from '#shared/schemas/trash.ts'
import {
  listTrash,
  removeContractForGood,
  removeCustomerForGood,
  restoreFromTrash,
} from '#server/trash/trash.service.ts'
import { readerProcedure, router, subscriberProcedure } from '#server/trpc.ts'

export const trashRouter = router({
  list: readerProcedure.input(ListTrash).query(({ ctx, input }) => listTrash(ctx, input)),
  restore: subscriberProcedure.input(RestoreFromTrash).mutation(({ ctx, input }) => restoreFromTrash(ctx, input)),
  removeContract: subscriberProcedure.input(ById).mutation(({ ctx, input }) => removeContractForGood(ctx, input)),
  removeCustomer: subscriberProcedure.input(ById).mutation(({ ctx, input }) => removeCustomerForGood(ctx, input)),
})
