/** The visitor's name. */
export interface PersonName {
  name: string
  email: string
}

/** Who the server found in the session's cookie, before the identity provider has answered in the browser. */
export interface CookieVisitor extends PersonName {
  /** As the identity provider names them. */
  id: string
  /** How long after the start of the page's navigation the cookie's token is good for, in milliseconds. */
  tokenForMs: number
  /** The time zone in which the server shows dates and times to them. */
  timeZone: string
}
