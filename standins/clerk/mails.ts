import type { Mail } from './call.ts'
import type { Verification } from './verification.ts'

/** The mail that carries a code, in Clerk's words. */
export function codeMail(to: string, { code, strategy }: Verification): Mail {
  const purpose = strategy === 'email_code' ? 'verification code' : 'password reset code'
  return {
    to,
    subject: `${code} is your ${purpose}`,
    text: `Your ${purpose} is ${code}\n\nIt is valid for 10 minutes. If you did not ask for it, ignore this message.\n`,
  }
}
