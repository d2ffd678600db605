import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { ContactPage } from './contact-page.tsx'
import { CONTACT, SITE } from './content.ts'
import { Document } from './document.tsx'
import styles from './landing.css?inline'
import { LandingPage } from './landing-page.tsx'
import { TextPage } from './text-page.tsx'
import { ACCOUNT_DELETED, HELP, PRIVACY, TERMS } from './texts.ts'

/** The style that each of these pages has inline. */
export { styles }

/** The HTML of every page that needs no script, by name. */
export function renderPages() {
  return {
    ...forVisitors(),
    ...forMembers(),
    'account-deleted': render(
      { path: '/account-deleted', ...named(ACCOUNT_DELETED), isUnlisted: true },
      <TextPage {...ACCOUNT_DELETED} />,
    ),
  }
}

function forVisitors() {
  return {
    landing: render({ path: '/', ...SITE }, <LandingPage />),
    help: render({ path: '/help', ...named(HELP) }, <TextPage {...HELP} />),
    privacy: render({ path: '/privacy', ...named(PRIVACY) }, <TextPage {...PRIVACY} />),
    terms: render({ path: '/terms', ...named(TERMS) }, <TextPage {...TERMS} />),
    contact: render({ path: '/contact', ...named(CONTACT) }, <ContactPage />),
  }
}

/** For whoever is signed in, who is offered no trial. */
function forMembers() {
  const isMember = true
  return {
    'landing-member': render({ path: '/', ...SITE, isMember }, <LandingPage isMember />),
    'help-member': render({ path: '/help', ...named(HELP), isMember }, <TextPage {...HELP} />),
    'privacy-member': render({ path: '/privacy', ...named(PRIVACY), isMember }, <TextPage {...PRIVACY} />),
    'terms-member': render({ path: '/terms', ...named(TERMS), isMember }, <TextPage {...TERMS} />),
    'contact-member': render({ path: '/contact', ...named(CONTACT), isMember }, <ContactPage />),
  }
}

interface Page {
  path: string
  title: string
  description: string
  isMember?: boolean
  isUnlisted?: boolean
}

function named({ title, description }: Pick<Page, 'title' | 'description'>) {
  return { title: `${title} · ${SITE.name}`, description }
}

/** With the styles, which React would escape. */
function render({ path, title, description, isMember = false, isUnlisted = false }: Page, content: ReactNode): string {
  const page = (
    <Document path={path} title={title} description={description} isMember={isMember} isUnlisted={isUnlisted}>
      {content}
    </Document>
  )
  const html = `<!doctype html>${renderToStaticMarkup(page)}`
  return html.replace('</head>', () => `<style nonce="__CSP_NONCE__">${styles}</style></head>`)
}
