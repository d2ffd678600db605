import { CONTACT } from './content.ts'
import { MailLink } from './text-page.tsx'

export function ContactPage() {
  return (
    <article className="prose">
      <h1>{CONTACT.title}</h1>
      <p className="lead">{CONTACT.lead}</p>
      {/* The server puts the form here: empty, or with what was entered and its errors. */}
      <div data-contact-form="" />
      <p className="mail">
        {CONTACT.mail} <MailLink />
      </p>
      <dl className="topics">
        {CONTACT.topics.map(({ title, text }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </article>
  )
}
