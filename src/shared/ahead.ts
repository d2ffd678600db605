/** What somebody is called. */
export interface Named {
  name: string
  email: string
}

/** Who the server found in the session's cookie, before the identity provider has answered in the browser. */
export interface Known extends Named {
  /** As the identity provider names them. */
  id: string
  /** How long after the start of the page's navigation the cookie's token is good for. */
  tokenForMs: number
  /** In which the server shows hours and days to them. */
  timeZone: string
}

/** Asks the server itself, without a request: the path of a query, such as contracts.list, and its input. */
export type Ask = (path: string, input: unknown) => Promise<unknown>

export interface AheadRequest {
  /** The address in the app. */
  href: string
  known: Known
  ask: Ask
  /** By which the page's policy knows its own styles. */
  nonce: string
}

export interface AheadPage {
  title: string
  /** What the app's element shows. */
  html: string
  /** What the browser takes over from. */
  state: string
}

/** A screen as the server sees it. Undefined where the browser has more to do than to show it. */
export type RenderAhead = (request: AheadRequest) => Promise<AheadPage | undefined>
