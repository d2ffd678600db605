import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { ContactPage } from './contact-page.tsx'
import { CONTACT, SITE } from './content.ts'
import { Document } from './document.tsx'
import styles from './landing.css?inline'
import { LandingPage } from './landing-page.tsx'
import { TextPage } from './text-page.tsx'
import { PRIVACY, TERMS } from './texts.ts'

/** The HTML of every page that needs no script, by name. */
export function renderPages() {
  return {
    landing: render('/', SITE, <LandingPage />),
    // For whoever is signed in, who is offered no trial.
    'landing-member': rendered(
      <Document path="/" title={SITE.title} description={SITE.description} isMember>
        <LandingPage isMember />
      </Document>,
    ),
    privacy: render('/privacy', named(PRIVACY), <TextPage {...PRIVACY} />),
    terms: render('/terms', named(TERMS), <TextPage {...TERMS} />),
    contact: render('/contact', named(CONTACT), <ContactPage />),
  }
}

interface Heading {
  title: string
  description: string
}

function named({ title, description }: Heading): Heading {
  return { title: `${title} · ${SITE.name}`, description }
}

function render(path: string, { title, description }: Heading, content: ReactNode): string {
  return rendered(
    <Document path={path} title={title} description={description}>
      {content}
    </Document>,
  )
}

/** With the styles, which React would escape. */
function rendered(page: ReactNode): string {
  const html = `<!doctype html>${renderToStaticMarkup(page)}`
  return html.replace('</head>', () => `<style nonce="__CSP_NONCE__">${styles}</style></head>`)
}
