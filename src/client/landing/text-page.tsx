import { SITE } from './content.ts'
import type { TextPageContent } from './texts.ts'

/** A page of plain text under headings. */
export function TextPage({ title, lead, sections }: TextPageContent) {
  return (
    <article className="prose">
      <h1>{title}</h1>
      <p className="lead">{lead}</p>
      {sections.map((section) => (
        <section key={section.title}>
          <h2>{section.title}</h2>
          {section.paragraphs.map((text) => (
            <p key={text}>
              <WithMailLink text={text} />
            </p>
          ))}
        </section>
      ))}
    </article>
  )
}

function WithMailLink({ text }: { text: string }) {
  const [before, after] = text.split(SITE.email)
  if (after === undefined) return text
  return (
    <>
      {before}
      <MailLink />
      {after}
    </>
  )
}

export function MailLink() {
  return <a href={`mailto:${SITE.email}`}>{SITE.email}</a>
}
