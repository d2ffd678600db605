import { AppError } from '#shared/errors.ts'
import type { ContactMessage } from '#shared/schemas/contact.ts'
import type { Services } from '#server/context.ts'
import type { Letter } from './letter.ts'
import { sendLetter } from './mailer.ts'

/** Sends what a visitor has written to the owner, who answers it as any other mail. @throws CONTACT_FAILED */
export async function sendContactMessage(
  { mailer, contactMail }: Pick<Services, 'mailer' | 'contactMail'>,
  message: ContactMessage,
): Promise<void> {
  const { name, email } = message
  try {
    const letter = contactLetter(message)
    await sendLetter(mailer, { to: contactMail, replyTo: email, subject: `Message from ${name}`, letter })
  } catch (error) {
    throw new AppError('CONTACT_FAILED', { cause: error })
  }
}

export function contactLetter({ name, email, message }: ContactMessage): Letter {
  const parts = message.split(/\n{2,}/).map((text) => ({ text }))
  return { sender: name, parts, note: `Sent by ${name} <${email}> with the TRAXX contact form` }
}
