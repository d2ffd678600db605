import { z } from 'zod'
import { text } from './fields.ts'

/** How many characters each field of the contact form holds. */
export const CONTACT_LENGTHS = { name: 100, email: 254, message: 5000 }

// What ends up in a mail's header must not be able to begin another one.
const ONE_LINE = /^[^\p{Cc}\u2028\u2029]*$/u

/** What a visitor writes to the owner of TRAXX. */
export const ContactMessage = z.object({
  name: text(CONTACT_LENGTHS.name).min(1, 'Enter your name').regex(ONE_LINE, 'Must be on one line'),
  email: text(CONTACT_LENGTHS.email)
    .min(1, 'Enter your email address')
    .pipe(z.email('Enter an email address like name@example.com')),
  // Forms send every line end as two characters.
  message: z
    .string()
    .transform((written) => written.replaceAll('\r\n', '\n'))
    .pipe(text(CONTACT_LENGTHS.message).min(1, 'Enter a message')),
})
export type ContactMessage = z.output<typeof ContactMessage>
