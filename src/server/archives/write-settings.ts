import { TEXT_KINDS, textHasLink } from '#shared/domain/reminder-text.ts'
import { isPaying } from '#shared/domain/access.ts'
import { UpdateCompany } from '#shared/schemas/company.ts'
import { SavedText } from '#shared/schemas/reminder-texts.ts'
import { ReminderSettings } from '#shared/schemas/reminders.ts'
import { RenewalSettings } from '#shared/schemas/renewals.ts'
import { ListSettings } from '#shared/schemas/views.ts'
import { updateCompany } from '#server/company/company.service.ts'
import type { SubscriberContext } from '#server/context.ts'
import { getRenewalSettings, saveRenewalSettings } from '#server/contracts/renewal-settings.service.ts'
import { saveSettings } from '#server/reminder-settings/settings.service.ts'
import { resetText, saveText } from '#server/reminder-settings/texts.service.ts'
import { saveListSettings } from '#server/views/list-settings.service.ts'
import { allRows, type OpenArchive } from './archive-reader.ts'

/**
 * Replaces the settings of the account by those of the archive. What the archive does not have of the company stays. A
 * reply-to address has to be confirmed here as well.
 */
export async function writeSettings(ctx: SubscriberContext, archive: OpenArchive): Promise<WrittenSettings> {
  const one = async (table: string) => (await allRows(archive, table))[0]
  const { name, replyTo, postalAddress } = UpdateCompany.parse((await one('company')) ?? {})
  await updateCompany(ctx, {
    name: name ?? undefined,
    replyTo: replyTo ?? undefined,
    postalAddress: postalAddress ?? undefined,
  })
  const settings = await one('notification-settings')
  if (settings) await saveSettings(ctx, ReminderSettings.parse(settings))
  const renewals = await one('renewal-settings')
  const { confirmRenewals: wasOn } = await getRenewalSettings(ctx)
  const saved = renewals && (await saveRenewalSettings(ctx, RenewalSettings.parse(renewals)))
  const lists = await one('list-settings')
  if (lists) await saveListSettings(ctx, ListSettings.parse(lists))
  const confirmsRenewals = !wasOn && saved?.confirmRenewals === true
  return { confirmsRenewals, textsWithLinks: await writeTexts(ctx, archive) }
}

interface WrittenSettings {
  /** Whether customers are told of renewals from now on, and were not before. */
  confirmsRenewals: boolean
  /** How many texts were left out because of their links. */
  textsWithLinks: number
}

async function writeTexts(ctx: SubscriberContext, archive: OpenArchive): Promise<number> {
  const { caller, services } = ctx
  const mayLink = isPaying(caller.subscription, services.billingNow())
  let leftOut = 0
  for (const kind of TEXT_KINDS) await resetText(ctx, { kind })
  for (const row of await allRows(archive, 'reminder-texts')) {
    const text = SavedText.parse(row)
    if (mayLink || !textHasLink(text)) await saveText(ctx, text)
    else leftOut += 1
  }
  return leftOut
}
