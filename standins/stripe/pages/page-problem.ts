/** A page in place of the one that was asked for. */
export class PageProblem extends Error {
  readonly status: number
  readonly page: string

  constructor(status: number, page: string) {
    super(`Page answered ${status}`)
    this.status = status
    this.page = page
  }
}
