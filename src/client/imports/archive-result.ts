import * as z from 'zod/mini'
import { day } from '#shared/schemas/fields.ts'

/** What an archive brings, or has brought. */
export const ArchiveResult = z.object({
  isPreview: z.boolean(),
  counts: z.object({
    customers: z.number(),
    contracts: z.number(),
    inTrash: z.number(),
    contacts: z.number(),
    terms: z.number(),
    notes: z.number(),
    tags: z.number(),
    views: z.number(),
    pdfs: z.number(),
    changes: z.number(),
    messages: z.number(),
    closedAddresses: z.number(),
  }),
  figures: z.object({
    activeContracts: z.number(),
    totalRevenue: z.number(),
    monthlyRevenue: z.number(),
    overdue: z.number(),
  }),
  mail: z.object({
    emails: z.number(),
    customers: z.number(),
    isAll: z.boolean(),
    first: z.array(z.object({ customerName: z.string(), day: day('Must be a date') })),
  }),
  leftOut: z.object({
    missingPdfs: z.number(),
    waitingMessages: z.number(),
    views: z.number(),
    textsWithLinks: z.number(),
  }),
  unconfirmedReplyTo: z.nullable(z.string()),
  confirmsRenewals: z.boolean(),
})
export type ArchiveResult = z.output<typeof ArchiveResult>
