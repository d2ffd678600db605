import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { MAX_LOGO_BYTES, MAX_LOGO_PIXELS, pictureOf, type LogoType } from '#shared/domain/logo.ts'
import { AppError } from '#shared/errors.ts'
import {
  asSubscriber,
  requireSubscriber,
  type ReaderContext,
  type RequestContext,
  type SubscriberContext,
} from '#server/context.ts'
import type { OpenFile } from '#server/storage/file-store.ts'
import { logoFolder, readInstallation } from '#server/files/files.service.ts'
import { discard } from '#server/files/store-pdf.ts'
import { logoAddress } from './company.view.ts'
import { lockedCompany } from './locked-company.ts'

export interface OpenLogo extends OpenFile {
  type: LogoType
}

const NAME = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(png|jpg)$/

/** A logo of any account, by its public name. @throws LOGO_NOT_FOUND */
export async function openLogo({ db, services }: Pick<RequestContext, 'db' | 'services'>, name: string) {
  const type = NAME.exec(name)?.[1]
  if (type !== 'png' && type !== 'jpg') throw new AppError('LOGO_NOT_FOUND')
  const key = `${logoFolder(await readInstallation(db.system))}/${name}`
  if (!(await services.files.exists(key))) throw new AppError('LOGO_NOT_FOUND')
  const file = await services.files.open(key)
  return { ...file, type } satisfies OpenLogo
}

/**
 * Gives the account a logo, in place of an earlier one. The type is found by the content, not the name.
 * @throws NOT_A_LOGO, LOGO_TOO_LARGE, LOGO_TOO_MANY_PIXELS, LOGO_UPLOAD_FAILED, TOO_MANY_AT_ONCE
 */
export async function attachLogo(ctx: RequestContext, bytes: AsyncIterable<Uint8Array>) {
  const reader = requireSubscriber(ctx)
  return ctx.limits.during('logoUploads', reader.accountId, () => storeAndPoint(ctx, reader, bytes))
}

/** @throws LOGO_NOT_FOUND */
export async function removeLogo(ctx: SubscriberContext): Promise<void> {
  const earlier = await pointAtLogo(ctx, null)
  if (!earlier) throw new AppError('LOGO_NOT_FOUND')
}

async function storeAndPoint(ctx: RequestContext, reader: ReaderContext, bytes: AsyncIterable<Uint8Array>) {
  const key = await storeLogo(reader, await wholeLogo(bytes))
  try {
    await asSubscriber(ctx, (subscriber) => pointAtLogo(subscriber, key))
  } catch (error) {
    if (error instanceof AppError) await discard(ctx, key)
    throw error
  }
  return { logoPath: logoAddress(key) }
}

async function wholeLogo(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > MAX_LOGO_BYTES) throw new AppError('LOGO_TOO_LARGE')
    read.push(chunk)
  }
  return Buffer.concat(read)
}

/**
 * Stores a logo that no company points at yet; a job removes what a failure leaves.
 * @throws NOT_A_LOGO, LOGO_TOO_MANY_PIXELS, LOGO_UPLOAD_FAILED
 */
export async function storeLogo({ db, services }: ReaderContext, bytes: Buffer): Promise<string> {
  const picture = pictureOf(bytes)
  if (!picture) throw new AppError('NOT_A_LOGO')
  if (Math.max(picture.width, picture.height) > MAX_LOGO_PIXELS) throw new AppError('LOGO_TOO_MANY_PIXELS')
  const key = `${logoFolder(await readInstallation(db.system))}/${randomUUID()}.${picture.type}`
  try {
    await services.files.write(key, Readable.from([bytes]))
    return key
  } catch (error) {
    throw new AppError('LOGO_UPLOAD_FAILED', { cause: error })
  }
}

/** Sets the account's logo, and removes its earlier file after the commit. Returns the earlier key. */
export async function pointAtLogo(ctx: SubscriberContext, key: string | null) {
  const { em, services, afterCommit } = ctx
  const company = await lockedCompany(ctx)
  const earlier = company.logoPath
  company.logoPath = key
  await em.flush()
  if (earlier) afterCommit(() => services.files.remove(earlier))
  return earlier
}
