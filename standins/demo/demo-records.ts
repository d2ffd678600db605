import { Readable } from 'node:stream'
import type { Day } from '#shared/domain/day.ts'
import { UpdateCompany } from '#shared/schemas/company.ts'
import { CreateContract } from '#shared/schemas/contracts.ts'
import { CreateCustomer } from '#shared/schemas/customers.ts'
import { updateCompany } from '#server/company/company.service.ts'
import { asSubscriber, requireReader, type RequestContext, type SubscriberContext } from '#server/context.ts'
import { ContractEntity } from '#server/contracts/contract.entity.ts'
import { createContract } from '#server/contracts/contracts.service.ts'
import { CustomerEntity } from '#server/customers/customer.entity.ts'
import { createCustomer, customerFigures } from '#server/customers/customers.service.ts'
import { readInstallation } from '#server/files/files.service.ts'
import { newPdfKey } from '#server/files/store-pdf.ts'
import { NotificationEntity } from '#server/notifications/notification.entity.ts'
import { demoData, type DemoData } from './demo-data.ts'
import { agreementPdf } from './demo-pdf.ts'
import type { DemoContract } from './demo-terms.ts'

const HOUR = 3_600_000
const DEMO_COMPANY = { name: 'Whitfield Office Services', postalAddress: '120 Harbor Street\nPortland, ME 04101' }

/** Gives the account its customers, contracts and notifications, all or nothing; once. */
export async function fillDemo(request: RequestContext): Promise<void> {
  const reader = requireReader(request)
  if ((await customerFigures(reader)).total > 0) return
  const data = demoData(reader.today)
  const pdfPaths = await storePdfs(request, data)
  await asSubscriber(request, async (ctx) => {
    await updateCompany(ctx, UpdateCompany.parse(DEMO_COMPANY))
    const customerIds = await addCustomers(ctx, data)
    const contractIds = await addContracts(ctx, data.contracts, { customerIds, pdfPaths })
    addNotifications(ctx, data, contractIds)
    await ctx.em.flush()
  })
}

/** The key of each contract's PDF, where it has one. */
async function storePdfs({ db, services }: RequestContext, { customers, contracts }: DemoData) {
  const installation = await readInstallation(db.system)
  return Promise.all(
    contracts.map(async (contract) => {
      if (!contract.hasPdf) return null
      const key = newPdfKey(installation)
      const pdf = agreementPdf({ ...contract, customerName: customers[contract.customer]?.name ?? '' })
      await services.files.write(key, Readable.from([pdf]))
      return key
    }),
  )
}

async function addCustomers(ctx: SubscriberContext, { customers }: DemoData): Promise<number[]> {
  const ids: number[] = []
  for (const { addedOn, ...customer } of customers) {
    const { id } = await createCustomer(ctx, CreateCustomer.parse(customer))
    ctx.em.getReference(CustomerEntity, id).createdAt = workdayOf(addedOn, ctx.services.now())
    ids.push(id)
  }
  return ids
}

interface Known {
  customerIds: number[]
  pdfPaths: (string | null)[]
}

async function addContracts(
  ctx: SubscriberContext,
  contracts: DemoContract[],
  { customerIds, pdfPaths }: Known,
): Promise<number[]> {
  const ids: number[] = []
  for (const [index, { customer, hasPdf, ...contract }] of contracts.entries()) {
    const { id } = await createContract(ctx, CreateContract.parse({ ...contract, customerId: customerIds[customer] }))
    const added = ctx.em.getReference(ContractEntity, id)
    // The notifications tell already what today has brought.
    added.remindersSince = new Date(ctx.services.now().getTime() + 24 * HOUR)
    if (hasPdf) added.pdfPath = pdfPaths[index] ?? null
    ids.push(id)
  }
  return ids
}

function addNotifications(
  { em, accountId, services }: SubscriberContext,
  { notifications }: DemoData,
  contractIds: readonly number[],
): void {
  const now = services.now().getTime()
  for (const { hoursAgo, isRead, contract, ...notification } of notifications) {
    const createdAt = new Date(now - hoursAgo * HOUR)
    const readAt = isRead ? new Date(createdAt.getTime() + HOUR) : null
    const actionUrl = contract === null ? null : `/contracts?open=${contractIds[contract]}`
    em.create(NotificationEntity, { ...notification, actionUrl, accountId, createdAt, readAt })
  }
}

/** In the afternoon of that day, but never in the future. */
function workdayOf(day: Day, now: Date): Date {
  return new Date(Math.min(Date.parse(`${day}T18:00:00Z`), now.getTime()))
}
