import type { AnswerChoice } from '#shared/domain/customer-answer.ts'
import type { Linked } from '#server/customer-answers/answered-contract.ts'
import { escapeHtml } from '#server/mail/escape-html.ts'

/** What was entered in a form, and what is wrong with it. */
export interface Entered {
  values: Partial<Record<'words' | 'wishedAmount' | 'wishedDate' | 'reason', string>>
  wrong: Partial<Record<string, string>>
}

/** The fields of the form for one answer. */
export function fieldsHtml(choice: AnswerChoice, linked: Pick<Linked, 'reasons'>, entered: Entered): string {
  return FIELDS[choice](linked, entered)
}

const FIELDS: Record<AnswerChoice, (linked: Pick<Linked, 'reasons'>, entered: Entered) => string> = {
  renew: (_linked, entered) => wordsField('Message (optional)', entered),
  change: (_linked, entered) =>
    inputField('wishedAmount', 'Amount you would like, in US dollars (optional)', {
      ...entered,
      attributes: 'inputmode="decimal" maxlength="40" autocomplete="off"',
    }) +
    inputField('wishedDate', 'Next renewal date you would like (optional)', { ...entered, attributes: 'type="date"' }) +
    wordsField('Message', entered),
  end: (linked, entered) => reasonField(linked, entered) + wordsField('Message (optional)', entered),
}

interface FieldHtml extends Entered {
  attributes: string
}

function inputField(
  name: 'wishedAmount' | 'wishedDate',
  label: string,
  { values, wrong, attributes }: FieldHtml,
): string {
  const value = escapeHtml(values[name] ?? '')
  return `<label class="field" for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${value}" ${attributes}${described(name, wrong)}>${errorHtml(name, wrong)}`
}

function wordsField(label: string, { values, wrong }: Entered): string {
  return `<label class="field" for="words">${label}</label>
<textarea id="words" name="words" rows="4" maxlength="2000"${described('words', wrong)}>${escapeHtml(values.words ?? '')}</textarea>${errorHtml('words', wrong)}`
}

function reasonField({ reasons }: Pick<Linked, 'reasons'>, { values, wrong }: Entered): string {
  const radios = reasons.map((reason) => {
    const isChosen = values.reason?.toLowerCase() === reason.toLowerCase()
    return `<label><input type="radio" name="reason" value="${escapeHtml(reason)}" required${isChosen ? ' checked' : ''}> ${escapeHtml(reason)}</label>`
  })
  return `<fieldset${described('reason', wrong)}><legend>Why are you not renewing?</legend>${radios.join('')}</fieldset>${errorHtml('reason', wrong)}`
}

function described(name: string, wrong: Entered['wrong']): string {
  return wrong[name] ? ` aria-invalid="true" aria-describedby="${name}-wrong"` : ''
}

function errorHtml(name: string, wrong: Entered['wrong']): string {
  return wrong[name] ? `<p class="wrong" id="${name}-wrong">${escapeHtml(wrong[name])}</p>` : ''
}
