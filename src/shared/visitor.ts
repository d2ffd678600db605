/** The visitor's name. */
export interface PersonName {
  name: string
  email: string
}

/** The person in the session's cookie, known before the identity provider has loaded in the browser. */
export interface CookieVisitor extends PersonName {
  /** The identity provider's ID. */
  id: string
  /** When the cookie's token expires, in milliseconds from the start of the page's navigation. */
  tokenForMs: number
  /** The time zone in which the server shows them dates and times. */
  timeZone: string
}
