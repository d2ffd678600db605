import { Logo } from '#client/ui/logo.tsx'
import { CALLS, HEADER_LINKS } from './content.ts'
import { NextStep } from './next-step.tsx'

export function SiteHeader({ isMember }: { isMember: boolean }) {
  return (
    <header className="bar">
      <a className="brand" href="/">
        <Logo />
      </a>
      <nav className="sections" aria-label="Site">
        {HEADER_LINKS.map(({ href, label }) => (
          <a key={href} href={href}>
            {label}
          </a>
        ))}
      </nav>
      <nav aria-label="Account">
        {!isMember && (
          <a className="sign-in" href="/sign-in">
            {CALLS.signIn}
          </a>
        )}
        <NextStep isMember={isMember} isSmall />
      </nav>
    </header>
  )
}
