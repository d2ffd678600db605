import { vi } from 'vitest'

interface Sent {
  url: URL
  headers: Record<string, string>
  form: FormData
}

/** One upload under way; the test says how far it is and what comes of it. */
export class AnUpload extends EventTarget {
  readonly upload = new EventTarget()
  readonly sent: Sent = { url: new URL(location.origin), headers: {}, form: new FormData() }
  status = 0
  responseText = ''

  open(_method: string, path: string) {
    this.sent.url = new URL(path, location.origin)
  }

  setRequestHeader(name: string, value: string) {
    this.sent.headers[name] = value
  }

  send(form: FormData) {
    this.sent.form = form
  }

  abort() {
    this.end('abort')
  }

  /** So much of it has left the browser. */
  progress(loaded: number, total: number) {
    this.upload.dispatchEvent(Object.assign(new Event('progress'), { loaded, total }))
    if (loaded === total) this.upload.dispatchEvent(new Event('load'))
  }

  answer(status: number, body: unknown) {
    this.status = status
    this.responseText = typeof body === 'string' ? body : JSON.stringify(body)
    this.end('load')
  }

  /** The connection is gone, and no answer came. */
  break() {
    this.end('error')
  }

  private end(how: string) {
    this.dispatchEvent(new Event(how))
    this.dispatchEvent(new Event('loadend'))
  }
}

/** Stands in for the server of uploads at the wire; the uploads arrive in the list, the first one first. */
export function uploadServer(): AnUpload[] {
  const uploads: AnUpload[] = []
  vi.stubGlobal(
    'XMLHttpRequest',
    class extends AnUpload {
      constructor() {
        super()
        uploads.push(this)
      }
    },
  )
  return uploads
}
