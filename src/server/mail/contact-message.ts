import { AppError } from '#shared/errors.ts'
import type { ContactMessage } from '#shared/schemas/contact.ts'
import type { Services } from '#server/context.ts'

/** Sends what a visitor has written to the owner, who answers it as any other mail. @throws CONTACT_FAILED */
export async function sendContactMessage(
  { mailer, contactMail }: Pick<Services, 'mailer' | 'contactMail'>,
  { name, email, message }: ContactMessage,
): Promise<void> {
  try {
    const text = `${message}\n\n-- \n${name} <${email}>, by the contact form of TRAXX`
    await mailer.send({ to: contactMail, replyTo: email, subject: `Message from ${name}`, text })
  } catch (error) {
    throw new AppError('CONTACT_FAILED', { cause: error })
  }
}
