import { ById } from '#shared/schemas/fields.ts'
import { ListImports, MappingKey } from '#shared/schemas/imports.ts'
import { listMappings, removeMapping } from '#server/imports/column-mappings.ts'
import { getImport, listImports, undoImport } from '#server/imports/imports.service.ts'
import { loadSample } from '#server/imports/sample.service.ts'
import { readerProcedure, router, subscriberProcedure } from '#server/trpc.ts'

export const importsRouter = router({
  list: readerProcedure.input(ListImports).query(({ ctx, input }) => listImports(ctx, input)),
  get: readerProcedure.input(ById).query(({ ctx, input }) => getImport(ctx, input)),
  mappings: readerProcedure.query(({ ctx }) => listMappings(ctx)),
  removeMapping: subscriberProcedure.input(MappingKey).mutation(({ ctx, input }) => removeMapping(ctx, input)),
  loadSample: subscriberProcedure.mutation(({ ctx }) => loadSample(ctx)),
  undo: subscriberProcedure.input(ById).mutation(({ ctx, input }) => undoImport(ctx, input)),
})
