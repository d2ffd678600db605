import * as z from 'zod/mini'
import { line, lines } from './fields.ts'
import { text } from './filters.ts'

/** The most characters in each field. */
export const CONTACT_LENGTHS = { name: 100, email: 254, message: 5000 }

/** A visitor's message to TRAXX. */
export const ContactMessage = z.object({
  name: line(CONTACT_LENGTHS.name, 'Enter your name'),
  email: z.pipe(
    text(CONTACT_LENGTHS.email).check(z.minLength(1, 'Enter your email address')),
    z.email('Enter an email address like name@example.com'),
  ),
  message: lines(CONTACT_LENGTHS.message, 'Enter a message'),
})
export type ContactMessage = z.output<typeof ContactMessage>
