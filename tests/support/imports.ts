import type { FastifyInstance } from 'fastify'
import { ListContracts, ListCustomers } from '#shared/schemas/filters.ts'
import type { RequestContext } from '#server/context.ts'
import { listContracts } from '#server/contracts/contracts.service.ts'
import { listCustomers } from '#server/customers/customers.service.ts'
import { upload } from './upload.ts'
import { requireReader } from './world.ts'

export const CONTRACT_HEAD = 'Customer Number,Amount,Start Date,Renewal Cycle,Renewal Date,Status'

/** Sends files of customers and of contracts as they stand in a test. */
export function useImports(server: { readonly app: FastifyInstance }) {
  return {
    importCustomers: (request: RequestContext, content: string | Buffer, query = '') =>
      upload(server, request, { url: `/customers/bulk-upload${query}`, content }),
    importContracts: (request: RequestContext, content: string | Buffer, query = '') =>
      upload(server, request, { url: `/contracts/bulk-upload${query}`, content }),
  }
}

export async function customersOf(request: RequestContext) {
  return (await listCustomers(requireReader(request), ListCustomers.parse({ sort: 'createdAt', limit: 100 }))).rows
}

export async function contractsOf(request: RequestContext) {
  return (await listContracts(requireReader(request), ListContracts.parse({ limit: 100 }))).rows
}
