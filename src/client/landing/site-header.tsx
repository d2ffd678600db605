import { Logo } from '#client/ui/logo.tsx'
import { CALLS } from './content.ts'

export function SiteHeader() {
  return (
    <header className="bar">
      <a className="brand" href="/">
        <Logo />
      </a>
      <nav aria-label="Account">
        {/* The server replaces this link for signed-in visitors, and knows it by its exact text. */}
        <a data-account-link="" href="/sign-in">
          {CALLS.signIn}
        </a>
        <a className="button small" href="/checkout">
          {CALLS.trial}
        </a>
      </nav>
    </header>
  )
}
