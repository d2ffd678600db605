import { AppError } from '#shared/errors.ts'
import type { SupportPriority } from '#shared/domain/access.ts'
import type { ContactMessage } from '#shared/schemas/contact.ts'
import type { Services } from '#server/context.ts'
import type { Letter } from '#server/mail/letter.ts'
import { sendLetter } from '#server/mail/mailer.ts'

/** Sends what a visitor has written to the operator, who answers it as any other mail. @throws CONTACT_FAILED */
export async function sendContactMessage(
  { mailer, contactMail }: Pick<Services, 'mailer' | 'contactMail'>,
  message: ContactMessage,
  priority: SupportPriority,
): Promise<void> {
  const { name, email } = message
  try {
    const letter = contactLetter(message, priority)
    const subject = `${MARKS[priority]}Message from ${name}`
    await sendLetter(mailer, { to: contactMail, replyTo: email, subject, letter })
  } catch (error) {
    throw new AppError('CONTACT_FAILED', { cause: error })
  }
}

/** What a mail program can sort by. */
const MARKS: Record<SupportPriority, string> = { paying: '[Priority] ', trial: '[Priority: trial] ', none: '' }

// Nobody has shown that the address is theirs.
const STANDING: Record<SupportPriority, string> = {
  paying: '. An account with this address has a subscription.',
  trial: '. An account with this address is on a free trial.',
  none: '',
}

export function contactLetter({ name, email, message }: ContactMessage, priority: SupportPriority): Letter {
  const parts = message.split(/\n{2,}/).map((text) => ({ text }))
  return { sender: name, parts, note: `Sent by ${name} <${email}> with the TRAXX contact form${STANDING[priority]}` }
}
