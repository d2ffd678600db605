import { CheckIcon } from '@radix-ui/react-icons'
import { HERO, PRICING, PROBLEM, PROMISES, QUESTIONS } from './content.ts'
import { Features, Renewals } from './features.tsx'
import { NextStep } from './next-step.tsx'

export function LandingPage({ isMember = false }) {
  return (
    <>
      <Hero isMember={isMember} />
      <Promises />
      <Problem />
      <Features />
      <Renewals />
      <Pricing isMember={isMember} />
      <Questions />
    </>
  )
}

function Hero({ isMember }: { isMember: boolean }) {
  return (
    <section className="hero" aria-labelledby="promise">
      <p className="eyebrow">{HERO.eyebrow}</p>
      <h1 id="promise">{HERO.title}</h1>
      <p className="lead">{HERO.text}</p>
      <NextStep isMember={isMember} />
      {!isMember && <p className="note">{HERO.note}</p>}
      <picture className="screen">
        <source media="(prefers-color-scheme: dark)" srcSet="/images/dashboard-dark.png" />
        <img src="/images/dashboard.png" width={1280} height={800} alt={HERO.picture} fetchPriority="high" />
      </picture>
    </section>
  )
}

function Promises() {
  return (
    <section className="promises" aria-label={PROMISES.title}>
      <ul>
        {PROMISES.claims.map((claim) => (
          <li key={claim}>
            <CheckIcon aria-hidden /> {claim}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Problem() {
  return (
    <section className="problem" aria-labelledby="problem">
      <div className="figure">
        <strong>{PROBLEM.figure}</strong>
        <p>{PROBLEM.caption}</p>
      </div>
      <div>
        <h2 id="problem">{PROBLEM.title}</h2>
        {PROBLEM.points.map(({ title, text }) => (
          <div className="point" key={title}>
            <h3>{title}</h3>
            <p>{text}</p>
          </div>
        ))}
      </div>
    </section>
  )
}

function Pricing({ isMember }: { isMember: boolean }) {
  return (
    <section className="pricing" id="pricing" aria-labelledby="price">
      <h2 id="price">{PRICING.title}</h2>
      <p className="lead">{PRICING.text}</p>
      <div className="plan">
        <div className="offer">
          <h3>{PRICING.plan}</h3>
          <p className="price">
            <strong>{PRICING.price}</strong>
            {PRICING.period}
          </p>
          <p>{PRICING.trial}</p>
          <NextStep isMember={isMember} />
          <p className="note">{PRICING.note}</p>
        </div>
        <ul>
          {PRICING.features.map((feature) => (
            <li key={feature}>
              <CheckIcon aria-hidden /> {feature}
            </li>
          ))}
        </ul>
      </div>
    </section>
  )
}

function Questions() {
  return (
    <section className="questions" id="questions" aria-labelledby="asked">
      <h2 id="asked">{QUESTIONS.title}</h2>
      <dl>
        {QUESTIONS.items.map(({ question, answer }) => (
          <div key={question}>
            <dt>{question}</dt>
            <dd>{answer}</dd>
          </div>
        ))}
      </dl>
      <p className="lead">
        Something else? Read the <a href="/help">help page</a> or <a href="/contact">contact us</a>.
      </p>
    </section>
  )
}
