import type { ReactNode } from 'react'
import { HERO, SITE } from './content.ts'
import { SiteFooter } from './site-footer.tsx'
import { SiteHeader } from './site-header.tsx'

interface DocumentProps {
  path: string
  title: string
  description: string
  isMember?: boolean
  /** Not for search engines. */
  isUnlisted?: boolean
  children: ReactNode
}

/** A whole HTML page, in which the server replaces `__ORIGIN__` and `__CSP_NONCE__`. */
export function Document({ path, title, description, isMember = false, isUnlisted = false, children }: DocumentProps) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <meta name="description" content={description} />
        <link rel="canonical" href={`__ORIGIN__${path}`} />
        {isUnlisted && <meta name="robots" content="noindex" />}
        <OpenGraph path={path} title={title} description={description} />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" content="#fbfaf8" media="(prefers-color-scheme: light)" />
        <meta name="theme-color" content="#101319" media="(prefers-color-scheme: dark)" />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      </head>
      <body>
        <a className="skip" href="#content">
          Skip to content
        </a>
        <SiteHeader isMember={isMember} />
        <main id="content">{children}</main>
        <SiteFooter />
      </body>
    </html>
  )
}

function OpenGraph({ path, title, description }: Omit<DocumentProps, 'children' | 'isMember' | 'isUnlisted'>) {
  return (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content={SITE.name} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={`__ORIGIN__${path}`} />
      <meta property="og:image" content="__ORIGIN__/images/dashboard.png" />
      <meta property="og:image:alt" content={HERO.picture} />
      <meta property="og:image:width" content="1280" />
      <meta property="og:image:height" content="800" />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  )
}
